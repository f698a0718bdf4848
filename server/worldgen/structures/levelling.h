#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "worldgen/structures/site.h"

namespace terrane::worldgen {

/// The ground that a structure changes. Under rooms of the ground floor, and at the anchor, it is as high as their floor; above
/// rooms that lie below ground it is no lower. Within the skirt around those it goes over into the land. In integers, block by
/// block, so that all grids agree.
class Footing {
 public:
  Footing(const Site& site, const StructureRule& rule);

  /// The blocks that can change lie between these, both included.
  [[nodiscard]] BlockPos from() const { return from_; }
  [[nodiscard]] BlockPos to() const { return to_; }

  /// Whether a block lies beneath a room of the ground floor, or within such a room's skirt.
  [[nodiscard]] bool is_built(BlockPos block) const;

  /// Whether a block's height can be another than the land's.
  [[nodiscard]] bool is_changed(BlockPos block) const;

  /// The height at a block where the land's is `height_q4`.
  [[nodiscard]] std::int32_t level(BlockPos block, std::int32_t height_q4) const;

 private:
  struct Rectangle {
    BlockPos from, to;
  };

  [[nodiscard]] std::size_t distance2(const std::vector<Rectangle>& all, BlockPos block) const;
  [[nodiscard]] std::int32_t mixed(std::int32_t height_q4, std::size_t distance2) const;

  std::int32_t floor_q4_;
  std::vector<Rectangle> flat_, covered_;
  std::vector<std::int32_t> land_share_;  // by squared distance, in 1/1024; all of it from the skirt's end on
  BlockPos from_, to_;
};

/// Levels the ground of all sites.
void level_ground(const World& world, std::span<const Site> sites, const noise::SampleGrid& grid,
                  std::span<std::int32_t> height_q4);

/// Nothing stands within buildings or their skirts: sets the densities there to 0.
void clear_ground(const World& world, std::span<const Site> sites, const noise::SampleGrid& grid,
                  std::span<std::uint8_t> density);

}  // namespace terrane::worldgen
