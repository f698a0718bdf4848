#include "waited_call.h"

#include <cstdint>

namespace terrane::client {

gpr_timespec on_monotonic_clock(SteadyTime time) {
  const auto since_start = time.time_since_epoch();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since_start);
  return {seconds.count(), static_cast<std::int32_t>((since_start - seconds).count()),
          GPR_CLOCK_MONOTONIC};
}

WaitedCall::~WaitedCall() {
  queue_.Shutdown();
  void* tag = nullptr;
  for (bool ok = false; queue_.Next(&tag, &ok);) continue;
}

void WaitedCall::set_deadline(SteadyTime deadline) {
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
  cancel();
  is_late_ = true;
  await(std::chrono::steady_clock::now() + kGoodbye);
  return !awaiting_;
}

grpc::Status WaitedCall::ended(const grpc::Status& status) {
  is_late_ |= watch_.forget(watched_);
  if (is_late_ && status.error_code() == grpc::StatusCode::CANCELLED)
    return {grpc::StatusCode::DEADLINE_EXCEEDED, "Deadline Exceeded"};
  return status;
}

}  // namespace terrane::client
