#pragma once

#include <map>
#include <vector>

#include "worldgen/generate.h"
#include "worldgen/structure_queries.h"
#include "worlds/world_catalog.h"

/// What the tests of placements and structures share.
namespace terrane::worldgen {

inline constexpr std::uint64_t kSeed = 42;

inline const World& default_world() {
  static const worlds::WorldCatalog kCatalog = worlds::builtin_worlds().value();
  return *kCatalog.at("continents");
}

inline noise::SimdTarget fastest() { return noise::supported_targets().back(); }

inline Chunk make(const World& world, ChunkCoord coord, Lod lod = 0, std::uint64_t seed = kSeed) {
  return generate(world, seed, coord, lod, fastest());
}

/// Structures around a block, `regions` regions in each direction.
inline std::vector<Structure> structures_around(const World& world, BlockPos centre,
                                                std::int64_t regions = 12,
                                                std::uint64_t seed = kSeed) {
  const std::int64_t reach = regions * world.structures->region;
  return structures_within(world, seed, {centre.x - reach, centre.y - reach},
                           {centre.x + reach - 1, centre.y + reach - 1}, fastest());
}

/// Chunks of lod 0, each generated once.
class Chunks {
 public:
  explicit Chunks(const World& world, std::uint64_t seed = kSeed) : world_(world), seed_(seed) {}

  const Chunk& at(BlockPos block) {
    const ChunkCoord coord = chunk_of(block, world_.chunk_size, 0);
    const auto found = chunks_.find(coord);
    return found != chunks_.end()
               ? found->second
               : chunks_.emplace(coord, make(world_, coord, 0, seed_)).first->second;
  }

  std::size_t index(BlockPos block) const {
    const BlockPos origin =
        chunk_origin(chunk_of(block, world_.chunk_size, 0), world_.chunk_size, 0);
    return static_cast<std::size_t>((block.y - origin.y) * world_.chunk_size +
                                    (block.x - origin.x));
  }

  std::int32_t height_q4(BlockPos block) { return at(block).height_q4[index(block)]; }
  std::int32_t water_q4(BlockPos block) {
    return at(block).water_q4.empty() ? kNoWater : at(block).water_q4[index(block)];
  }

 private:
  const World& world_;
  std::uint64_t seed_;
  std::map<ChunkCoord, Chunk> chunks_;
};

/// A room's form, turned; and what it stands on.
inline int width_of(const Room& room, const World& world) {
  const Piece& piece = world.structure_kinds[room.kind].pieces[room.piece];
  return room.turn % 2 == 0 ? piece.width : piece.depth;
}
inline int depth_of(const Room& room, const World& world) {
  const Piece& piece = world.structure_kinds[room.kind].pieces[room.piece];
  return room.turn % 2 == 0 ? piece.depth : piece.width;
}

}  // namespace terrane::worldgen
