#pragma once

#include <chrono>
#include <optional>

#include "explore/view_range.h"
#include "held_chunks.h"

namespace terrane::client {

/// How long the chunk underfoot takes to come after a jump: a move to where neither it nor one
/// beside it is at hand. Threads: one at a time.
class JumpTiming {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  /// The viewer has moved. @param from  the tile underfoot before; none: there was none
  void moved(const std::optional<Tile>& from, const explore::ViewRange& range,
             const HeldChunks& chunks, TimePoint now);
  /// A chunk has come.
  void came(const explore::ViewRange& range, const HeldChunks& chunks, TimePoint now);

  /// ExploreStats::first.
  [[nodiscard]] std::chrono::nanoseconds first() const { return first_; }

 private:
  bool has_moved_ = false;
  std::optional<TimePoint> jumped_;  // while the chunk underfoot has not come
  std::chrono::nanoseconds first_{0};
};

}  // namespace terrane::client
