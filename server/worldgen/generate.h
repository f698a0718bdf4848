#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "terrane/chunk.h"
#include "terrane/coord.h"
#include "worldgen/noise/simd_target.h"
#include "worldgen/world.h"

namespace terrane::worldgen {

/// Generates one whole chunk: a pure function of (world, seed, coord, lod), the same bits on every
/// instruction set.
/// @param coord   at most max_chunk_coord(lod) in size
/// @param lod     at most world.max_lod
/// @param stop    polled before work starts (a chunk takes some tens of microseconds)
/// @param target  instruction set to compute with; supported by this CPU
/// @return every layer of the world; empty only when told to stop
/// Threads: any. Blocks: no.
[[nodiscard]] std::optional<Chunk> generate(const World& world, std::uint64_t seed,
                                            ChunkCoord coord, Lod lod, const std::stop_token& stop,
                                            noise::SimdTarget target);

/// What the lod-0 chunk holds at each point: one sample a point, in order.
/// @param points  blocks between min_block_coord and max_block_coord of the world's chunk size
/// Threads: any. Blocks: no.
[[nodiscard]] std::vector<PointSample> sample_points(const World& world, std::uint64_t seed,
                                                     std::span<const BlockPos> points,
                                                     noise::SimdTarget target);

}  // namespace terrane::worldgen
