#include "rpc/call_gate.h"

#include <algorithm>

namespace terrane::rpc {

CallGate::Pass CallGate::enter() {
  const std::lock_guard lock(mutex_);
  if (closed_) {
    last_refusal_ = std::chrono::steady_clock::now();
    return nullptr;
  }
  ++inside_;
  return Pass(this);
}

void CallGate::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  last_refusal_ = std::chrono::steady_clock::now();
}

std::size_t CallGate::wait_until_empty(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  empty_.wait_until(lock, deadline, [this] { return inside_ == 0; });
  return inside_;
}

void CallGate::wait_for_quiet(std::chrono::milliseconds quiet,
                              std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  while (true) {
    const auto until = std::min(last_refusal_ + quiet, deadline);
    if (std::chrono::steady_clock::now() >= until) return;
    empty_.wait_until(lock, until);  // a refusal in the meantime moves `until`
  }
}

void CallGate::leave() {
  const std::lock_guard lock(mutex_);
  // under the lock: once it is free, wait_until_empty() may return and the gate be gone
  if (--inside_ == 0) empty_.notify_all();
}

}  // namespace terrane::rpc
