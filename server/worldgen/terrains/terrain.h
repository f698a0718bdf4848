#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "terrane/chunk.h"
#include "terrane/objects.h"
#include "worldgen/biome_table.h"
#include "worldgen/grid_context.h"

/// The contract of a terrain: one form for all, so that nothing outside of this directory knows any
/// of them by name. terrains.h lists them.
namespace terrane::worldgen {

class FieldArchive;

/// Where a terrain's results go: one value per sample of the grid, row after row.
struct TerrainOutput {
  // given by the caller, filled by the terrain
  std::span<std::int32_t> height_q4;
  std::span<std::int16_t> temperature_d, humidity_d;
  // height of the water's surface, or kNoWater; a terrain without the layer leaves it alone
  std::span<std::int32_t> water_q4;
  std::span<std::uint8_t> biome;

  // as it begins, the layers above; a terrain may put its own there, made in the grid's scratch
  SiteLayers site = {};
  // a terrain that fills `biome` itself says so; otherwise the world's table chooses by `site`
  bool biome_is_chosen = false;
  // what a terrain puts on its ground itself, by y, then x; null where nobody asks, which nobody
  // does where samples are further apart than a block
  std::vector<Placement>* placements = nullptr;
};

/// An output that nothing has been filled of yet; `water_q4` may be empty.
[[nodiscard]] inline TerrainOutput terrain_output(std::span<std::int32_t> height_q4,
                                                  std::span<std::int16_t> temperature_d,
                                                  std::span<std::int16_t> humidity_d,
                                                  std::span<std::int32_t> water_q4,
                                                  std::span<std::uint8_t> biome) {
  TerrainOutput out{height_q4, temperature_d, humidity_d, water_q4, biome};
  out.site = {height_q4, temperature_d, humidity_d, {}, {}, {}};
  return out;
}

/// Whether a sample is on a road.
[[nodiscard]] inline bool is_road(const TerrainOutput& terrain, std::size_t at) {
  return !terrain.site.fresh.empty() &&
         terrain.site.fresh[at] == static_cast<std::uint8_t>(FreshWater::kRoad);
}

/// What of a terrain never depends on its parameters.
struct TerrainTraits {
  std::string_view name;  // as in world files
  int version = 1;        // of its stage: grows whenever a change to the code changes any sample
  // whether forests, rocks, placements and structures may be added to its ground
  bool takes_objects = true;
  // rows of the biome table, where the terrain chooses among them itself; 0: the table chooses
  std::size_t own_biomes = 0;
};

/// Of widest_tile: any.
inline constexpr std::int64_t kAnyTile = std::numeric_limits<std::int64_t>::max();

// A terrain T is a struct of parameters, with these beside it. All are pure functions; threads:
// any; they block on nothing. terrains.cpp checks that none is missing.
//   static constexpr TerrainTraits T::kTraits
//   void fields(FieldArchive&, T&)        its parameters with their limits: what keeps them makes
//                                         every other function here safe
//   std::int64_t widest_tile(const T&)    how many blocks a tile of the coarsest level may span
//   LayerMask layers(const T&)            the layers that its chunks hold
//   LayerRanges layer_ranges(const T&)    the values that these, and its sites, can take
//   void fill_terrain(const T&, const GridContext&, TerrainOutput&)
//     fills a grid. Its width is a multiple of noise::kRowAlignment, or its height is 1; its stride
//     is a power of two, and its samples are multiples of the stride. A block has the same values
//     in whatever grid it is.

}  // namespace terrane::worldgen
