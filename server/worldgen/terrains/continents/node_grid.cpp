#include "worldgen/terrains/continents/node_grid.h"

#include <algorithm>
#include <cstdint>

#include "terrane/coord.h"

namespace terrane::worldgen::continents {

namespace {

struct Span {
  std::int64_t first = 0;
  int count = 0;
};

/// Along one axis, for samples from `begin` to `end`.
Span nodes_along(const Drainage& drainage, std::int64_t begin, std::int64_t end) {
  const auto bend = static_cast<std::int64_t>(drainage.meander_amplitude) + 1;
  // Within reach there may be watercourses from or to a node one further. Those that may be rivers
  // here have to know their flow.
  const auto valley = static_cast<std::int64_t>(drainage.reach) + bend;
  const auto river = static_cast<std::int64_t>(2 * kChannelReach) + bend;
  constexpr std::int64_t kForValleys = 1 + kDrainRing, kForRivers = kForValleys + kFlowSteps;
  const std::int64_t first = std::min(floor_div(begin - valley, drainage.spacing) - kForValleys,
                                      floor_div(begin - river, drainage.spacing) - kForRivers);
  const std::int64_t last = std::max(floor_div(end + valley, drainage.spacing) + kForValleys,
                                     floor_div(end + river, drainage.spacing) + kForRivers);
  return {first, static_cast<int>(last - first) + 1};
}

}  // namespace

noise::SampleGrid nodes_around(const Drainage& drainage, const noise::SampleGrid& samples) {
  const Span columns = nodes_along(drainage, samples.origin.x,
                                   samples.origin.x + samples.stride * (samples.width - 1));
  const Span rows = nodes_along(drainage, samples.origin.y,
                                samples.origin.y + samples.stride * (samples.height - 1));
  const std::int64_t spacing = drainage.spacing;
  return {{columns.first * spacing, rows.first * spacing}, spacing, columns.count, rows.count};
}

}  // namespace terrane::worldgen::continents
