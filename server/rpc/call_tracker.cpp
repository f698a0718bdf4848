#include "rpc/call_tracker.h"

#include <absl/time/clock.h>
#include <absl/time/time.h>

#include <algorithm>

namespace terrane::rpc {
namespace {

using Clock = std::chrono::steady_clock;

absl::Duration until(Clock::time_point time) { return absl::FromChrono(time - Clock::now()); }

}  // namespace

CallTracker::Pass CallTracker::enter() {
  const absl::MutexLock lock(&mutex_);
  if (closed_) {
    last_refusal_ = Clock::now();
    return nullptr;
  }
  ++inside_;
  return Pass(this);
}

void CallTracker::close() {
  const absl::MutexLock lock(&mutex_);
  closed_ = true;
  last_refusal_ = Clock::now();
}

std::size_t CallTracker::wait_until_empty(Clock::time_point deadline) {
  const absl::MutexLock lock(&mutex_);
  mutex_.AwaitWithTimeout(absl::Condition(this, &CallTracker::is_empty), until(deadline));
  return inside_;
}

void CallTracker::wait_for_quiet(std::chrono::milliseconds quiet, Clock::time_point deadline) {
  while (true) {
    Clock::time_point end;
    {
      const absl::MutexLock lock(&mutex_);
      end = std::min(last_refusal_ + quiet, deadline);
    }
    if (Clock::now() >= end) return;
    absl::SleepFor(until(end));  // a refusal in the meantime moves the end
  }
}

void CallTracker::leave() {
  const absl::MutexLock lock(&mutex_);
  --inside_;
}

}  // namespace terrane::rpc
