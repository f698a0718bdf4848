#pragma once

#include <mutex>
#include <thread>

namespace terrane::cli {

/// Ends the process at SIGINT or SIGTERM, with status 128 + signal: at once, except while somebody holds it off. To be made
/// before any other thread starts. Lives until the end of main.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// While the returned lock lives, signals wait: for the moment in which a file is half written.
  [[nodiscard]] std::unique_lock<std::mutex> hold_off() { return std::unique_lock(mutex_); }

 private:
  std::mutex mutex_;
  std::thread waiter_;
};

}  // namespace terrane::cli
