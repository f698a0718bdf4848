#pragma once

#include <chrono>
#include <functional>
#include <memory>

namespace terrane::schedule {

/// Calls back at given times, on one thread of its own, in order of time. Thread-safe; no call but
/// the destructor blocks.
class AlarmClock {
 public:
  using Clock = std::chrono::steady_clock;

  AlarmClock();
  /// Drops the alarms that are left, and waits for one that rings.
  ~AlarmClock();
  AlarmClock(const AlarmClock&) = delete;
  AlarmClock& operator=(const AlarmClock&) = delete;

  /// @param ring  called once, at `time` or about a millisecond later: brief, never throwing. May
  ///   set alarms.
  void set(Clock::time_point time, std::function<void()> ring);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace terrane::schedule
