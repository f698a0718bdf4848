#pragma once

#include <cstdint>
#include <vector>

#include "worldgen/samples.h"
#include "worldgen/structures/layout.h"
#include "worldgen/structures/village.h"
#include "worldgen/world.h"

/// Where structures stand. Which kind may stand where is decided by hashes, region by region;
/// whether it does, by the land there as it is before it is levelled. Homes of a village stand
/// where their own ground is suitable, and that of the structure in its middle.
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

/// The regions that hold blocks of an area.
[[nodiscard]] std::vector<RegionCoord> regions_of(const StructureRules& rules,
                                                  const BlockArea& area);

/// The suitable sites of a region with their anchors in an area, in an order that depends on the
/// region alone. Throws Abandoned.
[[nodiscard]] std::vector<Site> sites_in(const World& world, const GridContext& context,
                                         RegionCoord region, const BlockArea& anchors);

/// What concerns a grid of what people have built.
struct Built {
  std::vector<Site> sites;
  std::vector<Village> villages;
};

/// The suitable sites whose ground, or way to a lane, may hold one of a grid's samples and those
/// whose anchor is wanted, and the villages whose lanes, yards or fields hold one. Throws
/// Abandoned.
/// @param terrain  the grid's layers, as the terrain filled them
[[nodiscard]] Built built_around(const World& world, const GridContext& context,
                                 const TerrainOutput& terrain, const BlockArea& wanted);

[[nodiscard]] BlockPos anchor_of(const Site& site);
[[nodiscard]] Structure to_structure(const Site& site);
[[nodiscard]] Room to_room(const World& world, const Site& site, std::size_t index);

}  // namespace terrane::worldgen
