#include "worldgen/generate.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <numeric>
#include <utility>

#include "worldgen/decoration.h"
#include "worldgen/float_environment.h"
#include "worldgen/resource_isles/resources.h"
#include "worldgen/terrain.h"

namespace terrane::worldgen {

namespace {

/// What a grid's layers are made with besides themselves; filled before it is read, so it begins as
/// it is.
class Workspace {
 public:
  explicit Workspace(std::size_t count)
      : height_(std::make_unique_for_overwrite<std::int32_t[]>(count)),
        others_(std::make_unique_for_overwrite<std::int16_t[]>(4 * count)),
        fresh_(std::make_unique_for_overwrite<std::uint8_t[]>(count)) {
    const std::span<std::int16_t> all(others_.get(), 4 * count);
    site = {{height_.get(), count},        all.first(count),
            all.subspan(count, count),     all.subspan(2 * count, count),
            all.subspan(3 * count, count), {fresh_.get(), count}};
  }

  SiteLayers site;

 private:
  std::unique_ptr<std::int32_t[]> height_;
  std::unique_ptr<std::int16_t[]> others_;
  std::unique_ptr<std::uint8_t[]> fresh_;
};

/// Fills the terrain's layers and chooses the biomes; returns what chose them.
template <typename Terrain>
SiteLayers fill(const World& world, const Terrain& terrain, std::uint64_t seed,
                const noise::SampleGrid& grid, noise::SimdTarget target,
                const TerrainLayers& layers, std::span<std::uint8_t> biome,
                std::optional<Workspace>&) {
  fill_terrain(terrain, seed, grid, target, layers);
  world.biome_table.choose(layers.height_q4, layers.temperature_d, layers.humidity_d, biome);
  return {layers.height_q4, layers.temperature_d, layers.humidity_d, {}, {}, {}};
}

/// Chooses anew where fresh water is.
void choose_fresh_biomes(const World& world, const SiteLayers& site,
                         std::span<std::uint8_t> biome) {
  for (std::size_t i = 0; i < biome.size(); ++i) {
    if (site.fresh[i] == 0) continue;
    const BiomeTable& table = world.fresh_biomes[site.fresh[i] - std::size_t{1}];
    if (table.empty()) continue;
    table.choose(site.height_q4.subspan(i, 1), site.temperature_d.subspan(i, 1),
                 site.humidity_d.subspan(i, 1), site.slope_p.subspan(i, 1),
                 site.inland_p.subspan(i, 1), biome.subspan(i, 1));
  }
}

SiteLayers fill(const World& world, const ContinentsTerrain& terrain, std::uint64_t seed,
                const noise::SampleGrid& grid, noise::SimdTarget target,
                const TerrainLayers& layers, std::span<std::uint8_t> biome,
                std::optional<Workspace>& workspace) {
  const SiteLayers& site = workspace.emplace(biome.size()).site;
  const bool any_fresh = fill_terrain(terrain, seed, grid, target, layers, site);
  world.biome_table.choose(site.height_q4, site.temperature_d, site.humidity_d, site.slope_p,
                           site.inland_p, biome);
  if (any_fresh) choose_fresh_biomes(world, site, biome);
  return site;
}

/// Its tiles decide, not the table.
SiteLayers fill(const World&, const ResourceIslesTerrain& terrain, std::uint64_t seed,
                const noise::SampleGrid& grid, noise::SimdTarget target,
                const TerrainLayers& layers, std::span<std::uint8_t> biome,
                std::optional<Workspace>&) {
  fill_terrain(terrain, seed, grid, target, layers, biome);
  return {layers.height_q4, layers.temperature_d, layers.humidity_d, {}, {}, {}};
}

/// All layers of a grid; returns the structures that concern it, and those between two blocks, as
/// decorate does.
std::vector<Site> fill(const World& world, std::uint64_t seed, const noise::SampleGrid& grid,
                       noise::SimdTarget target, const TerrainLayers& layers,
                       std::span<std::uint8_t> biome, const DensityLayers& densities, BlockPos from,
                       BlockPos to) {
  assert(has_default_float_environment());
  std::optional<Workspace> workspace;
  const SiteLayers site = std::visit(
      [&](const auto& terrain) {
        return fill(world, terrain, seed, grid, target, layers, biome, workspace);
      },
      world.terrain);
  return decorate(world, seed, grid, target, layers, site, biome, densities, from, to);
}

/// So many points in one chunk take longer one by one than the chunk does.
constexpr std::size_t kPointsWorthAChunk = 4;

PointSample sample_alone(const World& world, std::uint64_t seed, BlockPos point,
                         noise::SimdTarget target) {
  PointSample sample;
  fill(world, seed, {point, 1, 1, 1}, target,
       {{&sample.height_q4, 1},
        {&sample.temperature_d, 1},
        {&sample.humidity_d, 1},
        {&sample.water_q4, 1}},
       {&sample.biome, 1}, {{&sample.forest_p, 1}, {&sample.rocks_p, 1}}, point,
       {point.x - 1, point.y - 1});
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

LayerRanges layer_ranges(const Terrain& terrain) {
  return std::visit([](const auto& t) { return layer_ranges(t); }, terrain);
}

Result<void> build_biome_tables(World& world) {
  world.ranges = layer_ranges(world.terrain);
  const auto build = [&](BiomeTable& table, FreshWater water) -> Result<void> {
    auto built = BiomeTable::build(world.biomes, world.ranges, water);
    if (!built) return tl::unexpected(built.error());
    table = std::move(*built);
    return {};
  };
  return build(world.biome_table, FreshWater::kNone)
      .and_then([&] { return build(world.fresh_biomes[0], FreshWater::kRiver); })
      .and_then([&] { return build(world.fresh_biomes[1], FreshWater::kLake); });
}

std::string_view stage_version(const Terrain& terrain) {
  struct Version {
    std::string_view operator()(const PerlinTerrain&) const { return "perlin 1"; }
    std::string_view operator()(const ClassicTerrain&) const { return "classic 1"; }
    std::string_view operator()(const ContinentsTerrain&) const { return "continents 2"; }
    std::string_view operator()(const SkylineTerrain&) const { return "skyline 1"; }
    std::string_view operator()(const FaultlinesTerrain&) const { return "faultlines 1"; }
    std::string_view operator()(const ResourceIslesTerrain&) const { return "resource_isles 1"; }
  };
  return std::visit(Version{}, terrain);
}

std::string stage_versions(const World& world) {
  std::string versions(stage_version(world.terrain));
  if (world.placements) versions += ", placements 1";
  if (world.structures) versions += ", structures 1";
  return versions;
}

std::optional<Chunk> generate(const World& world, std::uint64_t seed, ChunkCoord coord, Lod lod,
                              const std::stop_token& stop, noise::SimdTarget target) {
  if (stop.stop_requested()) return std::nullopt;
  const auto count =
      static_cast<std::size_t>(world.chunk_size) * static_cast<std::size_t>(world.chunk_size);
  Chunk chunk;
  chunk.coord = coord;
  chunk.lod = lod;
  chunk.size = world.chunk_size;
  chunk.height_q4.resize(count);
  chunk.temperature_d.resize(count);
  chunk.humidity_d.resize(count);
  chunk.biome.resize(count);
  if (world.placements) chunk.forest_p.resize(count), chunk.rocks_p.resize(count);
  const noise::SampleGrid grid{chunk_origin(coord, world.chunk_size, lod), std::int64_t{1} << lod,
                               world.chunk_size, world.chunk_size};
  if (world.layers & layer_bit(Layer::kWater)) chunk.water_q4.resize(count);
  // Which structures have their anchors in the chunk matters up to a level of detail.
  const std::int64_t span = lod <= kMaxStructureLod ? grid.stride * world.chunk_size : 0;
  const auto sites = fill(world, seed, grid, target,
                          {chunk.height_q4, chunk.temperature_d, chunk.humidity_d, chunk.water_q4},
                          chunk.biome, {chunk.forest_p, chunk.rocks_p}, grid.origin,
                          {grid.origin.x + span - 1, grid.origin.y + span - 1});
  fill_objects(world, seed, sites, chunk);
  if (const auto* isles = std::get_if<ResourceIslesTerrain>(&world.terrain);
      isles != nullptr && lod == 0) {
    chunk.placements = scatter_resources(*isles, seed, grid.origin, chunk.size, chunk.biome);
  }
  return chunk;
}

std::vector<PointSample> sample_points(const World& world, std::uint64_t seed,
                                       std::span<const BlockPos> points, noise::SimdTarget target) {
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
      sample_chunk(*generate(world, seed, coord, 0, {}, target), points, here, samples);
    } else {
      for (const std::size_t i : here) samples[i] = sample_alone(world, seed, points[i], target);
    }
    first = end;
  }
  return samples;
}

}  // namespace terrane::worldgen
