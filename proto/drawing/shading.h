#pragma once

#include <cstddef>
#include <vector>

#include "drawing/color.h"

/// Light on terrain, as in a printed atlas: the sun stands in the north-west. Pure functions. x
/// grows east, y grows south.
namespace terrane::drawing {

/// How the ground rises, in blocks per block.
struct Slope {
  double east = 0;
  double south = 0;
};

[[nodiscard]] constexpr Slope operator*(Slope slope, double factor) {
  return {slope.east * factor, slope.south * factor};
}

/// A grid of heights in blocks, row by row, first row in the north; samples are `spacing` blocks
/// apart.
struct HeightGrid {
  int width = 0;
  int height = 0;
  double spacing = 1;
  std::vector<float> blocks;

  [[nodiscard]] std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }
  [[nodiscard]] float at(int x, int y) const;  // outside of the grid: the nearest sample
};

/// Slope at a sample, from its 8 neighbours, weighted after Horn (1981).
[[nodiscard]] Slope slope_at(const HeightGrid& grid, int x, int y);

/// Light on a slope: 1 on flat ground, more where it faces the sun, less where it faces away, never
/// negative. Most of the light comes from the north-west, some from west, north and straight above,
/// so that no slope is black.
[[nodiscard]] double hillshade(Slope slope);

/// Heights averaged over about (2 * radius + 1)^2 samples: the large forms without the small.
[[nodiscard]] HeightGrid smoothed(const HeightGrid& grid, int radius);

/// `color` under light `shade`: warmer and lighter above 1, cooler and darker below.
[[nodiscard]] Color lit(Color color, double shade);

/// `color` with bare rock showing through where the ground is steep.
[[nodiscard]] Color with_rock(Color color, Slope slope);

}  // namespace terrane::drawing
