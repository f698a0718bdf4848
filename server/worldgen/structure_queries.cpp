#include "worldgen/structure_queries.h"

#include <algorithm>
#include <tuple>

#include "worldgen/structures/site.h"

namespace terrane::worldgen {

namespace {

/// No grid: what is asked for is told by where it is.
GridContext nowhere(std::uint64_t seed, noise::SimdTarget target, Scratch& scratch,
                    const Abandon& abandon = {}) {
  return {{{0, 0}, 1, 0, 0}, seed, target, &scratch, abandon};
}

}  // namespace

std::vector<Structure> structures_within(const World& world, std::uint64_t seed, BlockPos from,
                                         BlockPos to, noise::SimdTarget target,
                                         const Abandon& abandon) {
  std::vector<Structure> found;
  if (!world.structures) return found;
  Scratch scratch;
  const GridContext context = nowhere(seed, target, scratch, abandon);
  for (const RegionCoord region : regions_of(*world.structures, {from, to})) {
    context.stop_if_abandoned();
    for (const Site& site : sites_in(world, context, region, {from, to}))
      found.push_back(to_structure(site));
  }
  std::sort(found.begin(), found.end(), [](const Structure& a, const Structure& b) {
    return std::tie(a.anchor.y, a.anchor.x) < std::tie(b.anchor.y, b.anchor.x);
  });
  return found;
}

std::vector<Room> rooms_of(const World& world, std::uint64_t seed, BlockPos anchor,
                           noise::SimdTarget target) {
  if (!world.structures) return {};
  Scratch scratch;
  const GridContext context = nowhere(seed, target, scratch);
  const BlockArea here{anchor, anchor};
  std::vector<Room> rooms;
  for (const Site& site : sites_in(world, context, regions_of(*world.structures, here)[0], here)) {
    for (std::size_t k = 0; k < site.layout.rooms.size(); ++k)
      rooms.push_back(to_room(world, site, k));
  }
  return rooms;
}

}  // namespace terrane::worldgen
