#include "worldgen/generate.h"

#include <cassert>

#include "worldgen/float_environment.h"
#include "worldgen/terrain.h"

namespace terrane::worldgen {

namespace {

/// Terrains whose biomes depend on the layers alone.
template <typename Terrain>
void fill(const World& world, const Terrain& terrain, std::uint64_t seed, const noise::SampleGrid& grid, noise::SimdTarget target,
          const TerrainLayers& layers, std::span<std::uint8_t> biome) {
  fill_terrain(terrain, seed, grid, target, layers);
  for (std::size_t i = 0; i < biome.size(); ++i) {
    biome[i] = world.biome_table.at(layers.height_q4[i], layers.temperature_d[i], layers.humidity_d[i]);
  }
}

void fill(const World& world, const ContinentsTerrain& terrain, std::uint64_t seed, const noise::SampleGrid& grid,
          noise::SimdTarget target, const TerrainLayers& layers, std::span<std::uint8_t> biome) {
  const std::size_t count = biome.size();
  std::vector<std::int32_t> height(count);
  std::vector<std::int16_t> memory(4 * count);
  const std::span<std::int16_t> all(memory);
  const SiteLayers site{height, all.subspan(0, count), all.subspan(count, count), all.subspan(2 * count, count),
                        all.subspan(3 * count, count)};
  fill_terrain(terrain, seed, grid, target, layers, site);
  for (std::size_t i = 0; i < count; ++i) {
    biome[i] = world.biome_table.at(site.height_q4[i], site.temperature_d[i], site.humidity_d[i], site.slope_p[i],
                                    site.inland_p[i]);
  }
}

void fill(const World& world, std::uint64_t seed, const noise::SampleGrid& grid, noise::SimdTarget target,
          const TerrainLayers& layers, std::span<std::uint8_t> biome) {
  assert(has_default_float_environment());
  std::visit([&](const auto& terrain) { fill(world, terrain, seed, grid, target, layers, biome); }, world.terrain);
}

}  // namespace

LayerRanges layer_ranges(const Terrain& terrain) {
  return std::visit([](const auto& t) { return layer_ranges(t); }, terrain);
}

std::string_view stage_version(const Terrain& terrain) {
  struct Version {
    std::string_view operator()(const PerlinTerrain&) const { return "perlin 1"; }
    std::string_view operator()(const ClassicTerrain&) const { return "classic 1"; }
    std::string_view operator()(const ContinentsTerrain&) const { return "continents 1"; }
  };
  return std::visit(Version{}, terrain);
}

std::optional<Chunk> generate(const World& world, std::uint64_t seed, ChunkCoord coord, Lod lod, const std::stop_token& stop,
                              noise::SimdTarget target) {
  if (stop.stop_requested()) return std::nullopt;
  const auto count = static_cast<std::size_t>(world.chunk_size) * static_cast<std::size_t>(world.chunk_size);
  Chunk chunk{coord, lod, world.chunk_size, {}, {}, {}, {}};
  chunk.height_q4.resize(count);
  chunk.temperature_d.resize(count);
  chunk.humidity_d.resize(count);
  chunk.biome.resize(count);
  const noise::SampleGrid grid{chunk_origin(coord, world.chunk_size, lod), std::int64_t{1} << lod, world.chunk_size,
                               world.chunk_size};
  fill(world, seed, grid, target, {chunk.height_q4, chunk.temperature_d, chunk.humidity_d}, chunk.biome);
  return chunk;
}

std::vector<PointSample> sample_points(const World& world, std::uint64_t seed, std::span<const BlockPos> points,
                                       noise::SimdTarget target) {
  std::vector<PointSample> samples;
  samples.reserve(points.size());
  for (const BlockPos point : points) {
    PointSample sample;
    fill(world, seed, {point, 1, 1, 1}, target, {{&sample.height_q4, 1}, {&sample.temperature_d, 1}, {&sample.humidity_d, 1}},
         {&sample.biome, 1});
    samples.push_back(sample);
  }
  return samples;
}

}  // namespace terrane::worldgen
