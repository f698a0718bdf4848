#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "worldgen/structures/site.h"

namespace terrane::worldgen {

/// The ground that a structure changes. Under rooms of the ground floor, and at the anchor, it is
/// as high as their floor; upon rooms that lie below ground it is half a block higher at least.
/// Within the skirt around those it goes over into the land. In integers, block by block, so that
/// all grids agree.
class Footing {
 public:
  Footing(const Site& site, const StructureRule& rule);

  /// Sets the heights of a grid, which are the land's, to those that the structure leaves.
  void level(const noise::SampleGrid& grid, std::span<std::int32_t> height_q4) const;

  /// Nothing stands beneath rooms of the ground floor or within their skirts: sets the densities
  /// there to 0.
  void clear(const noise::SampleGrid& grid, std::span<std::uint8_t> density) const;

  /// Whether any sample of a grid can have another height than the land's.
  [[nodiscard]] bool changes_a_sample(const noise::SampleGrid& grid) const;

 private:
  struct Rectangle {
    BlockPos from, to;
  };

  [[nodiscard]] std::size_t distance2(const std::vector<Rectangle>& all, BlockPos block) const;
  [[nodiscard]] bool is_within_skirt(const std::vector<Rectangle>& all, BlockPos block) const;
  [[nodiscard]] bool is_built(BlockPos block) const;
  [[nodiscard]] bool is_changed(BlockPos block) const;

  int skirt_;
  std::int32_t floor_q4_;
  std::vector<Rectangle> flat_, covered_;
  BlockPos from_, to_;  // the blocks that can change lie between these, both included
};

}  // namespace terrane::worldgen
