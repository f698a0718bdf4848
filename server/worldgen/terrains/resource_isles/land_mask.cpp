#include "worldgen/terrains/resource_isles/land_mask.h"

#include <bit>

namespace terrane::worldgen {

namespace {

using Row = LandMask::Row;

/// Spreads `reached` along the runs of ones of `open` that it touches.
Row spread(Row reached, Row open) {
  Row up = reached & open, up_open = open;
  Row down = up, down_open = open;
  for (int k = 1; k < kMaxIslandCell; k *= 2) {
    up |= up_open & (up << k);
    up_open &= up_open << k;
    down |= down_open & (down >> k);
    down_open &= down_open >> k;
  }
  return up | down;
}

}  // namespace

int LandMask::count() const {
  int tiles = 0;
  for (const Row row : rows) tiles += std::popcount(row.low) + std::popcount(row.high);
  return tiles;
}

// Of four tiles of which two, diagonally, are land, one of the lower row becomes land. There is
// land above it then, so that it makes no such four with the row above: one way down is enough.
void join_corners(LandMask& land) {
  for (std::size_t y = 0; y + 1 < static_cast<std::size_t>(land.size); ++y) {
    const Row a = land.rows[y], b = land.rows[y + 1];
    const Row falling = a & (b >> 1) & ~(a >> 1) & ~b;  // land at (x, y) and (x + 1, y + 1)
    const Row rising = (a >> 1) & b & ~a & ~(b >> 1);   // land at (x + 1, y) and (x, y + 1)
    land.rows[y + 1] = b | falling | (rising << 1);
  }
}

void fill_lakes(LandMask& land) {
  const auto size = static_cast<std::size_t>(land.size);
  const Row all = ~Row{} >> (kMaxIslandCell - land.size);
  const Row sides = Row{1} | Row{1} << (land.size - 1);
  std::array<Row, kMaxIslandCell> sea, reached;
  for (std::size_t y = 0; y < size; ++y) {
    sea[y] = ~land.rows[y] & all;
    reached[y] = spread(y == 0 || y + 1 == size ? sea[y] : sides, sea[y]);
  }
  const auto reach = [&](std::size_t y, Row beside) {
    const Row from = reached[y] | (beside & sea[y]);
    if (from == reached[y]) return false;
    reached[y] = spread(from, sea[y]);
    return true;
  };
  for (bool more = true; more;) {
    more = false;
    for (std::size_t y = 1; y < size; ++y) more |= reach(y, reached[y - 1]);
    for (std::size_t y = size - 1; y-- > 0;) more |= reach(y, reached[y + 1]);
  }
  for (std::size_t y = 0; y < size; ++y) land.rows[y] = ~reached[y] & all;
}

}  // namespace terrane::worldgen
