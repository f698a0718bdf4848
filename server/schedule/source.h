#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace terrane::schedule {

/// How urgent a job is; a lower value is more urgent.
enum class Priority : std::uint8_t {
  kPlayerWaits = 0,   // teleport, blocking get
  kView = 1,          // in view
  kPrefetch = 2,      // may be in view soon
  kPregeneration = 3  // when idle
};

inline constexpr std::size_t kPriorities = 4;

inline constexpr std::array<Priority, kPriorities> kAllPriorities{
    Priority::kPlayerWaits, Priority::kView, Priority::kPrefetch, Priority::kPregeneration};

/// On whose behalf a job runs. What it costs is charged to the client, to the connection among
/// those of the client, and to the viewer or call among those of the connection.
struct Source {
  std::uint64_t client = 0;      // an address or an identity, by any number
  std::uint64_t connection = 0;  // one of the client's
  std::uint64_t viewer = 0;      // one of the connection's; 0: all its calls that are no streams
  std::uint32_t weight = 1;      // of the client: its share beside others'; at least 1
  friend bool operator==(const Source&, const Source&) = default;
};

}  // namespace terrane::schedule
