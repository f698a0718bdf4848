#pragma once

#include <chrono>

#include "ops/metrics.h"
#include "schedule/processor_time.h"

namespace terrane::rpc {

/// Measures the processor time that a callback of gRPC's takes, from here to the end of the scope:
/// its threads are few, and serve everybody. What it waits for does not count.
class CallbackTimer {
 public:
  explicit CallbackTimer(const ops::Histogram& histogram)
      : histogram_(histogram), start_(schedule::processor_time_of_thread()) {}
  ~CallbackTimer() { histogram_.observe(schedule::processor_time_of_thread() - start_); }
  CallbackTimer(const CallbackTimer&) = delete;
  CallbackTimer& operator=(const CallbackTimer&) = delete;

 private:
  const ops::Histogram histogram_;
  const std::chrono::nanoseconds start_;
};

}  // namespace terrane::rpc
