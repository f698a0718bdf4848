#include "local_land.h"

#include <string>

#include "worldgen/float_environment.h"
#include "worldgen/generate.h"

namespace terrane::core {
namespace {

worldgen::noise::SimdTarget fastest() {
  static const worldgen::noise::SimdTarget kFastest = worldgen::noise::supported_targets().back();
  return kFastest;
}

bool is_within(std::int64_t value, std::int64_t most) { return value >= -most && value <= most; }

template <typename List>
void leave_out(List& layer, LayerMask layers, Layer which) {
  if ((layers & layer_bit(which)) == 0) layer = {};
}

}  // namespace

Result<void> check_tile(const worldgen::World& world, const Tile& tile) {
  if (tile.lod > world.max_lod) {
    return fail(ErrorCode::kOutOfRange, "lod " + std::to_string(tile.lod) +
                                            ": the world's coarsest is " +
                                            std::to_string(world.max_lod));
  }
  const std::int64_t most = max_chunk_coord(tile.lod);
  if (is_within(tile.coord.x, most) && is_within(tile.coord.y, most)) return {};
  return fail(ErrorCode::kOutOfRange, "chunk (" + std::to_string(tile.coord.x) + ", " +
                                          std::to_string(tile.coord.y) + ") of lod " +
                                          std::to_string(tile.lod) + ": coordinates go up to " +
                                          std::to_string(most) + " either way");
}

Chunk make_chunk(const worldgen::World& world, std::uint64_t seed, const Tile& tile,
                 LayerMask layers) {
  const worldgen::DefaultFloatEnvironment environment;
  Chunk chunk = worldgen::generate(world, seed, tile.coord, tile.lod, fastest());
  leave_out(chunk.height_q4, layers, Layer::kHeight);
  leave_out(chunk.temperature_d, layers, Layer::kTemperature);
  leave_out(chunk.humidity_d, layers, Layer::kHumidity);
  leave_out(chunk.biome, layers, Layer::kBiome);
  leave_out(chunk.water_q4, layers, Layer::kWater);
  leave_out(chunk.forest_p, layers, Layer::kForest);
  leave_out(chunk.rocks_p, layers, Layer::kRocks);
  leave_out(chunk.placements, layers, Layer::kPlacements);
  leave_out(chunk.structures, layers, Layer::kStructures);
  leave_out(chunk.rooms, layers, Layer::kStructures);
  return chunk;
}

Result<std::vector<PointSample>> sample(const worldgen::World& world, std::uint64_t seed,
                                        std::span<const BlockPos> blocks) {
  const std::int64_t first = min_block_coord(world.chunk_size),
                     last = max_block_coord(world.chunk_size);
  for (const BlockPos& block : blocks) {
    if (block.x >= first && block.x <= last && block.y >= first && block.y <= last) continue;
    return fail(ErrorCode::kOutOfRange, "block (" + std::to_string(block.x) + ", " +
                                            std::to_string(block.y) +
                                            "): the world's blocks reach from " +
                                            std::to_string(first) + " to " + std::to_string(last));
  }
  const worldgen::DefaultFloatEnvironment environment;
  return worldgen::sample_points(world, seed, blocks, fastest());
}

}  // namespace terrane::core
