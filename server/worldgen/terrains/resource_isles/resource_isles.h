#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "worldgen/plain_climate.h"
#include "worldgen/terrains/terrain.h"

namespace terrane::worldgen {

/// What a tile is: the rows of the world's biome table, in this order.
enum class Tile : std::uint8_t { kWater, kOcean, kGrassland, kForest, kRocks, kMountain };
inline constexpr std::size_t kTileKinds = 6;

/// The `resource_isles` terrain: a tile is a block. Noises and the paraboloids of islands are
/// compared as integers, 1 being kTileOne.
struct ResourceIslesTerrain {
  // its resources are its placements, and nothing levels a tile
  static constexpr TerrainTraits kTraits{
      .name = "resource_isles", .version = 1, .takes_objects = false, .own_biomes = 6};

  std::int64_t cell = 128;  // edge, 32 ... kMaxIslandCell blocks
  // half extents of islands: at least 3, at most cell / 2 - 2 blocks
  std::int64_t smallest_extent = 37, largest_extent = 62;
  noise::FractalNoise height, forest, rocks;
  std::int32_t water_below = 0, mountain_from = 0, forest_below = 0, rocks_below = 0;
  std::int32_t rocks_below_on_mountain = 0;  // rocks_limit_on_mountain()
  // how far the paraboloid exceeds the noise where water ends
  std::int32_t shallows = 0;
  std::int32_t amplitude_q4 = 512;
  bool tidy = false;
  int land_min = 0, land_max = 0;  // tiles of a cell, when tidy; see can_be_tidy
  PlainClimate climate;
  // chance of each by kind of tile, in 2^-32
  std::vector<std::array<std::uint64_t, kTileKinds>> resources;
};

inline constexpr std::int32_t kTileOne = 1 << 14;
inline constexpr std::int64_t kMaxIslandCell = 128;

/// The value below which a noise is `times` as often as it is below `below`; more than kTileOne if
/// that is always. Measured at fixed places, the same on every machine.
[[nodiscard]] std::int32_t rocks_limit_on_mountain(const noise::FractalNoise& rocks,
                                                   std::int32_t below, double times);

/// Whether land_min and land_max leave room for an island whatever its extents.
[[nodiscard]] bool can_be_tidy(const ResourceIslesTerrain& terrain);

void fields(FieldArchive& archive, ResourceIslesTerrain& terrain);
[[nodiscard]] std::int64_t widest_tile(const ResourceIslesTerrain& terrain);
[[nodiscard]] LayerMask layers(const ResourceIslesTerrain& terrain);
[[nodiscard]] LayerRanges layer_ranges(const ResourceIslesTerrain& terrain);

/// Its biomes are its kinds of tile (Tile), which it chooses itself; its resources are placements.
void fill_terrain(const ResourceIslesTerrain& terrain, const GridContext& context,
                  TerrainOutput& out);

}  // namespace terrane::worldgen
