#include "worldgen/decoration.h"

#include <algorithm>
#include <tuple>

#include "worldgen/placement/density.h"
#include "worldgen/placement/placement.h"
#include "worldgen/structures/levelling.h"

namespace terrane::worldgen {

std::vector<Site> decorate(const World& world, std::uint64_t seed, const noise::SampleGrid& grid, noise::SimdTarget target,
                           const TerrainLayers& layers, std::span<const std::uint8_t> biome,
                           std::span<const std::int16_t> slope_p, const DensityLayers& out, BlockPos from, BlockPos to) {
  std::vector<Site> sites;
  if (world.structures) {
    sites = sites_around(world, seed, grid, target, layers, from, to);
    level_ground(world, sites, grid, layers.height_q4);
  }
  if (world.placements) {
    const DensitySite site{biome, layers.height_q4, layers.water_q4, slope_p};
    fill_density(world.placements->forest, "forest", seed, grid, target, site, out.forest_p);
    fill_density(world.placements->rocks, "rocks", seed, grid, target, site, out.rocks_p);
    clear_ground(world, sites, grid, out.forest_p);
    clear_ground(world, sites, grid, out.rocks_p);
  }
  return sites;
}

void fill_objects(const World& world, std::uint64_t seed, std::span<const Site> sites, Chunk& chunk) {
  if (world.placements && chunk.lod == 0) fill_placements(*world.placements, seed, chunk);
  if (chunk.lod > kMaxStructureLod) return;
  const auto is_here = [&](BlockPos block) { return chunk_of(block, chunk.size, chunk.lod) == chunk.coord; };
  for (const Site& site : sites) {
    if (is_here(anchor_of(site))) chunk.structures.push_back(to_structure(site));
    if (chunk.lod > 0) continue;
    for (std::size_t k = 0; k < site.layout.rooms.size(); ++k) {
      const Room room = to_room(world, site, k);
      if (is_here(room.corner)) chunk.rooms.push_back(room);
    }
  }
  std::sort(chunk.structures.begin(), chunk.structures.end(), [](const Structure& a, const Structure& b) {
    return std::tie(a.anchor.y, a.anchor.x) < std::tie(b.anchor.y, b.anchor.x);
  });
  std::sort(chunk.rooms.begin(), chunk.rooms.end(), [](const Room& a, const Room& b) {
    return std::tie(a.structure.y, a.structure.x, a.index) < std::tie(b.structure.y, b.structure.x, b.index);
  });
}

}  // namespace terrane::worldgen
