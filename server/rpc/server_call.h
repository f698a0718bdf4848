#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "rpc/call.h"
#include "rpc/call_metrics.h"
#include "rpc/call_tracker.h"
#include "rpc/status.h"
#include "schedule/source.h"
#include "worldgen/abandon.h"

namespace terrane::rpc {

/// A call that has been let in: what each of the classes below is made from.
struct IncomingCall {
  CallTracker::Pass pass;
  Call& call;
};

/// What all that serve a call have in common. It lives until gRPC is done with the call (OnDone)
/// and holds its pass meanwhile; whoever else needs it longer holds a shared pointer of its own. A
/// class `C` derives from `ServerCall<C>`, befriends it, and is made by `C::create(...)` alone. A
/// made call must end, whatever is thrown: gRPC swallows what its callbacks throw, and would wait
/// for ever.
template <typename Derived>
class ServerCall : public CallEvents, public std::enable_shared_from_this<Derived> {
 protected:
  explicit ServerCall(IncomingCall incoming)
      : pass_(std::move(incoming.pass)),
        call_(incoming.call),
        record_(incoming.call.record()),
        source_(incoming.call.source()) {}

  /// A call that is told what becomes of it, and lives until OnDone.
  template <typename... Arguments>
  [[nodiscard]] static std::shared_ptr<Derived> create(Arguments&&... arguments) {
    std::shared_ptr<Derived> call(new Derived(std::forward<Arguments>(arguments)...));
    static_cast<ServerCall&>(*call).call_.serve_with(call);
    return call;
  }

  /// Until OnDone.
  [[nodiscard]] Call& call() const { return call_; }
  /// Who is charged for a call that is answered once: its connection.
  [[nodiscard]] const schedule::Source& source() const { return source_; }
  /// Who is charged for a stream: itself, of its connection.
  [[nodiscard]] schedule::Source source_of_stream() const {
    schedule::Source stream = source_;
    stream.viewer = reinterpret_cast<std::uintptr_t>(this);  // as long as it lives
    return stream;
  }
  /// Null: nobody in particular. Until OnDone.
  [[nodiscard]] const access::Caller* caller() const { return call_.caller(); }
  [[nodiscard]] const CallMetrics& metrics() const { return record_.metrics(); }

  /// For calls that several threads may want to end: true for the first that asks, which then has
  /// to finish the call.
  [[nodiscard]] bool claim_end() { return !ended_.exchange(true); }
  [[nodiscard]] bool is_ended() const { return ended_; }

  /// For streams. The buffers live, and stay as they are, until it is done.
  void read_into(grpc::ByteBuffer& message) { call_.read_into(message); }
  void write(const grpc::ByteBuffer& message) { call_.write(message); }

  /// Before its end.
  void charge(std::chrono::nanoseconds cost) { call_.charge(cost); }
  /// Ends the call. Exactly once, this or answer_with().
  void finish(grpc::Status status) { call_.finish(std::move(status)); }
  /// Ends the call with a last message.
  void answer_with(grpc::ByteBuffer message) { call_.answer(std::move(message)); }

  /// Ends the call with an error, unless somebody has claimed its end. Takes no memory.
  void end(const Error& error) {
    if (claim_end()) finish(refuse(call(), error));
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
  Call& call_;  // until OnDone
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
