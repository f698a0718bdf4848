#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "terrane/chunk.h"
#include "terrane/result.h"
#include "worldgen/world.h"

/// Land made in this process: the same samples as every server's. Pure functions; threads: any; the
/// floating-point mode is set for the time of a call, whatever the game's.
namespace terrane::core {

/// Errors: kOutOfRange for a tile that the world does not have.
[[nodiscard]] Result<void> check_tile(const worldgen::World& world, const Tile& tile);

/// @param tile    as check_tile() wants it
/// @param layers  others are left out
[[nodiscard]] Chunk make_chunk(const worldgen::World& world, std::uint64_t seed, const Tile& tile,
                               LayerMask layers);

/// Errors: kOutOfRange for a block that the world does not have.
[[nodiscard]] Result<std::vector<PointSample>> sample(const worldgen::World& world,
                                                      std::uint64_t seed,
                                                      std::span<const BlockPos> blocks);

}  // namespace terrane::core
