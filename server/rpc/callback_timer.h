#pragma once

#include <chrono>
#include <ctime>

#include "ops/metrics.h"

namespace terrane::rpc {

/// Measures the processor time that a callback of gRPC's takes, from here to the end of the scope:
/// its threads are few, and serve everybody. What it waits for does not count.
class CallbackTimer {
 public:
  explicit CallbackTimer(const ops::Histogram& histogram)
      : histogram_(histogram), start_(processor_time()) {}
  ~CallbackTimer() { histogram_.observe(processor_time() - start_); }
  CallbackTimer(const CallbackTimer&) = delete;
  CallbackTimer& operator=(const CallbackTimer&) = delete;

 private:
  /// Of this thread.
  static std::chrono::nanoseconds processor_time() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }

  const ops::Histogram histogram_;
  const std::chrono::nanoseconds start_;
};

}  // namespace terrane::rpc
