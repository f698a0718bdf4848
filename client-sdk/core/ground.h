#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "surface.h"
#include "terrane/terrane.h"

namespace terrane::core {

/// A place in blocks, beyond what doubles tell apart near the origin.
struct Place {
  BlockPos block;
  double x = 0, y = 0;  // within the block, 0 … 1
};
/// Nullopt: no number, or outside of every world.
std::optional<Place> place_at(double x, double y);

/// A cell of a tile's mesh, as its four corners have it: along x first.
struct Cell {
  const LandNode* node = nullptr;
  int i = 0, j = 0;
  BlockPos origin;
  std::array<double, 4> heights;  // blocks

  /// @param u, v  0 … 1 across the cell
  [[nodiscard]] double height(double u, double v) const {
    const double middle = u >= v ? heights[1] : heights[2];
    const double most = std::max(u, v), least = std::min(u, v);
    return heights[0] + most * (middle - heights[0]) + least * (heights[3] - middle);
  }
  /// The normal of the triangle that holds (u, v).
  void normal(double u, double v, float out[3]) const;
};

/// Whether the game has taken the ground out of it.
inline bool is_hole(const Cell& cell, int size) {
  const int at = cell.j * size + cell.i;
  return cell.node->holes && (*cell.node->holes)[static_cast<std::size_t>(at)] != 0;
}

/// The cell of a tile's mesh that holds a block of its own.
Cell cell_of(Surface& surface, int size, const LandNode& node, BlockPos block);

/// The height of the water's surface at a place of a cell, in blocks, where it is above the ground.
std::optional<double> water_at(Surface& surface, const Cell& cell, int size, double u, double v);

/// As terrane_land_ground. Normals are those of triangles, not smoothed.
void ground(const Land& land, const double* places, std::size_t count, terrane_ground* grounds);

struct Hit {
  double distance = 0;
  double x = 0, y = 0, height = 0;
  float normal[3] = {};
};
/// Where a ray meets the ground. One that begins below it, or comes to land at hand below it, meets
/// it there. Land that is not at hand does not stop it.
/// @param from, direction  finite; the latter not 0, of any length
/// @param distance  at least 0
std::optional<Hit> ray(const Land& land, const double from[3], const double direction[3],
                       double distance);

/// As terrane_land_placements.
std::size_t placements(const Land& land, double x, double y, double radius, terrane_placement* out,
                       std::size_t capacity);

}  // namespace terrane::core
