#pragma once

#include <cstddef>
#include <vector>

#include "bench/land_skeleton.h"
#include "bench/land_window.h"

/// Connected parts of a window: lakes, landmasses, ranges.
namespace terrane::land {

/// Cells that are connected through sides, or through corners, too; each inner list is one part.
enum class Through { kSides, kCorners };
[[nodiscard]] std::vector<std::vector<std::size_t>> regions_of(const Window& window,
                                                               const Mask& mask, Through through);

/// Whether some cell of it lies at the window's edge.
[[nodiscard]] bool touches_edge(const Window& window, const std::vector<std::size_t>& region);

/// Blocks: the greatest distance between two cells of a region, to half a percent.
[[nodiscard]] double extent_of(const Window& window, const std::vector<std::size_t>& region);

/// The shore of a lake.
struct Shore {
  double area = 0;            // m²: islands count as lake
  double length = 0;          // m: outer shore, smoothed over 8 cells, so that stairs don't count
  double straight_share = 0;  // of it, in pieces that leave their chord by less than a block
  /// P / (2 sqrt(pi A)), the shoreline development index (Hutchinson 1957): 1 of a circle.
  [[nodiscard]] double index() const;
};
/// @param piece  blocks: the length of the pieces of `straight_share`
[[nodiscard]] Shore shore_of(const Window& window, const std::vector<std::size_t>& lake,
                             double piece);

}  // namespace terrane::land
