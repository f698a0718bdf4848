#pragma once

#include <atomic>
#include <chrono>

namespace terrane::ops {

/// When somebody asked last whether the server takes calls. Thread-safe; nothing blocks.
class LastAsked {
 public:
  using Clock = std::chrono::steady_clock;

  void note() noexcept { last_ = Clock::now().time_since_epoch().count(); }

  [[nodiscard]] bool within(Clock::duration time) const noexcept {
    const Clock::rep last = last_;
    return last != 0 && Clock::now().time_since_epoch() - Clock::duration(last) <= time;
  }

 private:
  std::atomic<Clock::rep> last_ = 0;  // 0: nobody has
};

}  // namespace terrane::ops
