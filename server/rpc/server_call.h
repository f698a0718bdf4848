#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "rpc/call_metrics.h"
#include "rpc/call_reactor.h"
#include "rpc/call_tracker.h"
#include "rpc/status.h"
#include "schedule/source.h"
#include "worldgen/abandon.h"

namespace terrane::rpc {

/// A call that has been let in: what each of the classes below is made from.
struct IncomingCall {
  CallTracker::Pass pass;
  CallReactor& reactor;
};

/// What all that serve a call have in common. It lives until gRPC is done with the call (OnDone)
/// and holds its pass meanwhile; whoever else needs it longer holds a shared pointer of its own. A
/// class `C` derives from `ServerCall<C>`, befriends it, and is made by `C::create(...)` alone. A
/// made call must end, whatever is thrown: gRPC swallows what its callbacks throw, and would wait
/// for ever.
template <typename Derived>
class ServerCall : public CallEvents, public std::enable_shared_from_this<Derived> {
 protected:
  explicit ServerCall(IncomingCall call)
      : pass_(std::move(call.pass)),
        reactor_(call.reactor),
        record_(call.reactor.record()),
        source_(call.reactor.source()) {}

  /// A call that is told what becomes of it, and lives until OnDone.
  template <typename... Arguments>
  [[nodiscard]] static std::shared_ptr<Derived> create(Arguments&&... arguments) {
    const std::shared_ptr<Derived> call(new Derived(std::forward<Arguments>(arguments)...));
    static_cast<ServerCall&>(*call).reactor_.serve_with(call);
    return call;
  }

  [[nodiscard]] grpc::CallbackServerContext& context() const { return reactor_.context(); }
  /// Who is charged for a call that is answered once: its connection.
  [[nodiscard]] const schedule::Source& source() const { return source_; }
  /// Who is charged for a stream: itself, of its connection.
  [[nodiscard]] schedule::Source source_of_stream() const {
    schedule::Source stream = source_;
    stream.viewer = reinterpret_cast<std::uintptr_t>(this);  // as long as it lives
    return stream;
  }
  /// Null: nobody in particular. Until OnDone.
  [[nodiscard]] const access::Caller* caller() const { return reactor_.caller(); }
  [[nodiscard]] const CallMetrics& metrics() const { return record_.metrics(); }

  /// For calls that several threads may want to end: true for the first that asks, which then has
  /// to finish the call.
  [[nodiscard]] bool claim_end() { return !ended_.exchange(true); }
  [[nodiscard]] bool is_ended() const { return ended_; }

  /// For streams. The buffers live, and stay as they are, until it is done.
  void read_into(grpc::ByteBuffer& message) { reactor_.StartRead(&message); }
  void write(const grpc::ByteBuffer& message) { reactor_.StartWrite(&message); }

  /// Before its end.
  void charge(std::chrono::nanoseconds cost) { reactor_.charge(cost); }
  /// Ends the call. Exactly once, this or answer_with().
  void finish(grpc::Status status) { reactor_.finish(std::move(status)); }
  /// Ends the call with a last message.
  void answer_with(grpc::ByteBuffer message) { reactor_.answer(std::move(message)); }

  /// Ends the call with an error, unless somebody has claimed its end. Takes no memory.
  void end(const Error& error) {
    if (claim_end()) finish(refuse(context(), error));
  }

  /// For what is generated on the call's behalf: nobody wants it any more once the call has ended.
  [[nodiscard]] worldgen::Abandon abandon_when_ended() const {
    return {[](const void* ended) { return static_cast<const std::atomic<bool>*>(ended)->load(); },
            &ended_};
  }

 private:
  void OnDone() final {
    pass_.reset();  // here: jobs and deliveries under way may keep the rest a moment longer
  }

  CallTracker::Pass pass_;
  CallReactor& reactor_;  // until OnDone
  const CallRecord record_;
  const schedule::Source source_;
  std::atomic<bool> ended_ = false;
};

/// A call that ends before it begins.
template <typename Reactor>
class RefusedCall final : public Reactor {
 public:
  explicit RefusedCall(const grpc::Status& status) { this->Finish(status); }

 private:
  void OnDone() override { delete this; }
};

}  // namespace terrane::rpc
