#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "worldgen/grid_context.h"
#include "worldgen/stamps/box_index.h"
#include "worldgen/stamps/parameters.h"
#include "worldgen/terrains/terrain.h"

namespace terrane::worldgen {

/// The stamps of a world, ready to be applied: in their order, each to what the ones before it have
/// left. Block by block, in operations that are exactly rounded, so that all grids agree. A grid
/// that none reaches costs a look-up; another one some nanoseconds for each sample and stamp that
/// reaches it. Immutable; threads: any.
class Stamps {
 public:
  Stamps() = default;
  /// @param heights  what the terrain can yield, 1/16 block
  Stamps(std::vector<Stamp> stamps, const Interval& heights);

  /// As they were given.
  [[nodiscard]] const std::vector<Stamp>& all() const { return all_; }

  /// The heights of the ground with all of them, 1/16 block: the terrain's, the highest and lowest
  /// that a stamp flattens it to, and as far beyond the terrain's as the largest `raise`. What
  /// would be beyond, where stamps overlap, is cut off.
  [[nodiscard]] const Interval& heights() const { return heights_; }

  /// Changes the ground, the water, and what they mean for the choice of biomes. Throws Abandoned.
  void shape(const GridContext& context, TerrainOutput& terrain) const;

  /// Sets the biomes of samples whose stamp has one.
  void paint(const GridContext& context, std::span<std::uint8_t> biome) const;

  /// Sets a density to 0 where nothing grows.
  void clear(const GridContext& context, std::span<std::uint8_t> density) const;

  /// Whether any sample is kept clear, or belongs to a pool and its banks.
  [[nodiscard]] bool forbids_building(const GridContext& context) const;

 private:
  /// Calls `visit(stamp, index of the sample, place in the stamp)` for all samples that stamps
  /// reach for which `concerns` holds.
  template <typename Concerns, typename Visit>
  void for_samples(const GridContext& context, const Concerns& concerns, const Visit& visit) const;

  std::vector<Stamp> all_;
  BoxIndex index_;
  Interval heights_;
};

}  // namespace terrane::worldgen
