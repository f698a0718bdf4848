#pragma once

#include <functional>
#include <thread>
#include <utility>

#include "terrane/mutex.h"

namespace terrane::cli {

/// Ends the process at SIGINT or SIGTERM, with status 128 + signal: at once, except while somebody
/// holds it off. To be made before any other thread starts. Lives until the end of main.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// While it is locked, signals wait: for the moment in which a file is half written.
  [[nodiscard]] Mutex& exit_mutex() ABSL_LOCK_RETURNED(mutex_) { return mutex_; }

  /// What a signal does before it ends the process, on a thread of its own, never while somebody
  /// holds it off. Replaces what was set before; empty: nothing.
  void before_exit(std::function<void()> last) {
    const MutexLock lock(mutex_);
    last_ = std::move(last);
  }

 private:
  Mutex mutex_;
  std::function<void()> last_ ABSL_GUARDED_BY(mutex_);
  std::thread waiter_;
};

}  // namespace terrane::cli
