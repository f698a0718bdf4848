// clang-format off: the order of these matters
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "worldgen/terrains/continents/continents.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
#include "worldgen/terrains/continents/continents-inl.h"
// clang-format on

#if HWY_ONCE

#include <algorithm>
#include <cmath>

#include "worldgen/noise/per_target.h"

namespace terrane::worldgen {

namespace continents {
namespace {

void dispatch(const ContinentsTerrain& terrain, const GridContext& context,
              const LayerRanges& ranges, TerrainOutput& out) {
  TERRANE_CALL_TARGET(context.target, fill_continents(terrain, context, ranges, out));
}

}  // namespace
}  // namespace continents

namespace {

/// What interpolation and noise may add beyond what parameters say, blocks; more is cut off.
constexpr float kMargin = 8;
// percent and per mille
constexpr Interval kSlopes{0, 400}, kInlands{-1000, 1000};

std::int32_t tenths(float value) { return static_cast<std::int32_t>(std::floor(10 * value)); }

}  // namespace

LayerMask layers(const ContinentsTerrain&) { return kCoreLayers | layer_bit(Layer::kWater); }

LayerRanges layer_ranges(const ContinentsTerrain& terrain) {
  const auto& relief = terrain.relief;
  const auto [low, high] =
      std::minmax_element(terrain.land.floor.values.begin(), terrain.land.floor.values.end());
  const float rise = relief.mountain_height +
                     2 * std::max(relief.hill_height_high, relief.hill_height_low) +
                     2 * terrain.gullies.depth + kMargin;
  const float top = *high + rise;
  const auto& climate = terrain.climate;
  const auto [cold, warm] = std::minmax(climate.temperature_low, climate.temperature_high);
  return {{static_cast<std::int32_t>(16 * (*low - relief.seabed_height - kMargin)),
           static_cast<std::int32_t>(16 * top)},
          {tenths(cold - climate.lapse_rate * std::max(top, 0.0f)), tenths(warm)},
          {0, 1000},
          kSlopes,
          kInlands};
}

void fill_terrain(const ContinentsTerrain& terrain, const GridContext& context,
                  TerrainOutput& out) {
  continents::dispatch(terrain, context, layer_ranges(terrain), out);
}

}  // namespace terrane::worldgen

#endif  // HWY_ONCE
