#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "schedule/source.h"

namespace terrane::schedule {

/// Finds out which client comes with one job after the other, and is about to come with the next:
/// what it was given goes to it by way of threads that wait for the same processors. Before a job
/// of somebody else, of which nobody knows how long it takes, it has a moment for that
/// (anticipatory scheduling: S. Iyer, P. Druschel, "Anticipatory scheduling: a disk scheduling
/// framework to overcome deceptive idleness in synchronous I/O", 2001). Plain values; the time is
/// the caller's. Not thread-safe.
class RegularClient {
 public:
  using Time = std::chrono::steady_clock::time_point;

  static constexpr std::chrono::nanoseconds kMoment = std::chrono::milliseconds(1);

  struct Expected {
    Source source;
    Priority priority;  // of its last job
    Time until;
  };

  void job_ended(const Source& source, Priority priority, Time now) {
    last_ = {source, priority, now + kMoment};
    clients_[++jobs_ % kJobs] = source.client;
  }

  /// A client has come that had no job queued.
  void came(std::uint64_t client, Time now) {
    if (client == last_.source.client && now < last_.until) in_vain_ = std::max(0, in_vain_ - 1);
  }

  /// It was waited for until then, and did not come.
  void did_not_come() { ++in_vain_; }

  /// Who has had three of four jobs lately, the last of them within the moment; nobody where the
  /// one who did was waited for in vain a few times in a row. The server itself is nobody.
  [[nodiscard]] std::optional<Expected> expected(Time now) {
    const std::uint64_t client = last_.source.client;
    if (client == 0 || now >= last_.until) return std::nullopt;
    const auto its = static_cast<std::size_t>(std::ranges::count(clients_, client));
    if (4 * its < 3 * kJobs) return std::nullopt;
    if (client != regular_) in_vain_ = 0;
    regular_ = client;
    if (in_vain_ >= kOften) return std::nullopt;
    return last_;
  }

 private:
  static constexpr std::size_t kJobs = 16;
  static constexpr int kOften = 4;

  Expected last_{.source = {}, .priority = Priority::kView, .until = {}};
  std::array<std::uint64_t, kJobs> clients_{};  // of the last jobs
  std::size_t jobs_ = 0;
  std::uint64_t regular_ = 0;
  int in_vain_ = 0;
};

}  // namespace terrane::schedule
