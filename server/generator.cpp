#include "generator.h"

#include <cstdint>
#include <span>

#include "worldgen/generate.h"
#include "worldgen/structure_queries.h"

namespace terrane {

rpc::TerrainQueries terrain_queries(worldgen::noise::SimdTarget target) {
  using worldgen::Abandon, worldgen::World;
  return {.sample =
              [target](const World& world, std::uint64_t seed, std::span<const BlockPos> points,
                       const Abandon& abandon) {
                return worldgen::sample_points(world, seed, points, target, abandon);
              },
          .biomes =
              [target](const World& world, std::uint64_t seed, ChunkCoord coord, Lod lod,
                       const Abandon& abandon) {
                return worldgen::generate(world, seed, coord, lod, target, abandon).biome;
              },
          .structures =
              [target](const World& world, std::uint64_t seed, BlockPos from, BlockPos to,
                       const Abandon& abandon) {
                return worldgen::structures_within(world, seed, from, to, target, abandon);
              },
          .rooms =
              [target](const World& world, std::uint64_t seed, BlockPos anchor) {
                return worldgen::rooms_of(world, seed, anchor, target);
              }};
}

namespace {

std::optional<Chunk> generate_unless(const std::stop_token& stop,
                                     const pipeline::ChunkRequest& request,
                                     worldgen::noise::SimdTarget target) {
  const auto is_stopped = [](const void* token) {
    return static_cast<const std::stop_token*>(token)->stop_requested();
  };
  try {
    return worldgen::generate(*request.world, request.seed, request.coord, request.lod, target,
                              {is_stopped, &stop});
  } catch (const worldgen::Abandoned&) {
    return std::nullopt;
  }
}

}  // namespace

std::function<std::optional<Chunk>(const pipeline::ChunkRequest&, const std::stop_token&)>
generate_for(worldgen::noise::SimdTarget target) {
  return [target](const pipeline::ChunkRequest& request, const std::stop_token& stop) {
    return generate_unless(stop, request, target);
  };
}

}  // namespace terrane
