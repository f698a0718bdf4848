#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "rpc/call_metrics.h"
#include "rpc/hang_ups.h"
#include "rpc/memory_accounts.h"
#include "rpc/origins.h"
#include "rpc/request_reads.h"
#include "schedule/source.h"

namespace terrane::rpc {

using ByteReactor = grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>;

/// What becomes of a call, as gRPC tells it to whoever serves it.
class CallEvents {
 public:
  virtual ~CallEvents() = default;
  virtual void OnReadDone(bool) {}
  virtual void OnWriteDone(bool) {}
  virtual void OnCancel() {}
  virtual void OnDone() {}
};

/// One call of whatever method, as gRPC sees it: bytes in, bytes out, however many messages the
/// method has. So it is we who read the request, in the client's turn, where gRPC would take in
/// those of all calls at once; the wire is the same. Lives until OnDone. Whoever serves the call
/// (ServerCall) is told what becomes of it from serve_with() on.
class CallReactor final : public ByteReactor, public RequestReads::Reader {
 public:
  /// Called once the request is there, or it is the turn of a stream, which reads its requests
  /// itself; ends the call or serves it.
  using Serve = std::function<void(CallReactor&, const grpc::ByteBuffer& request)>;

  [[nodiscard]] static std::shared_ptr<CallReactor> create(grpc::CallbackServerContext& context,
                                                           const CallRecord& record, Origin origin,
                                                           std::shared_ptr<HangUps> hang_ups);

  /// From now on it lives until OnDone. @return what gRPC is to be given
  [[nodiscard]] ByteReactor* begin();

  /// Who calls, once that is known. Before read_request().
  void came_from(Origin origin) { origin_ = std::move(origin); }

  /// Before begin(). Throws std::bad_alloc, and has then done nothing.
  /// @param memory  that the call holds until its end, and a stream until it is served
  void read_request(RequestReads& reads, MemoryAccounts::Hold memory, Serve serve);

  /// From here on whoever serves the call is told of it, and ends it. Before a second message is
  /// asked for or one is sent.
  void serve_with(std::shared_ptr<CallEvents> events) { events_ = std::move(events); }

  [[nodiscard]] grpc::CallbackServerContext& context() const { return context_; }
  [[nodiscard]] const CallRecord& record() const { return record_; }
  /// Of all calls of its connection that are no streams.
  [[nodiscard]] const schedule::Source& source() const { return origin_.source; }
  /// Null: nobody in particular, who may do everything.
  [[nodiscard]] const access::Caller* caller() const { return origin_.caller.get(); }

  /// gRPC has done so much for it besides that no job has been charged: its client's next calls
  /// wait for that.
  void charge(std::chrono::nanoseconds cost) { reads_->charge(origin_.source.client, cost); }

  /// Ends the call: exactly once, this or the next.
  void finish(grpc::Status status);
  /// Ends it before its request is read. One that is more than its client may hold was in vain.
  void refuse_at_once(const Error& error);
  /// The same where its deadline has passed already, which is in vain, too: however long calls wait
  /// in gRPC until they begin, those that nobody waits for are counted and cost little.
  /// @return whether it has
  bool end_if_too_late();
  /// Ends it with a last message.
  void answer(grpc::ByteBuffer message);

 private:
  CallReactor(grpc::CallbackServerContext& context, const CallRecord& record, Origin origin,
              std::shared_ptr<HangUps> hang_ups)
      : context_(context),
        record_(record),
        origin_(std::move(origin)),
        hang_ups_(std::move(hang_ups)) {}

  void start_reading() override;
  [[nodiscard]] bool takes_place() const override { return record_.method() != Method::kExplore; }
  void stop_reading(const Error& why) override;
  void serve_request();
  void allow_finish();
  [[nodiscard]] bool is_hang_up() const;
  void note_in_vain();

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

  grpc::CallbackServerContext& context_;
  const CallRecord record_;
  Origin origin_;
  const std::shared_ptr<HangUps> hang_ups_;
  MemoryAccounts::Hold memory_;
  RequestReads* reads_ = nullptr;  // where it reads a request
  Serve serve_;
  grpc::ByteBuffer message_;             // the request, then the answer
  std::atomic<bool> read_over_ = false;  // or given up: whoever sets it goes on
  std::atomic<bool> cancelled_ = false;
  std::atomic<bool> is_noted_ = false;  // as in vain
  std::atomic<bool> served_ = false;    // serve_ has returned: now events_ may hear of a cancel
  // Of a stream, which may begin on any thread, the end waits until it has begun: gRPC frees the
  // call with its end.
  std::atomic<int> before_finish_ = 1;
  grpc::Status end_;
  std::shared_ptr<CallEvents> events_;
  std::shared_ptr<Reader> self_;  // until OnDone
};

}  // namespace terrane::rpc
