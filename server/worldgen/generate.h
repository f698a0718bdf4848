#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "terrane/chunk.h"
#include "terrane/coord.h"
#include "worldgen/abandon.h"
#include "worldgen/noise/simd_target.h"
#include "worldgen/world.h"

namespace terrane::worldgen {

/// Generates one whole chunk: a pure function of (world, seed, coord, lod), the same bits on every
/// instruction set.
/// @param coord   at most max_chunk_coord(lod) in size
/// @param lod     at most world.max_lod
/// @param target  instruction set to compute with; supported by this CPU
/// @param abandon  asked between stages whether to go on
/// @return every layer of the world
/// Throws Abandoned when `abandon` says so. Threads: any. Blocks: no; takes some tens of
/// microseconds, and milliseconds for the coarsest levels.
[[nodiscard]] Chunk generate(const World& world, std::uint64_t seed, ChunkCoord coord, Lod lod,
                             noise::SimdTarget target, const Abandon& abandon = {});

/// The layers of a grid of samples: row after row, one value each; empty where the world has no
/// such layer. Units as in Chunk.
struct GridLayers {
  std::vector<std::int32_t> height_q4, water_q4;
  std::vector<std::int16_t> temperature_d, humidity_d;
  std::vector<std::uint8_t> biome, forest_p, rocks_p;
};

inline constexpr int kMaxGridChunks = 8;  // along one edge of a grid

/// What chunks hold at the samples of a grid, which may span many of them: n x n chunks at once.
/// @param grid  its stride is 2^lod for a lod of the world; its origin is a multiple of that; its
///   width is a multiple of noise::kRowAlignment, or its height is 1; neither is more than
///   noise::kMaxGridSize samples or kMaxGridChunks chunks
/// Threads: any. Blocks: no.
[[nodiscard]] GridLayers sample_grid(const World& world, std::uint64_t seed,
                                     const noise::SampleGrid& grid, noise::SimdTarget target);

/// What the lod-0 chunk holds at each point: one sample a point, in order.
/// @param points  blocks between min_block_coord and max_block_coord of the world's chunk size
/// Throws Abandoned when `abandon` says so. Threads: any. Blocks: no.
[[nodiscard]] std::vector<PointSample> sample_points(const World& world, std::uint64_t seed,
                                                     std::span<const BlockPos> points,
                                                     noise::SimdTarget target,
                                                     const Abandon& abandon = {});

}  // namespace terrane::worldgen
