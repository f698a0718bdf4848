#pragma once

#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace terrane::cli {

/// Ends the process at SIGINT or SIGTERM, with status 128 + signal: at once, except while somebody
/// holds it off. To be made before any other thread starts. Lives until the end of main.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// While the returned lock lives, signals wait: for the moment in which a file is half written.
  [[nodiscard]] std::unique_lock<std::mutex> hold_off() { return std::unique_lock(mutex_); }

  /// What a signal does before it ends the process, on a thread of its own, never while somebody
  /// holds it off. Replaces what was set before; empty: nothing.
  void before_exit(std::function<void()> last) {
    const std::lock_guard lock(mutex_);
    last_ = std::move(last);
  }

 private:
  std::mutex mutex_;
  std::function<void()> last_;
  std::thread waiter_;
};

}  // namespace terrane::cli
