#pragma once

#include <algorithm>

#include "worldgen/noise/fractal_noise.h"

namespace terrane::worldgen {

/// The blocks between two, both included; none if `to` lies before `from`.
struct BlockArea {
  BlockPos from, to;

  [[nodiscard]] static constexpr BlockArea none() { return {{0, 0}, {-1, -1}}; }
  [[nodiscard]] constexpr bool holds(BlockPos block) const {
    return block.x >= from.x && block.y >= from.y && block.x <= to.x && block.y <= to.y;
  }
  [[nodiscard]] constexpr bool is_empty() const { return to.x < from.x || to.y < from.y; }
};

/// Indices of samples along one axis of a grid: [first, end).
struct SampleRange {
  int first = 0, end = 0;
  [[nodiscard]] bool is_empty() const { return first >= end; }
};

/// The samples that lie between two blocks, both included.
inline SampleRange samples_between(std::int64_t origin, std::int64_t stride, int count,
                                   std::int64_t from, std::int64_t to) {
  const std::int64_t first = -floor_div(origin - from, stride),
                     last = floor_div(to - origin, stride);
  return {static_cast<int>(std::clamp<std::int64_t>(first, 0, count)),
          static_cast<int>(std::clamp<std::int64_t>(last + 1, 0, count))};
}

/// The samples of a grid that lie in a rectangle.
struct SampleRectangle {
  SampleRange x, y;

  SampleRectangle(const noise::SampleGrid& grid, BlockPos from, BlockPos to)
      : x(samples_between(grid.origin.x, grid.stride, grid.width, from.x, to.x)),
        y(samples_between(grid.origin.y, grid.stride, grid.height, from.y, to.y)) {}

  [[nodiscard]] bool is_empty() const { return x.is_empty() || y.is_empty(); }

  /// Calls `visit` with the index of each and its block, row after row.
  template <typename Visit>
  void visit(const noise::SampleGrid& grid, Visit visit) const {
    for (int j = y.first; j < y.end; ++j) {
      for (int i = x.first; i < x.end; ++i) {
        const int at = j * grid.width + i;
        visit(static_cast<std::size_t>(at),
              BlockPos{grid.origin.x + i * grid.stride, grid.origin.y + j * grid.stride});
      }
    }
  }
};

}  // namespace terrane::worldgen
