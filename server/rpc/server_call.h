#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "rpc/call_metrics.h"
#include "rpc/call_tracker.h"
#include "rpc/status.h"
#include "schedule/source.h"
#include "worldgen/abandon.h"

namespace terrane::rpc {

/// A call that has been let in: what each of the classes below is made from.
struct IncomingCall {
  CallTracker::Pass pass;
  CallRecord record;
  grpc::CallbackServerContext& context;
  schedule::Source source;  // of all calls of the connection that are no streams
};

/// What all reactors of the service have in common. A call keeps itself alive until gRPC is done
/// with it (OnDone), is counted from its arrival to its end, and holds its pass meanwhile; whoever
/// else needs it longer holds a shared pointer of its own. A class `C` derives from
/// `ServerCall<C, Reactor>`, befriends it, and is made by `C::create(...)` alone. A made call must
/// be returned to gRPC and must end, whatever is thrown: gRPC swallows what its callbacks throw,
/// and would wait for ever.
template <typename Derived, typename Reactor>
class ServerCall : public Reactor, public std::enable_shared_from_this<Derived> {
 protected:
  explicit ServerCall(IncomingCall call)
      : pass_(std::move(call.pass)),
        record_(std::move(call.record)),
        context_(call.context),
        source_(call.source) {}

  /// A call that lives until OnDone. Return its address to gRPC.
  template <typename... Arguments>
  [[nodiscard]] static std::shared_ptr<Derived> create(Arguments&&... arguments) {
    const std::shared_ptr<Derived> call(new Derived(std::forward<Arguments>(arguments)...));
    static_cast<ServerCall&>(*call).self_ = call;
    return call;
  }

  [[nodiscard]] grpc::CallbackServerContext& context() const { return context_; }
  /// Who is charged for a call that is answered once: its connection.
  [[nodiscard]] const schedule::Source& source() const { return source_; }
  /// Who is charged for a stream: itself, of its connection.
  [[nodiscard]] schedule::Source source_of_stream() const {
    schedule::Source stream = source_;
    stream.viewer = reinterpret_cast<std::uintptr_t>(this);  // as long as it lives
    return stream;
  }
  [[nodiscard]] const CallMetrics& metrics() const { return record_.metrics(); }

  /// For calls that several threads may want to end: true for the first that asks, which then has
  /// to finish the call, and alone may touch its response.
  [[nodiscard]] bool claim_end() { return !ended_.exchange(true); }
  [[nodiscard]] bool is_ended() const { return ended_; }

  /// Ends the call. Exactly once.
  void finish(grpc::Status status) {
    record_.end(status.error_code());
    this->Finish(std::move(status));
  }

  /// Ends the call with an error, unless somebody has claimed its end. Takes no memory.
  void end(const Error& error) {
    if (claim_end()) finish(refuse(context_, error));
  }

  /// Ends a stream with a last message, which lives until OnDone. Exactly once.
  template <typename Message>
  void write_and_finish(const Message& message, grpc::Status status) {
    record_.end(status.error_code());
    this->StartWriteAndFinish(&message, {}, std::move(status));
  }

  /// For what is generated on the call's behalf: nobody wants it any more once the call has ended.
  [[nodiscard]] worldgen::Abandon abandon_when_ended() const {
    return {[](const void* ended) { return static_cast<const std::atomic<bool>*>(ended)->load(); },
            &ended_};
  }

 private:
  void OnDone() final {
    pass_.reset();  // here: jobs and deliveries under way may keep the rest a moment longer
    self_.reset();
  }

  CallTracker::Pass pass_;
  const CallRecord record_;
  grpc::CallbackServerContext& context_;
  const schedule::Source source_;
  std::atomic<bool> ended_ = false;
  std::shared_ptr<Derived> self_;  // until OnDone
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
