#include "worlds/resource_isles_preset.h"

#include <array>
#include <cmath>
#include <string>

#include "terrane/result_macros.h"
#include "terrane/worldfile/v1/preset.pb.h"
#include "worlds/noise_preset.h"
#include "worlds/plain_climate_preset.h"
#include "worlds/preset_values.h"

namespace terrane::worlds {

namespace {

using worldgen::kTileKinds;
using worldgen::ResourceIslesTerrain;
using IslesMessage = worldfile::v1::ResourceIslesTerrain;

constexpr int kMaxResources = 64;
constexpr double kChanceOne = 4294967296.0;

std::int32_t to_tile_noise(double value) {
  return static_cast<std::int32_t>(std::lround(value * worldgen::kTileOne));
}

/// The table is the kinds of tile, so nothing else may choose among its rows.
Result<void> check_biomes(const worldfile::v1::Preset& preset) {
  if (preset.biomes_size() != static_cast<int>(kTileKinds)) {
    return wrong("biomes: " + std::to_string(preset.biomes_size()) +
                 " rows; resource_isles needs 6: water, ocean, grassland, forest, rocks, mountain");
  }
  for (int i = 0; i < preset.biomes_size(); ++i) {
    const worldfile::v1::Biome& row = preset.biomes(i);
    if (row.has_height() || row.has_temperature() || row.has_humidity() || row.has_slope() ||
        row.has_inland() || row.has_priority() || row.has_water()) {
      return wrong(
          "biomes[" + std::to_string(i) +
          "]: must have no ranges, no priority and no water; the tiles of resource_isles decide");
    }
  }
  return {};
}

/// Its resources are its placements, and nothing levels a tile.
Result<void> check_no_objects(const worldfile::v1::Preset& preset) {
  if (preset.has_placements()) return wrong("placements: resource_isles has `resources` instead");
  if (preset.has_structures()) return wrong("structures: resource_isles has none");
  return {};
}

Result<void> check_order(const IslesMessage& message) {
  if (message.extent_min() > message.extent_max()) {
    return wrong("resource_isles.extent_min: is greater than resource_isles.extent_max");
  }
  if (message.water_below() >= message.mountain_from()) {
    return wrong("resource_isles.water_below: must be less than resource_isles.mountain_from");
  }
  return {};
}

Result<void> add_noises(const IslesMessage& message, ResourceIslesTerrain& terrain) {
  TERRANE_ASSIGN_OR_RETURN(const auto height,
                           checked_noise(message.height(), "resource_isles.height"));
  TERRANE_ASSIGN_OR_RETURN(const auto forest,
                           checked_noise(message.forest(), "resource_isles.forest"));
  TERRANE_ASSIGN_OR_RETURN(const auto rocks,
                           checked_noise(message.rocks(), "resource_isles.rocks"));
  terrain.height = height;
  terrain.forest = forest;
  terrain.rocks = rocks;
  TERRANE_ASSIGN_OR_RETURN(const auto climate,
                           to_plain_climate(message.climate(), "resource_isles.climate"));
  terrain.climate = climate;
  return {};
}

Result<void> add_tidiness(const worldfile::v1::Preset& preset, ResourceIslesTerrain& terrain) {
  const IslesMessage& message = preset.resource_isles();
  if (message.land_share_max() < message.land_share_min() + 0.05) {
    return wrong("resource_isles.land_share_max: must be at least 0.05 more than land_share_min");
  }
  const auto tiles = static_cast<double>(terrain.cell * terrain.cell);
  terrain.land_min = static_cast<int>(std::ceil(message.land_share_min() * tiles));
  terrain.land_max = static_cast<int>(std::floor(message.land_share_max() * tiles));
  if (!can_be_tidy(terrain)) {
    return wrong(
        "resource_isles.land_share_min: must be less than the share of a cell that the smallest "
        "island's ellipse covers; "
        "make it smaller, or extent_min larger");
  }
  const std::int64_t widest = std::int64_t{preset.chunk_size()} << preset.max_lod();
  if (widest > 2 * terrain.cell) {
    return wrong("max_lod: its tiles span " + std::to_string(widest) +
                 " blocks, but with tidy islands 2 times " +
                 "resource_isles.cell = " + std::to_string(2 * terrain.cell) + " is the limit");
  }
  return {};
}

Result<void> add_chances(const IslesMessage& message, ResourceIslesTerrain& terrain) {
  if (message.resources_size() > kMaxResources) {
    return wrong("resource_isles.resources: " + std::to_string(message.resources_size()) +
                 " things; at most " + std::to_string(kMaxResources) + " are allowed");
  }
  std::array<std::uint64_t, kTileKinds> sums{};
  for (int i = 0; i < message.resources_size(); ++i) {
    const std::string path = "resource_isles.resources[" + std::to_string(i) + "].chances";
    auto& chances = terrain.resources.emplace_back();
    for (const worldfile::v1::ResourceChance& chance : message.resources(i).chances()) {
      const auto tile = static_cast<std::size_t>(chance.tile());
      const std::string& name = worldfile::v1::ResourceChance::Tile_Name(chance.tile());
      if (chances[tile] != 0) return wrong(path + ": " + name + " stands there twice; one must go");
      chances[tile] = static_cast<std::uint64_t>(std::llround(chance.chance() * kChanceOne));
      sums[tile] += chances[tile];
      if (sums[tile] > static_cast<std::uint64_t>(kChanceOne) + 64) {  // each may be rounded up
        return wrong(path + ": the chances of all things on " + name + " add up to more than 1");
      }
    }
  }
  return {};
}

}  // namespace

Result<ResourceIslesTerrain> to_resource_isles(const worldfile::v1::Preset& preset) {
  const IslesMessage& message = preset.resource_isles();
  ResourceIslesTerrain terrain;
  terrain.cell = message.cell();
  const auto extent = [&](double share) {
    return static_cast<std::int64_t>(share * static_cast<double>(terrain.cell / 2 - 2));
  };
  terrain.smallest_extent = extent(message.extent_min());
  terrain.largest_extent = extent(message.extent_max());
  terrain.water_below = to_tile_noise(message.water_below());
  terrain.mountain_from = to_tile_noise(message.mountain_from());
  terrain.forest_below = to_tile_noise(message.forest_below());
  terrain.rocks_below = to_tile_noise(message.rocks_below());
  terrain.shallows = to_tile_noise(message.shallows());
  terrain.amplitude_q4 = static_cast<std::int32_t>(std::lround(16 * message.amplitude()));
  terrain.tidy = message.tidy();
  TERRANE_RETURN_IF_ERROR(
      check_biomes(preset)
          .and_then([&] { return check_no_objects(preset); })
          .and_then([&] { return check_order(message); })
          .and_then([&] { return add_noises(message, terrain); })
          .and_then([&] { return terrain.tidy ? add_tidiness(preset, terrain) : Result<void>{}; })
          .and_then([&] { return add_chances(message, terrain); }));
  terrain.rocks_below_on_mountain = worldgen::rocks_limit_on_mountain(
      terrain.rocks, terrain.rocks_below, message.rocks_on_mountain());
  return terrain;
}

Result<std::vector<PlacementKind>> resource_kinds(const worldfile::v1::Preset& preset) {
  std::vector<PlacementKind> kinds;
  for (const worldfile::v1::Resource& resource : preset.resource_isles().resources()) {
    TERRANE_ASSIGN_OR_RETURN(
        const auto color, to_color(resource.color(), "resource_isles.resources[" +
                                                         std::to_string(kinds.size()) + "].color"));
    kinds.push_back({resource.name(), color,
                     static_cast<std::int32_t>(std::lround(16 * resource.radius())),
                     static_cast<std::int32_t>(std::lround(16 * resource.height()))});
  }
  return kinds;
}

}  // namespace terrane::worlds
