#pragma once

#include <array>
#include <cstdint>

#include "worldgen/terrains/resource_isles/resource_isles.h"

/// Which tiles of one cell are land, as bits; and the rules for small maps. Pure functions.
namespace terrane::worldgen {

/// Bit x of rows[y] is tile (x, y) of the cell. Tiles at the cell's border are sea.
struct LandMask {
  __extension__ using Row = unsigned __int128;
  int size = 0;  // tiles along one edge, at most kMaxIslandCell
  std::array<Row, kMaxIslandCell> rows{};

  [[nodiscard]] bool at(int x, int y) const {
    return (rows[static_cast<std::size_t>(y)] >> x & 1) != 0;
  }
  void set(int x, int y) { rows[static_cast<std::size_t>(y)] |= Row{1} << x; }
  [[nodiscard]] int count() const;
};

/// Adds the land that it takes until no two land tiles touch only by a corner.
void join_corners(LandMask& land);

/// Makes land of all sea that is not reached from the border across the edges of sea tiles. Where
/// no land tiles touch only by a corner, none do afterwards.
void fill_lakes(LandMask& land);

}  // namespace terrane::worldgen
