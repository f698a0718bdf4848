#include "worldgen/terrains/resource_isles/resource_isles.h"

#include <algorithm>
#include <array>
#include <vector>

#include "worldgen/shared_fields.h"
#include "worldgen/terrains/resource_isles/island.h"
#include "worldgen/terrains/resource_isles/resources.h"

namespace terrane::worldgen {

namespace {

/// The noises of one tile, in kTileOne.
struct TileNoise {
  std::int32_t height, forest, rocks;
};

Tile land_tile(const ResourceIslesTerrain& t, const TileNoise& noise) {
  if (noise.height >= t.mountain_from)
    return noise.rocks < t.rocks_below_on_mountain ? Tile::kRocks : Tile::kMountain;
  if (noise.forest < t.forest_below) return Tile::kForest;
  return noise.rocks < t.rocks_below ? Tile::kRocks : Tile::kGrassland;
}

std::int32_t height_of(const ResourceIslesTerrain& t, std::int32_t height, std::int32_t paraboloid,
                       bool land) {
  const std::int32_t lowered = paraboloid > height ? height - paraboloid : height;
  const std::int32_t above = std::max(lowered - t.water_below, -kTileOne);
  const std::int32_t height_q4 = (above * t.amplitude_q4 + kTileOne / 2) >> 14;
  return land ? std::max(height_q4, 1) : std::min(height_q4, 0);
}

/// The highest that the sea's floor may be: as deep as it gets at the cell's border, where p is 1
/// at least, so that cells meet there.
std::int32_t sea_floor_of(const ResourceIslesTerrain& t, std::int32_t paraboloid) {
  constexpr std::int32_t kFrom = kTileOne * 3 / 5;
  const std::int32_t share = std::clamp((paraboloid - kFrom) * 5 / 2, 0, kTileOne);
  return -((share * t.amplitude_q4 + kTileOne / 2) >> 14);
}

/// The three noises over a grid.
struct TileNoises {
  const float *height, *forest, *rocks;

  TileNoises(const ResourceIslesTerrain& terrain, const GridContext& context)
      : height(context.noise(terrain.height, kLandStream)),
        forest(context.noise(terrain.forest, "resource_isles.forest")),
        rocks(context.noise(terrain.rocks, "resource_isles.rocks")) {}

  [[nodiscard]] TileNoise at(std::size_t i) const {
    return {to_tile_noise(height[i]), to_tile_noise(forest[i]), to_tile_noise(rocks[i])};
  }
};

/// Samples of one row that lie in one cell: [first, end) of the grid.
struct Run {
  std::int64_t x = 0, y = 0;  // of the first, in tiles from the cell's corner
  std::size_t first = 0, end = 0;
};

void fill_run(const ResourceIslesTerrain& t, const Island& island, const TileNoises& noises,
              const Run& run, std::int64_t stride, const TerrainOutput& out) {
  std::int64_t x = run.x;
  for (std::size_t i = run.first; i < run.end; ++i, x += stride) {
    const TileNoise noise = noises.at(i);
    const std::int32_t p =
        island.shape.paraboloid(static_cast<float>(x), static_cast<float>(run.y));
    const bool land = island.land ? island.land->at(static_cast<int>(x), static_cast<int>(run.y))
                                  : noise.height > t.water_below && p <= noise.height;
    const Tile sea = p > kTileOne || p - noise.height > t.shallows ? Tile::kOcean : Tile::kWater;
    out.biome[i] = static_cast<std::uint8_t>(land ? land_tile(t, noise) : sea);
    const std::int32_t height_q4 = height_of(t, noise.height, p, land);
    out.height_q4[i] = land ? height_q4 : std::min(height_q4, sea_floor_of(t, p));
  }
}

void fill_tiles(const ResourceIslesTerrain& t, const GridContext& context,
                const TerrainOutput& out) {
  const noise::SampleGrid& grid = context.grid;
  const Scratch::Scope scope(*context.scratch);
  const TileNoises noises(t, context);
  const IslandCells cells(t, context.seed, context.target);
  // of the row of cells, in the order in which each row of samples comes to them
  std::vector<Island> islands;
  std::int64_t row = 0, shift = 0;
  for (int j = 0; j < grid.height; ++j) {
    context.stop_if_abandoned();
    const std::int64_t y = grid.origin.y + j * grid.stride;
    if (const std::int64_t here = cells.row_of(y); j == 0 || here != row) {
      row = here;
      shift = cells.shift_of(row);
      islands.clear();
    }
    std::size_t next = 0;
    for (std::int64_t i = 0; i < grid.width;) {
      const std::int64_t x = grid.origin.x + i * grid.stride, column = floor_div(x + shift, t.cell);
      if (next == islands.size()) islands.push_back(cells.island(row, column));
      const Island& island = islands[next++];
      const std::int64_t left = t.cell - (x - island.corner.x),
                         end = std::min<std::int64_t>(grid.width,
                                                      i + (left + grid.stride - 1) / grid.stride);
      const auto at = static_cast<std::size_t>(j * grid.width);
      fill_run(t, island, noises,
               {x - island.corner.x, y - island.corner.y, at + static_cast<std::size_t>(i),
                at + static_cast<std::size_t>(end)},
               grid.stride, out);
      i = end;
    }
  }
}

}  // namespace

void fields(FieldArchive& archive, ResourceIslesTerrain& t) {
  constexpr std::uint64_t kAlways = std::uint64_t{1} << 32;
  constexpr std::size_t kMaxResources = 64;
  archive.number("cell", t.cell, 32, kMaxIslandCell);
  archive.number("smallest_extent", t.smallest_extent, 3, t.cell / 2 - 2);
  archive.number("largest_extent", t.largest_extent, t.smallest_extent, t.cell / 2 - 2);
  archive.group("height", t.height);
  archive.group("forest", t.forest);
  archive.group("rocks", t.rocks);
  archive.number("water_below", t.water_below, 0, kTileOne);
  archive.number("mountain_from", t.mountain_from, 0, kTileOne);
  archive.number("forest_below", t.forest_below, 0, kTileOne);
  archive.number("rocks_below", t.rocks_below, 0, kTileOne);
  archive.number("rocks_below_on_mountain", t.rocks_below_on_mountain, 0, kTileOne + 1);
  archive.number("shallows", t.shallows, 0, kTileOne);
  archive.number("amplitude", t.amplitude_q4, 2, 16 * 1000);
  archive.flag("tidy", t.tidy);
  archive.number("land_min", t.land_min, 0, kMaxIslandCell * kMaxIslandCell);
  archive.number("land_max", t.land_max, 0, kMaxIslandCell * kMaxIslandCell);
  archive.require(!t.tidy || can_be_tidy(t), "land_min", "leaves no room for some islands");
  archive.group("climate", t.climate);
  std::array<std::uint64_t, kTileKinds> sums{};
  archive.list("resources", t.resources, 0, kMaxResources, [&](auto& chances) {
    for (std::size_t tile = 0; tile < kTileKinds; ++tile) {
      archive.number("chance", chances[tile], 0, kAlways);
      sums[tile] += chances[tile];
      // each may have been rounded up
      archive.require(sums[tile] <= kAlways + kMaxResources, "chance", "adds up to more than 1");
    }
  });
}

std::int64_t widest_tile(const ResourceIslesTerrain& t) { return t.tidy ? 2 * t.cell : kAnyTile; }

LayerMask layers(const ResourceIslesTerrain& terrain) {
  return kCoreLayers | (terrain.resources.empty() ? 0 : layer_bit(Layer::kPlacements));
}

LayerRanges layer_ranges(const ResourceIslesTerrain& t) {
  return layer_ranges(t.climate,
                      {height_of(t, 0, 4 * kTileOne, false), height_of(t, kTileOne, 0, true)});
}

void fill_terrain(const ResourceIslesTerrain& terrain, const GridContext& context,
                  TerrainOutput& out) {
  fill_tiles(terrain, context, out);
  out.biome_is_chosen = true;
  fill_climate(terrain.climate, context, out.height_q4, out.temperature_d, out.humidity_d);
  if (out.placements != nullptr)
    *out.placements = scatter_resources(terrain, context.seed, context.grid, out.biome);
}

}  // namespace terrane::worldgen
