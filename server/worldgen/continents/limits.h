#pragma once

#include "worldgen/biome_table.h"

namespace terrane::worldgen::continents {

/// Blocks between the nodes of the lattice for what changes over hundreds of blocks, and for what
/// changes over tens.
inline constexpr std::int64_t kCoarseSpacing = 64;
inline constexpr std::int64_t kMiddleSpacing = 4;

/// What the layers and the sites can be; interpolation and noise may go a little beyond what
/// parameters say, and are cut off there.
struct Limit {
  std::int32_t min = 0, max = 0;
};

struct Limits {
  Limit height, temperature, humidity, slope, inland;
};

}  // namespace terrane::worldgen::continents
