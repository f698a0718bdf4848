#include "worldgen/structures/levelling.h"

#include <algorithm>

#include "worldgen/samples.h"

namespace terrane::worldgen {

namespace {

constexpr std::int32_t kWhole = 1024;

/// 1/16 block: ground upon rooms that lie below it. Without any, it and their ceilings would be one
/// plane, and be drawn through each other.
constexpr std::int32_t kCover = 8;

/// The largest integer whose square is no greater.
std::int64_t root(std::int64_t square) {
  std::int64_t low = 0, high = std::int64_t{1} << 26;
  while (low < high) {
    const std::int64_t middle = (low + high + 1) / 2;
    if (middle * middle <= square) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/// How much the land counts, in 1/1024, by squared distance: none at 0, all of it at the skirt's
/// end, without a kink at either.
std::vector<std::int32_t> make_land_share(int skirt) {
  std::vector<std::int32_t> shares;
  for (int square = 0; square <= skirt * skirt; ++square) {
    const std::int64_t t = root(std::int64_t{square} << 20) / skirt;  // in 1/1024
    shares.push_back(static_cast<std::int32_t>(t * t * (3 * kWhole - 2 * t) >> 20));
  }
  return shares;
}

std::int32_t mixed(std::int32_t floor_q4, std::int32_t height_q4, std::int32_t land_share) {
  return floor_q4 + (height_q4 - floor_q4) * land_share / kWhole;
}

}  // namespace

Footing::Footing(const Site& site, const StructureRule& rule)
    : skirt_(rule.skirt), floor_q4_(site.floor_q4) {
  const BlockPos anchor = anchor_of(site);
  flat_.push_back({anchor, anchor});
  for (const LaidRoom& room : site.layout.rooms) {
    if (room.level > 0) continue;
    const BlockPos corner{site.corner.x + room.x, site.corner.y + room.y};
    auto& part = room.level + room.levels > 0 ? flat_ : covered_;
    part.push_back({corner, {corner.x + room.width - 1, corner.y + room.depth - 1}});
  }
  from_ = {site.corner.x - skirt_, site.corner.y - skirt_};
  to_ = {site.corner.x + site.layout.width - 1 + skirt_,
         site.corner.y + site.layout.depth - 1 + skirt_};
}

/// To the nearest rectangle, squared; no more than the skirt's.
std::size_t Footing::distance2(const std::vector<Rectangle>& all, BlockPos block) const {
  std::int64_t nearest = std::int64_t{skirt_} * skirt_;
  for (const Rectangle& part : all) {
    const std::int64_t dx = std::max({part.from.x - block.x, block.x - part.to.x, std::int64_t{0}});
    const std::int64_t dy = std::max({part.from.y - block.y, block.y - part.to.y, std::int64_t{0}});
    nearest = std::min(nearest, dx * dx + dy * dy);
  }
  return static_cast<std::size_t>(nearest);
}

bool Footing::is_within_skirt(const std::vector<Rectangle>& all, BlockPos block) const {
  return distance2(all, block) < static_cast<std::size_t>(skirt_ * skirt_);
}

bool Footing::is_built(BlockPos block) const { return is_within_skirt(flat_, block); }

bool Footing::is_changed(BlockPos block) const {
  return is_built(block) || is_within_skirt(covered_, block);
}

void Footing::level(const noise::SampleGrid& grid, std::span<std::int32_t> height_q4) const {
  const std::vector<std::int32_t> land_share = make_land_share(skirt_);
  SampleRectangle(grid, from_, to_).visit(grid, [&](std::size_t at, BlockPos block) {
    const std::size_t to_flat = distance2(flat_, block);
    const std::int32_t levelled = mixed(floor_q4_, height_q4[at], land_share[to_flat]);
    const std::int32_t covering =
        mixed(floor_q4_ + kCover, levelled, land_share[distance2(covered_, block)]);
    height_q4[at] = to_flat == 0 ? levelled : std::max(levelled, covering);
  });
}

void Footing::clear(const noise::SampleGrid& grid, std::span<std::uint8_t> density) const {
  SampleRectangle(grid, from_, to_).visit(grid, [&](std::size_t at, BlockPos block) {
    if (is_built(block)) density[at] = 0;
  });
}

bool Footing::changes_a_sample(const noise::SampleGrid& grid) const {
  bool found = false;
  SampleRectangle(grid, from_, to_).visit(grid, [&](std::size_t, BlockPos block) {
    found = found || is_changed(block);
  });
  return found;
}

}  // namespace terrane::worldgen
