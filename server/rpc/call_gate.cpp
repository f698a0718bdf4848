#include "rpc/call_gate.h"

namespace terrane::rpc {

CallGate::Pass CallGate::enter() {
  const std::lock_guard lock(mutex_);
  if (closed_) return nullptr;
  ++inside_;
  return Pass(this);
}

std::size_t CallGate::close(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  closed_ = true;
  empty_.wait_until(lock, deadline, [this] { return inside_ == 0; });
  return inside_;
}

void CallGate::leave() {
  const std::lock_guard lock(mutex_);
  if (--inside_ == 0) empty_.notify_all();  // under the lock: once it is free, close() may return and the gate be gone
}

}  // namespace terrane::rpc
