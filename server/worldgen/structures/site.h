#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "worldgen/samples.h"
#include "worldgen/structures/layout.h"
#include "worldgen/world.h"

/// Where structures stand. Which kind may stand where is decided by hashes, region by region;
/// whether it does, by the land there as it is before it is levelled.
namespace terrane::worldgen {

/// A structure in its place.
struct Site {
  std::uint8_t kind = 0;
  BlockPos corner;  // of its layout
  Layout layout;
  std::int32_t floor_q4 = 0;  // height of the ground floor: whole blocks
};

/// A square region, by its place in the grid of regions.
struct RegionCoord {
  std::int64_t x = 0, y = 0;
};

/// The structure that would stand in a region if its ground were suitable, without its floor's
/// height; none if its hash says so.
[[nodiscard]] std::optional<Site> site_in(const World& world, std::uint64_t seed,
                                          RegionCoord region);

/// Sets the floor of a site from the ground, and says whether it is suitable: level, dry and of the
/// climate that its kind wants.
[[nodiscard]] bool settle(const World& world, std::uint64_t seed, noise::SimdTarget target,
                          Site& site);

/// The suitable sites that concern a grid: those whose ground holds one of its samples, and those
/// whose anchor is wanted. In no order.
/// @param terrain  the grid's layers, as the terrain filled them
[[nodiscard]] std::vector<Site> sites_around(const World& world, const GridContext& context,
                                             const TerrainOutput& terrain, const BlockArea& wanted);

[[nodiscard]] BlockPos anchor_of(const Site& site);
[[nodiscard]] Structure to_structure(const Site& site);
[[nodiscard]] Room to_room(const World& world, const Site& site, std::size_t index);

}  // namespace terrane::worldgen
