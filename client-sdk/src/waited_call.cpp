#include "waited_call.h"

#include <cstdint>

namespace terrane::client {

gpr_timespec on_monotonic_clock(SteadyTime time) {
  const auto since_start = time.time_since_epoch();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since_start);
  return {seconds.count(), static_cast<std::int32_t>((since_start - seconds).count()),
          GPR_CLOCK_MONOTONIC};
}

OwnQueue::~OwnQueue() {
  Shutdown();
  void* tag = nullptr;
  for (bool ok = false; Next(&tag, &ok);) continue;
}

void OwnQueue::poll() {
  void* tag = nullptr;
  bool ok = false;
  (void)AsyncNext(&tag, &ok, on_monotonic_clock({}));
}

/// One that was not finished, for something was thrown, is not to be cancelled any more.
WaitedCall::~WaitedCall() {
  if (!watched_) return;
  cancel();
  (void)watch_.forget(*watched_);
}

void WaitedCall::set_deadline(SteadyTime deadline) {
  queue_.poll();  // a connection that the server has closed is not to be called on
  latest_ = deadline + kGrace;
  watched_ = watch_.add(latest_, context_);
}

bool WaitedCall::await(SteadyTime time) {
  void* tag = nullptr;
  bool ok = false;
  const auto next = queue_.AsyncNext(&tag, &ok, on_monotonic_clock(time));
  if (next != grpc::CompletionQueue::GOT_EVENT) return false;
  awaiting_ = false;
  return ok;
}

bool WaitedCall::settle(SteadyTime time) {
  if (awaiting_) await(time);
  if (!awaiting_) return true;
  cancel_late();
  await(std::chrono::steady_clock::now() + kGoodbye);
  return !awaiting_;
}

grpc::Status WaitedCall::ended(const grpc::Status& status) {
  is_late_ |= watch_.forget(*watched_);
  watched_.reset();
  end_status_ = status;
  if (is_late_ && status.error_code() == grpc::StatusCode::CANCELLED)
    end_status_.emplace(grpc::StatusCode::DEADLINE_EXCEEDED, "Deadline Exceeded");
  return *end_status_;
}

}  // namespace terrane::client
