#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "worldgen/structures/site.h"
#include "worldgen/terrain.h"

/// What comes after the terrain in every world whose file asks for it: forests and rocks, what
/// stands there, and structures on levelled ground.
namespace terrane::worldgen {

/// Where densities go, in percent; empty where the world has none.
struct DensityLayers {
  std::span<std::uint8_t> forest_p, rocks_p;
};

/// Levels the ground of structures in `layers` and fills the densities.
/// @param site   what chose the biomes; slope and inland are empty where the terrain knows none
/// @param biome  the biomes, chosen before
/// @param from, to  the caller wants the structures between these blocks too, both included; none
///   if `to` lies before `from`
/// @return the structures whose ground the grid shows, and those
[[nodiscard]] std::vector<Site> decorate(const World& world, std::uint64_t seed,
                                         const noise::SampleGrid& grid, noise::SimdTarget target,
                                         const TerrainLayers& layers, const SiteLayers& site,
                                         std::span<const std::uint8_t> biome,
                                         const DensityLayers& out, BlockPos from, BlockPos to);

/// Puts a chunk's placements, structures and rooms into it; its layers are filled, and `sites` are
/// decorate's.
void fill_objects(const World& world, std::uint64_t seed, std::span<const Site> sites,
                  Chunk& chunk);

}  // namespace terrane::worldgen
