#pragma once

#include <grpc/support/time.h>
#include <grpcpp/client_context.h>
#include <grpcpp/completion_queue.h>
#include <grpcpp/support/async_stream.h>
#include <grpcpp/support/async_unary_call.h>
#include <grpcpp/support/status.h>

#include <chrono>
#include <memory>
#include <optional>

#include "deadline_watch.h"

/// Calls that a thread waits for, on the monotonic clock and never for longer than it said. gRPC's
/// own blocking calls wait until gRPC says so: for ever, should it forget a cancelled call, and too
/// long when the clock is set back, since gRPC 1.51 sleeps until a time of day. By callbacks, its
/// threads wake each other and the one that waits for each message: a stream has half as many.
namespace terrane::client {

/// gRPC's deadlines are times of day unless told otherwise. std::chrono::steady_clock is
/// CLOCK_MONOTONIC, as is this clock of gRPC's.
[[nodiscard]] gpr_timespec on_monotonic_clock(SteadyTime time);

/// How long gRPC has for what it does at once: to notice that a call's deadline has passed before
/// this side cancels it, and to let go of a cancelled one.
constexpr std::chrono::milliseconds kGrace{100};
constexpr std::chrono::seconds kGoodbye{5};

/// A completion queue, which gRPC works for while somebody polls it, for all connections: unless
/// there is an Explorer, nobody else does.
class OwnQueue : public grpc::CompletionQueue {
 public:
  OwnQueue() = default;
  ~OwnQueue() override;

  /// Does what there is to do for gRPC. Blocks: no.
  void poll();
};

/// What the thread that waits for a call needs, which works for gRPC meanwhile: the call has a
/// completion queue of its own. Threads: one at a time, except cancel(). It must not be destroyed
/// while a function of it waits, nor after one has returned nullopt.
class WaitedCall {
 public:
  WaitedCall(const WaitedCall&) = delete;
  WaitedCall& operator=(const WaitedCall&) = delete;

  [[nodiscard]] grpc::ClientContext& context() { return context_; }

  /// Ends the call soon. Blocks: no. Threads: any.
  void cancel() { context_.TryCancel(); }

 protected:
  /// @param watch  outlives this
  explicit WaitedCall(DeadlineWatch& watch) : watch_(watch) {}
  ~WaitedCall();

  /// Before the call begins, which then counts as DEADLINE_EXCEEDED shortly after its deadline.
  void set_deadline(SteadyTime deadline);
  [[nodiscard]] SteadyTime latest() const { return latest_; }

  [[nodiscard]] grpc::CompletionQueue& queue() { return queue_; }
  /// Something was begun, with this as its tag.
  void begun() { awaiting_ = true; }
  [[nodiscard]] bool awaiting() const { return awaiting_; }
  /// Ends a call whose deadline has passed.
  void cancel_late() {
    cancel();
    is_late_ = true;
  }
  /// Waits for what was begun last. @return whether it is done, and well
  bool await(SteadyTime time);
  /// Waits for it, if anything was begun, until then, and then for kGoodbye, cancelled.
  /// @return whether it is done; if not, gRPC still uses this
  [[nodiscard]] bool settle(SteadyTime time);
  /// The status that the call has ended with, in the words of this side.
  [[nodiscard]] grpc::Status ended(const grpc::Status& status);
  /// What ended() has returned.
  [[nodiscard]] const std::optional<grpc::Status>& end_status() const { return end_status_; }

 private:
  DeadlineWatch& watch_;
  std::optional<DeadlineWatch::Watch> watched_;
  SteadyTime latest_;
  std::optional<grpc::Status> end_status_;
  grpc::ClientContext context_;
  OwnQueue queue_;
  bool awaiting_ = false;
  bool is_late_ = false;  // the deadline has ended the call
};

/// A call with one answer.
template <typename Response>
class UnaryCall final : public WaitedCall {
 public:
  explicit UnaryCall(DeadlineWatch& watch) : WaitedCall(watch) {}

  /// Waits for the answer, at most until shortly after the deadline, and then for kGoodbye.
  /// @param begin  begins the call: AsyncGetChunk(context, …, queue)
  /// @return nullopt if gRPC has not even let go of the cancelled call: it is still in use then
  template <typename Begin>
  [[nodiscard]] std::optional<grpc::Status> run(SteadyTime deadline, Begin&& begin) {
    start(deadline, begin);
    return finish_until(latest());
  }

  /// The first part of run(): begins the call, which poll() or end() is for then. Blocks: no.
  template <typename Begin>
  void start(SteadyTime deadline, Begin&& begin) {
    set_deadline(deadline);
    reader_ = begin(&context(), &queue());
    reader_->Finish(&response_, &status_, this);
    begun();
  }

  /// @return how the call has ended, once; nullopt: it has not yet. Blocks: no.
  [[nodiscard]] std::optional<grpc::Status> poll() {
    await({});
    if (!awaiting()) return ended(status_);
    const auto now = std::chrono::steady_clock::now();
    if (now > latest() && !cancelled_at_) {
      cancel_late();
      cancelled_at_ = now;
    }
    return std::nullopt;
  }

  /// Whether poll() has cancelled the call so long ago that gRPC has forgotten it: it is still in
  /// use then.
  [[nodiscard]] bool is_lost() const {
    return cancelled_at_ && awaiting() &&
           std::chrono::steady_clock::now() > *cancelled_at_ + kGoodbye;
  }

  /// Cancels the call and waits for its end, for kGoodbye at most. @return as run()
  [[nodiscard]] std::optional<grpc::Status> end() {
    cancel();
    return finish_until(std::chrono::steady_clock::now());
  }

  /// Where the call's end was OK.
  [[nodiscard]] Response& response() { return response_; }

 private:
  std::optional<grpc::Status> finish_until(SteadyTime time) {
    if (!settle(time)) return std::nullopt;
    return ended(status_);
  }

  std::unique_ptr<grpc::ClientAsyncResponseReader<Response>> reader_;
  grpc::Status status_;
  Response response_;
  std::optional<SteadyTime> cancelled_at_;  // by poll()
};

/// A call that gets any number of responses.
template <typename Response>
class ReadCall final : public WaitedCall {
 public:
  explicit ReadCall(DeadlineWatch& watch) : WaitedCall(watch) {}

  /// @param begin  begins the call: AsyncGetChunks(context, …, queue, tag)
  template <typename Begin>
  void start(SteadyTime deadline, Begin&& begin) {
    set_deadline(deadline);
    reader_ = begin(&context(), &queue(), this);
    begun();
  }

  /// Waits for the next response, at most until shortly after the deadline. @return false when
  /// there is none: finish() says why
  [[nodiscard]] bool read(Response& response) {
    if (awaiting() && !await(latest())) return false;
    reader_->Read(&here_, this);
    begun();
    if (!await(latest())) return false;
    response.Swap(&here_);
    return true;
  }

  /// Waits for the call's end, at most until shortly after the deadline, and then for kGoodbye.
  /// What has not been read is lost. @return nullopt if gRPC has not even let go of the cancelled
  /// call: it is still in use then
  [[nodiscard]] std::optional<grpc::Status> finish() { return finish_until(latest()); }

  /// Cancels the call and waits for its end, for twice kGoodbye at most. @return as finish()
  [[nodiscard]] std::optional<grpc::Status> end() {
    cancel();
    return finish_until(std::chrono::steady_clock::now());
  }

 private:
  std::optional<grpc::Status> finish_until(SteadyTime time) {
    if (end_status()) return end_status();
    if (!settle(time)) return std::nullopt;
    reader_->Finish(&status_, this);
    begun();
    if (!settle(time)) return std::nullopt;
    return ended(status_);
  }

  std::unique_ptr<grpc::ClientAsyncReader<Response>> reader_;
  grpc::Status status_;
  Response here_;  // gRPC's while it is read
};

}  // namespace terrane::client
