#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "terrane/chunk.h"
#include "terrane/coord.h"
#include "terrane/objects.h"
#include "worldgen/abandon.h"
#include "worldgen/world.h"

namespace terrane::rpc {

/// What the lod-0 chunk holds at each of the points, in order.
using PointSampler = std::function<std::vector<PointSample>(
    const worldgen::World& world, std::uint64_t seed, std::span<const BlockPos> points,
    const worldgen::Abandon& abandon)>;

/// The biome layer of one chunk.
using BiomeSampler = std::function<std::vector<std::uint8_t>(
    const worldgen::World& world, std::uint64_t seed, ChunkCoord coord, Lod lod,
    const worldgen::Abandon& abandon)>;

/// The structures whose anchors lie between two blocks, both included.
using StructureFinder = std::function<std::vector<Structure>(
    const worldgen::World& world, std::uint64_t seed, BlockPos first, BlockPos last,
    const worldgen::Abandon& abandon)>;

/// The rooms of the structure with this anchor, by index; none where there is no such structure.
using RoomFinder = std::function<std::vector<Room>(const worldgen::World& world, std::uint64_t seed,
                                                   BlockPos anchor)>;

/// What answers questions about terrain without making chunks of it. Those that are given an
/// Abandon throw worldgen::Abandoned where it says so. Threads: any that generates.
struct TerrainQueries {
  PointSampler sample;
  BiomeSampler biomes;
  StructureFinder structures;
  RoomFinder rooms;
};

}  // namespace terrane::rpc
