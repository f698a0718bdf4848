#include "region.h"

#include <algorithm>

namespace terrane::client {
namespace {

constexpr int kBlocksOfChunk = 6;  // as a power of 2

WorldRef world_of(const v1::WorldRef& world) {
  return {.name = world.name(), .seed = world.seed(), .realm = world.realm()};
}

BlockPos block_of(const v1::BlockPos& block) { return {block.x(), block.y()}; }

/// Far-out coordinates wrap around, which the server refuses; levels above 16, too.
std::string region_of_chunk(const v1::WorldRef& world, const v1::ChunkCoord& coord,
                            std::uint32_t lod) {
  const auto block = [lod](std::int64_t chunk) {
    constexpr std::uint32_t kMostLod = 32;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(chunk)
                                     << (kBlocksOfChunk + std::min(lod, kMostLod)));
  };
  return region_at(world_of(world), {block(coord.x()), block(coord.y())});
}

}  // namespace

std::string region_of(const v1::GetChunkRequest& request) {
  return region_of_chunk(request.world(), request.coord(), request.lod());
}

std::string region_of(const v1::GetChunksRequest& request) {
  return region_of_chunk(request.world(), request.focus(), request.lod());
}

std::string region_of(const v1::SamplePointsRequest& request) {
  if (request.points().empty()) return {};
  return region_at(world_of(request.world()), block_of(request.points(0)));
}

std::string region_of(const v1::LocateRequest& request) {
  return region_at(world_of(request.world()), block_of(request.origin()));
}

std::string region_of(const v1::GetStructureRequest& request) {
  return region_at(world_of(request.world()), block_of(request.anchor()));
}

}  // namespace terrane::client
