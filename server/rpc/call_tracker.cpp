#include "rpc/call_tracker.h"

#include <algorithm>
#include <thread>

namespace terrane::rpc {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

CallTracker::Pass CallTracker::enter() {
  const MutexLock lock(mutex_);
  if (closed_) {
    last_refusal_ = Clock::now();
    return nullptr;
  }
  ++inside_;
  return Pass(this);
}

void CallTracker::close() {
  const MutexLock lock(mutex_);
  closed_ = true;
  last_refusal_ = Clock::now();
}

std::size_t CallTracker::wait_until_empty(Clock::time_point deadline) {
  const MutexLock lock(mutex_);
  while (inside_ > 0) {
    if (!empty_.wait_until(mutex_, deadline)) break;
  }
  return inside_;
}

void CallTracker::wait_for_quiet(std::chrono::milliseconds quiet, Clock::time_point deadline) {
  while (true) {
    Clock::time_point end;
    {
      const MutexLock lock(mutex_);
      end = std::min(last_refusal_ + quiet, deadline);
    }
    if (Clock::now() >= end) return;
    std::this_thread::sleep_until(end);  // a refusal in the meantime moves the end
  }
}

void CallTracker::leave() {
  const MutexLock lock(mutex_);
  if (--inside_ == 0) empty_.notify_all();
}

}  // namespace terrane::rpc
