#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "worldgen/structures/site.h"
#include "worldgen/world.h"

/// What comes after the terrain in every world whose file asks for it: forests and rocks, what
/// stands there, and structures on levelled ground.
namespace terrane::worldgen {

/// Where densities go, in percent; empty where the world has none.
struct DensityLayers {
  std::span<std::uint8_t> forest_p, rocks_p;
};

/// Levels the ground of structures in `terrain` and fills the densities.
/// @param terrain  as the terrain filled it, with its biomes chosen
/// @param wanted   the caller wants the structures with anchors here too
/// @return the structures whose ground the grid shows, and those
[[nodiscard]] std::vector<Site> decorate(const World& world, const GridContext& context,
                                         const TerrainOutput& terrain, const DensityLayers& out,
                                         const BlockArea& wanted);

/// Puts a chunk's placements, structures and rooms into it; its layers are filled, and `sites` are
/// decorate's.
void fill_objects(const World& world, std::uint64_t seed, std::span<const Site> sites,
                  Chunk& chunk);

}  // namespace terrane::worldgen
