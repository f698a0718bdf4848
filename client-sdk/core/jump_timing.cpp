#include "jump_timing.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace terrane::client {

/// Walking on while the chunk underfoot has not come is no jump.
void JumpTiming::moved(const std::optional<Tile>& from, const explore::ViewRange& range,
                       const HeldChunks& chunks, TimePoint now) {
  const auto at = range.underfoot();
  if (!has_moved_) jumped_ = now;
  has_moved_ = true;
  if (!at || !from || *at == *from) return;
  const auto beside = [](std::int64_t a, std::int64_t b) { return std::abs(a - b) <= 1; };
  if (jumped_ && beside(at->coord.x, from->coord.x) && beside(at->coord.y, from->coord.y)) return;
  for (const std::int64_t y : {-1, 0, 1}) {
    for (const std::int64_t x : {-1, 0, 1}) {
      const Tile neighbour{at->lod, {at->coord.x + x, at->coord.y + y}};
      if (chunks.holds(neighbour) || chunks.keeps(neighbour)) return;
    }
  }
  jumped_ = now;
  first_ = {};
}

void JumpTiming::came(const explore::ViewRange& range, const HeldChunks& chunks, TimePoint now) {
  const auto at = range.underfoot();
  if (!jumped_ || !at || !chunks.holds(*at)) return;
  first_ = std::max(std::chrono::nanoseconds(1), std::chrono::nanoseconds(now - *jumped_));
  jumped_.reset();
}

}  // namespace terrane::client
