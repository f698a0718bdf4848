#include "worldgen/generate.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "terrane/result_macros.h"
#include "worldgen/decoration.h"
#include "worldgen/float_environment.h"
#include "worldgen/ground.h"

namespace terrane::worldgen {

namespace {

/// Chooses the biomes of a grid from what its terrain says of each sample.
void choose_biomes(const World& world, const SiteLayers& site, std::span<std::uint8_t> biome) {
  world.biome_table.choose(site, biome);
  for (std::size_t i = 0; i < site.fresh.size(); ++i) {
    if (site.fresh[i] == 0) continue;
    const BiomeTable& table = world.fresh_biomes[site.fresh[i] - std::size_t{1}];
    if (!table.empty()) table.choose(site.sample(i), biome.subspan(i, 1));
  }
}

/// Where the layers of a grid go. `Layers` has the vectors of a Chunk.
template <typename Layers>
struct LayerSpans {
  TerrainOutput terrain;
  DensityLayers densities;

  /// Makes room in the layers that the world has.
  LayerSpans(const World& world, std::size_t count, Layers& layers) {
    layers.height_q4.resize(count);
    layers.temperature_d.resize(count);
    layers.humidity_d.resize(count);
    layers.biome.resize(count);
    if (world.layers & layer_bit(Layer::kWater)) layers.water_q4.resize(count);
    if (world.placements) {
      layers.forest_p.resize(count);
      layers.rocks_p.resize(count);
    }
    terrain = terrain_output(layers.height_q4, layers.temperature_d, layers.humidity_d,
                             layers.water_q4, layers.biome);
    densities = {layers.forest_p, layers.rocks_p};
  }
};

/// All layers of a grid.
/// @return the structures that concern it, and those whose anchors are wanted, as decorate gives
///   them
std::vector<Site> fill_layers(const World& world, const GridContext& context, TerrainOutput& out,
                              const DensityLayers& densities, const BlockArea& wanted) {
  assert(has_default_float_environment());
  fill_ground(world, context, out);
  context.stop_if_abandoned();
  if (!out.biome_is_chosen) choose_biomes(world, out.site, out.biome);
  world.stamps.paint(context, out.biome);
  context.stop_if_abandoned();
  return decorate(world, context, out, densities, wanted);
}

/// So many points in one chunk take longer one by one than the chunk does.
constexpr std::size_t kPointsWorthAChunk = 4;

PointSample sample_alone(const World& world, std::uint64_t seed, BlockPos point,
                         noise::SimdTarget target, const Abandon& abandon) {
  PointSample sample;
  TerrainOutput out =
      terrain_output({&sample.height_q4, 1}, {&sample.temperature_d, 1}, {&sample.humidity_d, 1},
                     {&sample.water_q4, 1}, {&sample.biome, 1});
  Scratch scratch;
  fill_layers(world, {{point, 1, 1, 1}, seed, target, &scratch, abandon}, out,
              {{&sample.forest_p, 1}, {&sample.rocks_p, 1}}, BlockArea::none());
  return sample;
}

/// The samples of the points `which`, all of them in one chunk.
void sample_chunk(const Chunk& chunk, std::span<const BlockPos> points,
                  std::span<const std::size_t> which, std::span<PointSample> samples) {
  const BlockPos origin = chunk_origin(chunk.coord, chunk.size, 0);
  for (const std::size_t i : which) {
    const auto at =
        static_cast<std::size_t>((points[i].y - origin.y) * chunk.size + (points[i].x - origin.x));
    PointSample& sample = samples[i];
    sample.height_q4 = chunk.height_q4[at];
    sample.temperature_d = chunk.temperature_d[at];
    sample.humidity_d = chunk.humidity_d[at];
    sample.biome = chunk.biome[at];
    if (!chunk.water_q4.empty()) sample.water_q4 = chunk.water_q4[at];
    if (!chunk.forest_p.empty()) sample.forest_p = chunk.forest_p[at];
    if (!chunk.rocks_p.empty()) sample.rocks_p = chunk.rocks_p[at];
  }
}

}  // namespace

Result<void> build_biome_tables(World& world) {
  const LayerRanges of_terrain = layer_ranges(world.terrain);
  world.ranges = of_terrain;
  if (!world.stamps.all().empty()) world.ranges.height_q4 = world.stamps.heights();
  // A stamp somewhere changes no biome elsewhere, whatever heights it adds.
  const auto table_for = [&](FreshWater water) {
    return BiomeTable::build(world.biomes, world.ranges, of_terrain, water);
  };
  TERRANE_ASSIGN_OR_RETURN(world.biome_table, table_for(FreshWater::kNone));
  TERRANE_ASSIGN_OR_RETURN(world.fresh_biomes[0], table_for(FreshWater::kRiver));
  TERRANE_ASSIGN_OR_RETURN(world.fresh_biomes[1], table_for(FreshWater::kLake));
  TERRANE_ASSIGN_OR_RETURN(world.fresh_biomes[3], table_for(FreshWater::kRoad));
  return {};
}

std::string stage_versions(const World& world) {
  std::string versions = stage_version(world.terrain);
  const auto add = [&](std::string_view stage, int version) {
    versions += ", " + std::string(stage) + " " + std::to_string(version);
  };
  if (world.placements) add("placements", kPlacementsVersion);
  if (world.structures) add("structures", kStructuresVersion);
  if (!world.stamps.all().empty()) add("stamps", kStampsVersion);
  return versions;
}

Chunk generate(const World& world, std::uint64_t seed, ChunkCoord coord, Lod lod,
               noise::SimdTarget target, const Abandon& abandon) {
  const noise::SampleGrid grid{chunk_origin(coord, world.chunk_size, lod), std::int64_t{1} << lod,
                               world.chunk_size, world.chunk_size};
  Scratch scratch;
  const GridContext context{grid, seed, target, &scratch, abandon};
  Chunk chunk;
  chunk.coord = coord;
  chunk.lod = lod;
  chunk.size = world.chunk_size;
  LayerSpans<Chunk> spans(world, context.samples(), chunk);
  if (lod == 0) spans.terrain.placements = &chunk.placements;
  // Which structures have their anchors in the chunk matters up to a level of detail.
  const std::int64_t span = grid.stride * world.chunk_size;
  const BlockArea wanted =
      lod <= kMaxStructureLod
          ? BlockArea{grid.origin, {grid.origin.x + span - 1, grid.origin.y + span - 1}}
          : BlockArea::none();
  const auto sites = fill_layers(world, context, spans.terrain, spans.densities, wanted);
  context.stop_if_abandoned();
  fill_objects(world, seed, sites, chunk);
  return chunk;
}

GridLayers sample_grid(const World& world, std::uint64_t seed, const noise::SampleGrid& grid,
                       noise::SimdTarget target) {
  assert(grid.width <= noise::kMaxGridSize && grid.height <= noise::kMaxGridSize);
  assert(grid.width % noise::kRowAlignment == 0 || grid.height == 1);
  Scratch scratch;
  const GridContext context{grid, seed, target, &scratch};
  GridLayers layers;
  LayerSpans<GridLayers> spans(world, context.samples(), layers);
  fill_layers(world, context, spans.terrain, spans.densities, BlockArea::none());
  return layers;
}

std::vector<PointSample> sample_points(const World& world, std::uint64_t seed,
                                       std::span<const BlockPos> points, noise::SimdTarget target,
                                       const Abandon& abandon) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto chunk_at = [&](std::size_t i) { return chunk_of(points[i], world.chunk_size, 0); };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(chunk_at(a), a) < std::pair(chunk_at(b), b);
  });
  std::vector<PointSample> samples(points.size());
  for (std::size_t first = 0; first < order.size();) {
    const ChunkCoord coord = chunk_at(order[first]);
    std::size_t end = first;
    while (end < order.size() && chunk_at(order[end]) == coord) ++end;
    const std::span<const std::size_t> here(order.data() + first, end - first);
    if (here.size() >= kPointsWorthAChunk) {
      sample_chunk(generate(world, seed, coord, 0, target, abandon), points, here, samples);
    } else {
      for (const std::size_t i : here)
        samples[i] = sample_alone(world, seed, points[i], target, abandon);
    }
    first = end;
  }
  return samples;
}

}  // namespace terrane::worldgen
