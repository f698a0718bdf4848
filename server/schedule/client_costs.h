#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "schedule/source.h"
#include "terrane/mutex.h"

namespace terrane::schedule {

/// Who costs what: the processor time that each client's jobs have taken lately, so that whoever
/// loads a server can be found. A mean over about a minute, in which older time counts ever less.
/// Bounded: of more clients than there is room for, the least costly half is forgotten.
/// Thread-safe; no call blocks.
class ClientCosts {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kLately{60};  // within which older time falls to 1 / e

  struct Cost {
    std::uint64_t client = 0;  // of Source
    std::uint32_t weight = 1;
    double processors = 0;  // in use for it, on average
  };
  struct Summary {
    std::vector<Cost> costliest;  // first the one that costs most
    std::size_t clients = 0;      // that cost anything
    double processors = 0;        // of them all
  };

  explicit ClientCosts(std::size_t max_clients = 4096) : max_clients_(max_clients) {}

  void charge(const Source& source, std::chrono::nanoseconds cost, Clock::time_point now);
  [[nodiscard]] Summary summary(std::size_t most, Clock::time_point now) const;
  /// All that was ever charged.
  struct Total {
    std::chrono::nanoseconds all{0};
    std::chrono::nanoseconds weighted{0};  // of it, to clients of weights above 1
  };
  [[nodiscard]] Total total() const;

 private:
  struct Spent {
    double seconds = 0;  // as of `at`
    Clock::time_point at;
    std::uint32_t weight = 1;
  };

  [[nodiscard]] static double now_worth(const Spent& spent, Clock::time_point now);
  void make_room(Clock::time_point now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::size_t max_clients_;
  mutable Mutex mutex_;
  std::unordered_map<std::uint64_t, Spent> spent_ ABSL_GUARDED_BY(mutex_);
  Total total_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace terrane::schedule
