#include "drawing/samples.h"

#include <algorithm>

namespace terrane::drawing {

Overlap overlap(std::int64_t from, int count, Lod grid_lod, std::int64_t origin, std::int64_t span,
                Lod lod) {
  const std::int64_t step = std::int64_t{1} << grid_lod;
  // or the next one
  const auto sample_at = [&](std::int64_t block) {
    return floor_div(block + step - 1, step) - from;
  };
  const auto within = [count](std::int64_t sample) {
    return static_cast<int>(std::clamp<std::int64_t>(sample, 0, count));
  };
  return {within(sample_at(origin)), within(sample_at(origin + span)), from * step - origin,
          grid_lod, lod};
}

void stretch_heights(const Chunk& chunk, const Overlap& x, const Overlap& y,
                     std::vector<std::int32_t>& to, int width) {
  if (chunk.height_q4.empty() || to.empty()) return;
  const auto height = [&](int i, int j) {
    const int column = std::min(i, chunk.size - 1);
    const int row = std::min(j, chunk.size - 1);
    const int at = row * chunk.size + column;
    return static_cast<double>(chunk.height_q4[static_cast<std::size_t>(at)]);
  };
  for (int row = y.first; row < y.past; ++row) {
    const int j = y.at(row);
    for (int column = x.first; column < x.past; ++column) {
      const int i = x.at(column);
      const double north = std::lerp(height(i, j), height(i + 1, j), x.beyond(column));
      const double south = std::lerp(height(i, j + 1), height(i + 1, j + 1), x.beyond(column));
      to[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
         static_cast<std::size_t>(column)] =
          static_cast<std::int32_t>(std::lround(std::lerp(north, south, y.beyond(row))));
    }
  }
}

void spread(HeightGrid& grid, std::vector<std::uint8_t> known) {
  const auto along = [&](std::ptrdiff_t at, std::ptrdiff_t step, int count) {
    for (int i = 1; i < count; ++i, at += step) {
      const auto here = static_cast<std::size_t>(at), next = static_cast<std::size_t>(at + step);
      if (known[next] || !known[here]) continue;
      grid.blocks[next] = grid.blocks[here];
      known[next] = 1;
    }
  };
  const std::ptrdiff_t width = grid.width, height = grid.height;
  for (std::ptrdiff_t y = 0; y < height; ++y) {
    along(y * width, 1, grid.width);
    along(y * width + width - 1, -1, grid.width);
  }
  for (std::ptrdiff_t x = 0; x < width; ++x) {
    along(x, width, grid.height);
    along((height - 1) * width + x, -width, grid.height);
  }
}

}  // namespace terrane::drawing
