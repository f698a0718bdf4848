#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "schedule/source.h"
#include "terrane/mutex.h"

namespace terrane::rpc {

/// Who hangs up on their calls, or has others that are in vain, and how often. Each such call takes
/// a tenth of a millisecond of gRPC's threads, whose work nobody shares out (server/adr/0018). So
/// where all of them together take a fifth of the processors, whoever has most by weight is sent
/// away: for a second, and twice as long each time it happens again within a minute, for which a
/// tenth as many are enough. Counts fade within seconds: a client that drops a thousand calls at
/// once and goes is none of those. Threads: any.
class HangUps {
 public:
  using Clock = std::chrono::steady_clock;

  struct SentAway {
    std::uint64_t client = 0;
    std::uint64_t calls = 0;  // in vain, of late
    std::chrono::milliseconds time{0};
  };

  /// @param processors  that gRPC's threads and everybody else share
  /// @param send_away   called by whoever notes the hang-up that is too many; brief
  HangUps(double processors, std::function<void(const SentAway&)> send_away);

  /// A call that was in vain. Without memory it does not count.
  void note(const schedule::Source& source, Clock::time_point now) noexcept;

 private:
  struct Client {
    double recent = 0;         // calls in vain, fading
    std::uint32_t weight = 1;  // of the client
    unsigned times_away = 0;
    Clock::time_point back{};  // when it may come, or could last
  };

  std::optional<SentAway> count(const schedule::Source& source, Clock::time_point now)
      ABSL_LOCKS_EXCLUDED(mutex_);
  std::optional<SentAway> look(Clock::time_point now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void fade(Clock::time_point now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const double most_together_, always_of_one_;
  const std::function<void(const SentAway&)> send_away_;
  Mutex mutex_;
  // a map: no hash that a stranger could aim at
  std::map<std::uint64_t, Client> clients_ ABSL_GUARDED_BY(mutex_);
  Clock::time_point looked_ ABSL_GUARDED_BY(mutex_){};
};

}  // namespace terrane::rpc
