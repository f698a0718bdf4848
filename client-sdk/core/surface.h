#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "land.h"

namespace terrane::core {

/// A vertex of a mesh, 1/16 block.
struct Point {
  double height_q4 = 0;
  double water_q4 = kNoWater;  // the water's surface where it is above the ground, else kNoWater

  [[nodiscard]] bool is_wet() const { return water_q4 > height_q4; }
};

/// Where the ground of a tile's mesh lies: each sample is a vertex, and so are the first samples of
/// the tiles beyond its far edges. Every cell of four is cut from its vertex of smallest x and y to
/// that of greatest.
///
/// A vertex on a tile's edge lies where the coarsest of the tiles that meet there has it: at its
/// sample, if it is one of that tile's vertices; else on that tile's ground. "The tiles that meet
/// there" are the finest at hand of each of the four quarters around. So meshes of tiles that meet
/// have the same vertices, or one has more of them on the other's edges. Where no tile has the
/// sample, the nearest of the coarsest one stands for it.
///
/// Remembers what it found: lives no longer than until the land changes. Threads: one.
class Surface {
 public:
  explicit Surface(const Land& land) : land_(&land) {}

  /// The finest tile at hand; null: nothing is.
  const LandNode* at(BlockPos block) { return spot(block).node; }
  const Spot& spot(BlockPos block);

  /// @param i, j  0 … S
  Point vertex(const LandNode& of, int i, int j) {
    const int last = land_->size();
    return i > 0 && i < last && j > 0 && j < last ? own(of, last, i, j) : edge_vertex(of, i, j);
  }
  /// The same, but dry ones next to wet ones have a water's surface: where it meets the shore.
  Point shore(const LandNode& of, int i, int j);

  /// What lies at a block one sample of level `lod` beyond a tile's edge: a sample, or a coarse
  /// tile's ground by its own samples alone.
  /// @return false: nothing is at hand there that reaches the edge
  bool beyond(BlockPos block, Lod lod, Point& point);
  /// The nearest sample, 0 where the tile has none. @return as above
  bool biome(BlockPos block, Lod lod, std::uint8_t& biome);

  [[nodiscard]] static Point own(const LandNode& of, int size, int i, int j) {
    const std::ptrdiff_t at = std::ptrdiff_t{j} * size + i;
    Point point{static_cast<double>(of.heights_q4[at]), kNoWater};
    if (of.wet && of.waters_q4[at] > of.heights_q4[at]) point.water_q4 = of.waters_q4[at];
    return point;
  }

 private:
  Point edge_vertex(const LandNode& of, int i, int j);
  Point vertex_by_all_around(const LandNode& of, int i, int j);
  const LandNode* at_large(BlockPos block, Lod lod);
  Point on_ground_of(const LandNode& of, BlockPos block);

  const Land* land_;
  std::array<Spot, 4> spots_;
  std::size_t known_ = 0, next_ = 0;
};

/// The finest level whose tiles are wide enough to reach an edge from a sample of `lod` beyond it.
inline int least_that_reaches(Lod lod, int size_log2) { return lod - size_log2 + 1; }

/// The corners of a triangle of a cell that hold (u, v) of it, 0 … 1, and their shares.
struct Shares {
  std::array<int, 3> i, j;
  std::array<double, 3> share;
};
inline Shares shares(double u, double v) {
  if (u >= v) return {{0, 1, 1}, {0, 0, 1}, {1 - u, u - v, v}};
  return {{0, 0, 1}, {0, 1, 1}, {1 - v, v - u, u}};
}

}  // namespace terrane::core
