#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "terrane/coord.h"
#include "terrane/objects.h"
#include "worldgen/terrains/resource_isles/resource_isles.h"

namespace terrane::worldgen {

/// What is found on the tiles of a grid: at most one thing each, by y, then x. Pure function.
/// Threads: any. Blocks: no.
/// @param grid   of whole tiles: its stride is 1
/// @param tiles  kinds of tile, row after row, as fill_terrain chooses them
[[nodiscard]] std::vector<Placement> scatter_resources(const ResourceIslesTerrain& terrain,
                                                       std::uint64_t seed,
                                                       const noise::SampleGrid& grid,
                                                       std::span<const std::uint8_t> tiles);

}  // namespace terrane::worldgen
