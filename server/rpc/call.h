#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "rpc/call_metrics.h"
#include "rpc/hang_ups.h"
#include "rpc/memory_accounts.h"
#include "rpc/origins.h"
#include "rpc/request_reads.h"
#include "schedule/source.h"

namespace terrane::rpc {

/// What becomes of a call, as whoever carries it tells whoever serves it.
class CallEvents {
 public:
  virtual ~CallEvents() = default;
  virtual void OnReadDone(bool) {}
  virtual void OnWriteDone(bool) {}
  virtual void OnCancel() {}
  virtual void OnDone() {}
};

/// One call of whatever method: bytes in, bytes out, however many messages the method has. So it is
/// we who read the request, in the client's turn, where gRPC would take in those of all calls at
/// once; the wire is the same. A class derived from this carries it: GrpcCall over gRPC, and those
/// of the HTTP port. It lives until done(). Whoever serves the call (ServerCall) is told what
/// becomes of it from serve_with() on.
class Call : public RequestReads::Reader {
 public:
  /// Called once the request is there, or it is the turn of a stream, which reads its requests
  /// itself; ends the call or serves it.
  using Serve = std::function<void(Call&, const grpc::ByteBuffer& request)>;

  /// Who calls, once that is known. Before read_request().
  void came_from(Origin origin) { origin_ = std::move(origin); }

  /// From now on it lives until done(). Throws std::bad_alloc, and has then done nothing.
  void keep_until_done() { self_ = shared_from_this(); }

  /// Throws std::bad_alloc, and has then done nothing.
  /// @param memory  that the call holds until its end, and a stream until it is served
  void read_request(RequestReads& reads, MemoryAccounts::Hold memory, Serve serve);

  /// From here on whoever serves the call is told of it, and ends it. Before a second message is
  /// asked for or one is sent.
  void serve_with(std::shared_ptr<CallEvents> events) { events_ = std::move(events); }

  [[nodiscard]] const CallRecord& record() const { return record_; }
  /// Of all calls of its connection that are no streams.
  [[nodiscard]] const schedule::Source& source() const { return origin_.source; }
  /// Null: nobody in particular, who may do everything.
  [[nodiscard]] const access::Caller* caller() const { return origin_.caller.get(); }

  /// Who calls, by what it has shown, as of now. May throw std::bad_alloc.
  /// Errors: those of Origins::identify().
  [[nodiscard]] virtual Result<Origin> identify(const Origins& origins) const = 0;
  /// Whether it may go on that was begun under an older generation of `origins`. May throw
  /// std::bad_alloc.
  /// Errors: those of identify(); kUnavailable where its caller may do something else now, which it
  ///   finds out when it comes back.
  [[nodiscard]] Result<void> look_again(const Origins& origins) const;

  [[nodiscard]] virtual std::chrono::system_clock::time_point deadline() const = 0;
  /// Nobody waits for it any more.
  [[nodiscard]] virtual bool is_cancelled() const = 0;
  /// "ipv4:127.0.0.1:50000"
  [[nodiscard]] virtual std::string peer() const = 0;
  /// What who calls, or a proxy, calls this request (`x-request-id`); empty: nothing, or what can't
  /// be a line of a log.
  [[nodiscard]] virtual std::string request_id() const = 0;

  // For streams: one read and one write at a time, of buffers that live, and stay as they are,
  // until they are done.
  virtual void read_into(grpc::ByteBuffer& message) = 0;
  virtual void write(const grpc::ByteBuffer& message) = 0;
  /// Ends what is being written and read. finish() is to follow.
  virtual void cancel_with(const grpc::Status& status) = 0;

  /// A client that is refused is told when to come back.
  virtual void tell_pushback(std::chrono::milliseconds wait) = 0;

  /// So much has been done for it besides that no job has been charged: its client's next calls
  /// wait for that.
  void charge(std::chrono::nanoseconds cost) { reads_->charge(origin_.source.client, cost); }
  /// A stream has had what it wanted first: another one of its client's may start.
  void settle() { reads_->settle(*this); }

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

 protected:
  Call(const CallRecord& record, Origin origin, std::shared_ptr<HangUps> hang_ups)
      : record_(record), origin_(std::move(origin)), hang_ups_(std::move(hang_ups)) {}

  /// The end, once: nothing is read or written any more. done() is to follow.
  virtual void send_end(grpc::Status status) = 0;
  /// The same after a message, which stays as it is until then.
  virtual void send_last(const grpc::ByteBuffer& message) = 0;

  // What whoever carries the call has to tell of it.
  void read_done(bool ok);
  void write_done(bool ok);
  void cancelled();
  /// It may be gone when this returns.
  void done();

 private:
  void start_reading() override;
  [[nodiscard]] bool takes_place() const override { return record_.method() != Method::kExplore; }
  [[nodiscard]] bool settles() const override { return !takes_place(); }
  void stop_reading(const Error& why) override;
  [[nodiscard]] bool is_of_the_peer() const override { return caller() == nullptr; }
  [[nodiscard]] std::optional<net::ProxiedClients::Endpoint> peer_to_hold() const override;
  void serve_request();
  void allow_finish();
  [[nodiscard]] bool is_hang_up() const;
  void note_in_vain();

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
  // Of a stream, which may begin on any thread, the end waits until it has begun: the call may be
  // freed with its end.
  std::atomic<int> before_finish_ = 1;
  grpc::Status end_;
  std::shared_ptr<CallEvents> events_;
  std::shared_ptr<Reader> self_;  // until done()
};

}  // namespace terrane::rpc
