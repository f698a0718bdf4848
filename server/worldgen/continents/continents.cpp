// clang-format off: the order of these matters
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "worldgen/continents/continents.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
#include "worldgen/continents/continents-inl.h"
// clang-format on

#if HWY_ONCE

#include <algorithm>
#include <cmath>

#include "worldgen/continents/node_grid.h"
#include "worldgen/noise/per_target.h"

namespace terrane::worldgen {

namespace continents {

namespace {

bool dispatch(const ContinentsTerrain& terrain, const Stage& samples, const Stage& middle,
              const Stage& coarse, const Limits& limits, const TerrainLayers& out,
              const SiteLayers& site) {
  bool any_fresh = false;
  TERRANE_CALL_TARGET(samples.target, fill_continents(terrain, samples, middle, coarse, limits, out,
                                                      site, any_fresh));
  return any_fresh;
}

/// Fields that the stages take over each lattice (field_size is a multiple of 16).
constexpr std::size_t kCoarseFields = 12, kMiddleFields = 36, kSampleFields = 12, kNodeFields = 12;

std::int32_t tenths(float value) { return static_cast<std::int32_t>(std::floor(10 * value)); }

}  // namespace

}  // namespace continents

LayerRanges layer_ranges(const ContinentsTerrain& terrain) {
  const auto& relief = terrain.relief;
  const auto [low, high] =
      std::minmax_element(terrain.land.floor.values.begin(), terrain.land.floor.values.end());
  const float rise = relief.mountain_height +
                     2 * std::max(relief.hill_height_high, relief.hill_height_low) +
                     2 * terrain.gullies.depth + 8;
  const float top = *high + rise;
  const auto& climate = terrain.climate;
  const auto [cold, warm] = std::minmax(climate.temperature_low, climate.temperature_high);
  return {{static_cast<std::int32_t>(16 * (*low - relief.seabed_height - 8)),
           static_cast<std::int32_t>(16 * top)},
          {continents::tenths(cold - climate.lapse_rate * std::max(top, 0.0f)),
           continents::tenths(warm)},
          {0, 1000},
          {0, 400},
          {-1000, 1000}};
}

bool fill_terrain(const ContinentsTerrain& terrain, std::uint64_t seed,
                  const noise::SampleGrid& grid, noise::SimdTarget target, const TerrainLayers& out,
                  const SiteLayers& site) {
  using namespace continents;
  const noise::SampleGrid middle = lattice_around(grid, kMiddleSpacing);
  const noise::SampleGrid coarse = lattice_around(middle, kCoarseSpacing);
  Scratch scratch(kCoarseFields * field_size(coarse) + kMiddleFields * field_size(middle) +
                  kSampleFields * field_size(grid) +
                  kNodeFields * field_size(nodes_around(terrain.drainage, middle)));
  const LayerRanges ranges = layer_ranges(terrain);
  const auto limit = [](Interval i) { return Limit{i.min, i.max}; };
  const Limits limits{limit(ranges.height_q4), limit(ranges.temperature_d),
                      limit(ranges.humidity_d), limit(ranges.slope_p), limit(ranges.inland_p)};
  return dispatch(terrain, {grid, seed, target, &scratch}, {middle, seed, target, &scratch},
                  {coarse, seed, target, &scratch}, limits, out, site);
}

}  // namespace terrane::worldgen

#endif  // HWY_ONCE
