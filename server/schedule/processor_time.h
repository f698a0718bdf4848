#pragma once

#include <chrono>
#include <ctime>

namespace terrane::schedule {

/// What the calling thread has had of a processor since it began. Differs from wall time where
/// threads wait for a processor, or for anything else.
inline std::chrono::nanoseconds processor_time_of_thread() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// What all threads of the process have had since it began.
inline std::chrono::nanoseconds processor_time_of_process() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace terrane::schedule
