#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/support/client_callback.h>
#include <grpcpp/support/status.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "terrane/mutex.h"

/// Calls that a thread waits for, on the monotonic clock and never for longer than it said. gRPC's
/// own blocking calls wait until gRPC says so: for ever, should it forget a cancelled call, and too
/// long when the clock is set back, since gRPC 1.51 sleeps until a time of day.
namespace terrane::client {

using SteadyTime = std::chrono::steady_clock::time_point;

/// How long gRPC has for what it does at once: to notice that a call's deadline has passed before
/// this side cancels it, and to let go of a cancelled one.
constexpr std::chrono::milliseconds kGrace{100};
constexpr std::chrono::seconds kGoodbye{5};

/// How a call ended, told by a thread of gRPC to the one that waits: shared by both, so that
/// neither has to outlive the other. Threads: any.
class CallEnd {
 public:
  void tell(const grpc::Status& status) ABSL_LOCKS_EXCLUDED(mutex_);

  /// Waits for the end; shortly after the deadline cancels the call, which then counts as
  /// DEADLINE_EXCEEDED. Blocks: until `deadline` + kGrace + kGoodbye at most.
  /// @return nullopt if gRPC has not even let go of the cancelled call: it is still in use then
  [[nodiscard]] std::optional<grpc::Status> wait(grpc::ClientContext& context, SteadyTime deadline)
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  [[nodiscard]] std::optional<grpc::Status> wait_until(SteadyTime time) ABSL_LOCKS_EXCLUDED(mutex_);

  Mutex mutex_;
  CondVar told_;
  std::optional<grpc::Status> status_ ABSL_GUARDED_BY(mutex_);
};

/// A unary call and its answer. Must outlive the call's end.
template <typename Response>
struct UnaryCall {
  grpc::ClientContext context;
  Response response;
};

/// A call that gets any number of responses, of which some are here before they are read: a thread
/// of gRPC and the one that reads would else take turns at every response. Must outlive the call's
/// end: once started, it may be destroyed after finish() has said how it ended. Threads: one at a
/// time, except cancel().
template <typename Response>
class ReadCall final : public grpc::ClientReadReactor<Response> {
 public:
  [[nodiscard]] grpc::ClientContext& context() { return context_; }

  /// @param prepare  makes this the reactor of a call: async()->GetChunks(context, …, reactor)
  template <typename Prepare>
  void start(Prepare&& prepare) {
    prepare(&context_, this);
    this->AddHold();  // read() is not called by gRPC's threads
    this->StartRead(&here_.front());
    this->StartCall();
  }

  /// Waits for the next response, at most until shortly after the deadline. @return false when
  /// there is none: finish() says why
  [[nodiscard]] bool read(Response& response, SteadyTime deadline) ABSL_LOCKS_EXCLUDED(mutex_) {
    const MutexLock lock(mutex_);
    while (count_ == 0 && state_ == State::kReading &&
           changed_.wait_until(mutex_, deadline + kGrace)) {
    }
    if (count_ == 0) return false;
    response.Swap(&here_[first_]);
    first_ = (first_ + 1) % kAhead;
    --count_;
    if (state_ == State::kFull) start_read();
    return true;
  }

  /// Waits for the call's end as CallEnd::wait does. What has not been read is lost.
  [[nodiscard]] std::optional<grpc::Status> finish(SteadyTime deadline)
      ABSL_LOCKS_EXCLUDED(mutex_) {
    bool holds = false;
    {
      const MutexLock lock(mutex_);
      finishing_ = true;
      holds = state_ == State::kFull;
      if (holds) state_ = State::kOver;
    }
    if (holds) this->RemoveHold();
    return end_->wait(context_, deadline);
  }

  /// Ends the call soon. Blocks: no. Threads: any.
  void cancel() { context_.TryCancel(); }

  void OnReadDone(bool ok) override ABSL_LOCKS_EXCLUDED(mutex_) {
    bool over = false;
    {
      const MutexLock lock(mutex_);
      over = !ok || finishing_;
      if (ok) ++count_;
      if (over) {
        state_ = State::kOver;
      } else if (count_ == kAhead) {
        state_ = State::kFull;
      } else {
        start_read();
      }
      changed_.notify_all();
    }
    if (over) this->RemoveHold();  // may be the end of this object
  }

  void OnDone(const grpc::Status& status) override {
    const auto end = end_;  // this object may be gone as soon as it is told
    end->tell(status);
  }

 private:
  static constexpr std::size_t kAhead = 4;  // responses that wait to be read
  enum class State { kReading, kFull, kOver };

  void start_read() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    state_ = State::kReading;
    this->StartRead(&here_[(first_ + count_) % kAhead]);
  }

  grpc::ClientContext context_;
  const std::shared_ptr<CallEnd> end_ = std::make_shared<CallEnd>();

  Mutex mutex_;
  CondVar changed_;
  State state_ ABSL_GUARDED_BY(mutex_) = State::kReading;
  bool finishing_ ABSL_GUARDED_BY(mutex_) = false;
  std::size_t first_ ABSL_GUARDED_BY(mutex_) = 0, count_ ABSL_GUARDED_BY(mutex_) = 0;
  std::array<Response, kAhead> here_;  // a ring; while kReading the one behind them is gRPC's
};

}  // namespace terrane::client
