#pragma once

#include <cstdint>

#include "terrane/chunk.h"
#include "worldgen/placement/parameters.h"

namespace terrane::worldgen {

/// What stands in a chunk of lod 0 whose layers, densities included, are filled: chunk.placements.
/// Which blocks come into question is decided by hashes alone, beyond the chunk's edge too; what
/// stands there, by the chunk's densities, biome and ground. So chunks agree, and none asks for its
/// neighbours' land. Threads: any. Blocks: no.
void fill_placements(const PlacementRules& rules, std::uint64_t seed, Chunk& chunk);

}  // namespace terrane::worldgen
