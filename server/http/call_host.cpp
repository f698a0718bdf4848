#include "http/call_host.h"

#include <boost/asio/post.hpp>
#include <chrono>
#include <utility>
#include <vector>

namespace terrane::http {

void CallHost::post(std::function<void()> work) { boost::asio::post(io_, std::move(work)); }

bool CallHost::enter(CarriedCall& call) {
  const MutexLock lock(mutex_);
  if (closed_) return false;
  calls_.insert(&call);
  return true;
}

void CallHost::leave(CarriedCall& call) {
  const MutexLock lock(mutex_);
  calls_.erase(&call);
  left_.notify_all();
}

std::shared_ptr<const void> CallHost::stay() {
  {
    const MutexLock lock(mutex_);
    ++stays_;
  }
  return {nullptr, [this](const void*) {
            const MutexLock lock(mutex_);
            --stays_;
            left_.notify_all();
          }};
}

void CallHost::end_all() {
  {
    const MutexLock lock(mutex_);
    closed_ = true;
  }
  post([this] {
    std::vector<std::shared_ptr<rpc::RequestReads::Reader>> kept;
    {
      const MutexLock lock(mutex_);
      for (CarriedCall* const call : calls_) kept.push_back(call->shared_from_this());
    }
    for (const auto& call : kept) static_cast<CarriedCall&>(*call).break_off();
  });
  // Calls end within milliseconds; one that never does, for want of memory, keeps nobody here.
  const auto longest = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  const MutexLock lock(mutex_);
  while ((!calls_.empty() || stays_ > 0) && left_.wait_until(mutex_, longest)) continue;
}

}  // namespace terrane::http
