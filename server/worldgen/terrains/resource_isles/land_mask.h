#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "worldgen/terrains/resource_isles/resource_isles.h"

/// Which tiles of one cell are land, as bits; and the rules for small maps. Pure functions.
namespace terrane::worldgen {

/// 128 bits. Shifts are by 0 to 127.
struct TileRow {
  std::uint64_t low = 0, high = 0;

  friend bool operator==(const TileRow&, const TileRow&) = default;
  friend constexpr TileRow operator~(TileRow row) { return {~row.low, ~row.high}; }
  friend constexpr TileRow operator&(TileRow a, TileRow b) {
    return {a.low & b.low, a.high & b.high};
  }
  friend constexpr TileRow operator|(TileRow a, TileRow b) {
    return {a.low | b.low, a.high | b.high};
  }
  friend constexpr TileRow operator<<(TileRow row, int by) {
    if (by >= 64) return {0, row.low << (by - 64)};
    // in two steps: by 64 in one is not defined
    return {row.low << by, row.high << by | row.low >> 1 >> (63 - by)};
  }
  friend constexpr TileRow operator>>(TileRow row, int by) {
    if (by >= 64) return {row.high >> (by - 64), 0};
    return {row.low >> by | row.high << 1 << (63 - by), row.high >> by};
  }
  constexpr TileRow& operator|=(TileRow other) { return *this = *this | other; }
  constexpr TileRow& operator&=(TileRow other) { return *this = *this & other; }
};

/// Bit x of rows[y] is tile (x, y) of the cell. Tiles at the cell's border are sea.
struct LandMask {
  using Row = TileRow;
  int size = 0;  // tiles along one edge, at most kMaxIslandCell
  std::array<Row, kMaxIslandCell> rows{};

  [[nodiscard]] bool at(int x, int y) const {
    return ((rows[static_cast<std::size_t>(y)] >> x).low & 1) != 0;
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
