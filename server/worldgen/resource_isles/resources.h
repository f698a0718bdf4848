#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "terrane/coord.h"
#include "terrane/objects.h"
#include "worldgen/resource_isles/parameters.h"

namespace terrane::worldgen {

/// What is found on a square of tiles: at most one thing each, by y, then x. Pure function.
/// Threads: any. Blocks: no.
/// @param origin  the tile of smallest x and y
/// @param tiles   kinds of tile, rows of `size` each, as fill_terrain gives them
[[nodiscard]] std::vector<Placement> scatter_resources(const ResourceIslesTerrain& terrain,
                                                       std::uint64_t seed, BlockPos origin,
                                                       int size,
                                                       std::span<const std::uint8_t> tiles);

}  // namespace terrane::worldgen
