#include <algorithm>
#include <memory>
#include <vector>

#include "worldgen/noise/field.h"
#include "worldgen/noise/hash.h"
#include "worldgen/resource_isles/island.h"
#include "worldgen/terrain.h"

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
  noise::Field height, forest, rocks;

  TileNoises(const ResourceIslesTerrain& terrain, std::uint64_t seed, const noise::SampleGrid& grid,
             noise::SimdTarget target) {
    height.fill(terrain.height, land_noise_key(seed), grid, target);
    forest.fill(terrain.forest, noise::stream_key(seed, "resource_isles.forest"), grid, target);
    rocks.fill(terrain.rocks, noise::stream_key(seed, "resource_isles.rocks"), grid, target);
  }
  [[nodiscard]] TileNoise at(std::size_t i) const {
    return {to_tile_noise(height[i]), to_tile_noise(forest[i]), to_tile_noise(rocks[i])};
  }
};

/// Fills samples of one row that lie in one cell.
/// @param x, y  of the first, in tiles from the cell's corner
void fill_run(const ResourceIslesTerrain& t, const Island& island, const TileNoises& noises,
              std::int64_t x, std::int64_t y, std::int64_t stride, std::size_t first,
              std::size_t end, const TerrainLayers& out, std::span<std::uint8_t> biome) {
  for (std::size_t i = first; i < end; ++i, x += stride) {
    const TileNoise noise = noises.at(i);
    const std::int32_t p = island.shape.paraboloid(static_cast<float>(x), static_cast<float>(y));
    const bool land = island.land ? island.land->at(static_cast<int>(x), static_cast<int>(y))
                                  : noise.height > t.water_below && p <= noise.height;
    const Tile sea = p > kTileOne || p - noise.height > t.shallows ? Tile::kOcean : Tile::kWater;
    biome[i] = static_cast<std::uint8_t>(land ? land_tile(t, noise) : sea);
    const std::int32_t height_q4 = height_of(t, noise.height, p, land);
    out.height_q4[i] = land ? height_q4 : std::min(height_q4, sea_floor_of(t, p));
  }
}

void fill_tiles(const ResourceIslesTerrain& t, std::uint64_t seed, const noise::SampleGrid& grid,
                noise::SimdTarget target, const TerrainLayers& out, std::span<std::uint8_t> biome) {
  const auto noises = std::make_unique<TileNoises>(t, seed, grid, target);
  const IslandCells cells(t, seed, target);
  // of the row of cells, in the order in which each row of samples comes to them
  std::vector<Island> islands;
  std::int64_t row = 0, shift = 0;
  for (int j = 0; j < grid.height; ++j) {
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
      fill_run(t, island, *noises, x - island.corner.x, y - island.corner.y, grid.stride,
               at + static_cast<std::size_t>(i), at + static_cast<std::size_t>(end), out, biome);
      i = end;
    }
  }
}

}  // namespace

LayerRanges layer_ranges(const ResourceIslesTerrain& t) {
  return layer_ranges(t.climate,
                      {height_of(t, 0, 4 * kTileOne, false), height_of(t, kTileOne, 0, true)});
}

void fill_terrain(const ResourceIslesTerrain& terrain, std::uint64_t seed,
                  const noise::SampleGrid& grid, noise::SimdTarget target, const TerrainLayers& out,
                  std::span<std::uint8_t> biome) {
  fill_tiles(terrain, seed, grid, target, out, biome);
  fill_climate(terrain.climate, seed, grid, target, out.height_q4, out.temperature_d,
               out.humidity_d);
}

void fill_terrain(const ResourceIslesTerrain& terrain, std::uint64_t seed,
                  const noise::SampleGrid& grid, noise::SimdTarget target,
                  const TerrainLayers& out) {
  std::vector<std::uint8_t> tiles(out.height_q4.size());
  fill_terrain(terrain, seed, grid, target, out, tiles);
}

}  // namespace terrane::worldgen
