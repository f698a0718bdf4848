#pragma once

#include <cstdint>
#include <vector>

#include "terrane/coord.h"
#include "worldgen/plain_climate.h"
#include "worldgen/terrains/terrain.h"

namespace terrane::worldgen {

/// The `faultlines` terrain. Lengths in blocks.
struct FaultlinesTerrain {
  static constexpr TerrainTraits kTraits{.name = "faultlines", .version = 1};

  std::int64_t region = 1024;  // edge: a power of two, 256 ... 4,096
  int lines = 64;              // 1 ... 1,024 to a region
  std::int64_t reach = 768;    // 16 ... region
  float scarp = 24;            // at least 1
  float baseline_q4 = 0, amplitude_q4 = 2048;
  float contrast = 0.7f;
  PlainClimate climate;
};

/// A line through `centre`, along (-normal_y, normal_x); its upper side is where the normal points.
/// The normal's length is 1, give or take 1e-5.
struct Faultline {
  BlockPos centre;
  float normal_x = 0, normal_y = 0;
};

/// All lines that are felt somewhere between two blocks, both included, by region (y, then x), then
/// index: the order in which what they do is summed.
[[nodiscard]] std::vector<Faultline> faultlines_within(const FaultlinesTerrain& terrain,
                                                       std::uint64_t seed, BlockPos from,
                                                       BlockPos to);

void fields(FieldArchive& archive, FaultlinesTerrain& terrain);
[[nodiscard]] std::int64_t widest_tile(const FaultlinesTerrain& terrain);
[[nodiscard]] LayerMask layers(const FaultlinesTerrain& terrain);
[[nodiscard]] LayerRanges layer_ranges(const FaultlinesTerrain& terrain);
void fill_terrain(const FaultlinesTerrain& terrain, const GridContext& context, TerrainOutput& out);

}  // namespace terrane::worldgen
