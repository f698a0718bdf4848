#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace terrane::connection {

/// Wakes one thread that waits for something to have changed. Threads: any, but for wait(), of one.
class Bell {
 public:
  void ring() {
    {
      const std::lock_guard lock(mutex_);
      has_rung_ = true;
    }
    rung_.notify_all();
  }

  /// Until it has rung since the last call. @return false: the time is over
  bool wait(std::chrono::milliseconds timeout) {
    std::unique_lock lock(mutex_);
    rung_.wait_for(lock, timeout, [this] { return has_rung_; });
    return std::exchange(has_rung_, false);
  }

 private:
  std::mutex mutex_;
  std::condition_variable rung_;
  bool has_rung_ = false;
};

}  // namespace terrane::connection
