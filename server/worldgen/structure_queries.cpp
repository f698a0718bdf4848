#include "worldgen/structure_queries.h"

#include <algorithm>
#include <tuple>

#include "worldgen/structures/site.h"

namespace terrane::worldgen {

std::vector<Structure> structures_within(const World& world, std::uint64_t seed, BlockPos from,
                                         BlockPos to, noise::SimdTarget target,
                                         const Abandon& abandon) {
  std::vector<Structure> found;
  if (!world.structures) return found;
  const auto region_at = [&](std::int64_t block) {
    return floor_div(block, world.structures->region);
  };
  for (std::int64_t y = region_at(from.y); y <= region_at(to.y); ++y) {
    for (std::int64_t x = region_at(from.x); x <= region_at(to.x); ++x) {
      stop_if(abandon);
      auto site = site_in(world, seed, {x, y});
      if (!site) continue;
      const BlockPos anchor = anchor_of(*site);
      if (anchor.x < from.x || anchor.y < from.y || anchor.x > to.x || anchor.y > to.y) continue;
      if (settle(world, seed, target, *site)) found.push_back(to_structure(*site));
    }
  }
  std::sort(found.begin(), found.end(), [](const Structure& a, const Structure& b) {
    return std::tie(a.anchor.y, a.anchor.x) < std::tie(b.anchor.y, b.anchor.x);
  });
  return found;
}

std::vector<Room> rooms_of(const World& world, std::uint64_t seed, BlockPos anchor,
                           noise::SimdTarget target) {
  if (!world.structures) return {};
  const auto region_at = [&](std::int64_t block) {
    return floor_div(block, world.structures->region);
  };
  auto site = site_in(world, seed, {region_at(anchor.x), region_at(anchor.y)});
  if (!site || anchor_of(*site) != anchor || !settle(world, seed, target, *site)) return {};
  std::vector<Room> rooms;
  for (std::size_t k = 0; k < site->layout.rooms.size(); ++k)
    rooms.push_back(to_room(world, *site, k));
  return rooms;
}

}  // namespace terrane::worldgen
