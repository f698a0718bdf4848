#include "worldgen/structures/levelling.h"

#include <algorithm>

#include "worldgen/structures/samples.h"

namespace terrane::worldgen {

namespace {

constexpr std::int32_t kWhole = 1024;

/// The largest integer whose square is no greater.
std::int64_t root(std::int64_t square) {
  std::int64_t low = 0, high = std::int64_t{1} << 26;
  while (low < high) {
    const std::int64_t middle = (low + high + 1) / 2;
    (middle * middle <= square ? low : high) = middle * middle <= square ? middle : middle - 1;
  }
  return low;
}

/// How much the land counts, by squared distance: none at 0, all of it at the skirt's end, without a kink at either.
std::vector<std::int32_t> make_land_share(int skirt) {
  std::vector<std::int32_t> shares;
  for (int square = 0; square <= skirt * skirt; ++square) {
    const std::int64_t t = root(std::int64_t{square} << 20) / skirt;  // in 1/1024
    shares.push_back(static_cast<std::int32_t>(t * t * (3 * kWhole - 2 * t) >> 20));
  }
  return shares;
}

}  // namespace

Footing::Footing(const Site& site, const StructureRule& rule)
    : floor_q4_(site.floor_q4), land_share_(make_land_share(rule.skirt)) {
  const BlockPos anchor = anchor_of(site);
  flat_.push_back({anchor, anchor});
  for (const LaidRoom& room : site.layout.rooms) {
    if (room.level > 0) continue;
    const BlockPos corner{site.corner.x + room.x, site.corner.y + room.y};
    auto& part = room.level + room.levels > 0 ? flat_ : covered_;
    part.push_back({corner, {corner.x + room.width - 1, corner.y + room.depth - 1}});
  }
  from_ = {site.corner.x - rule.skirt, site.corner.y - rule.skirt};
  to_ = {site.corner.x + site.layout.width - 1 + rule.skirt, site.corner.y + site.layout.depth - 1 + rule.skirt};
}

/// To the nearest rectangle, squared; no more than the skirt's.
std::size_t Footing::distance2(const std::vector<Rectangle>& all, BlockPos block) const {
  auto nearest = static_cast<std::int64_t>(land_share_.size()) - 1;
  for (const Rectangle& part : all) {
    const std::int64_t dx = std::max({part.from.x - block.x, block.x - part.to.x, std::int64_t{0}});
    const std::int64_t dy = std::max({part.from.y - block.y, block.y - part.to.y, std::int64_t{0}});
    nearest = std::min(nearest, dx * dx + dy * dy);
  }
  return static_cast<std::size_t>(nearest);
}

std::int32_t Footing::mixed(std::int32_t height_q4, std::size_t distance2) const {
  return floor_q4_ + (height_q4 - floor_q4_) * land_share_[distance2] / kWhole;
}

bool Footing::is_built(BlockPos block) const { return distance2(flat_, block) + 1 < land_share_.size(); }

bool Footing::is_changed(BlockPos block) const { return is_built(block) || distance2(covered_, block) + 1 < land_share_.size(); }

std::int32_t Footing::level(BlockPos block, std::int32_t height_q4) const {
  const std::int32_t levelled = mixed(height_q4, distance2(flat_, block));
  return std::max(levelled, mixed(levelled, distance2(covered_, block)));
}

void level_ground(const World& world, std::span<const Site> sites, const noise::SampleGrid& grid,
                  std::span<std::int32_t> height_q4) {
  for (const Site& site : sites) {
    const Footing footing(site, world.structures->kinds[site.kind]);
    SampleRectangle(grid, footing.from(), footing.to()).visit(grid, [&](std::size_t at, BlockPos block) {
      height_q4[at] = footing.level(block, height_q4[at]);
    });
  }
}

void clear_ground(const World& world, std::span<const Site> sites, const noise::SampleGrid& grid,
                  std::span<std::uint8_t> density) {
  for (const Site& site : sites) {
    const Footing footing(site, world.structures->kinds[site.kind]);
    SampleRectangle(grid, footing.from(), footing.to()).visit(grid, [&](std::size_t at, BlockPos block) {
      if (footing.is_built(block)) density[at] = 0;
    });
  }
}

}  // namespace terrane::worldgen
