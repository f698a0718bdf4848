#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "drawing/shading.h"
#include "terrane/chunk.h"
#include "terrane/coord.h"

/// Samples of chunks of any level of detail -> a grid of samples of one. Pure functions.
namespace terrane::drawing {

/// Where a chunk lies in a grid: what the samples [first, past) of one axis show of it.
struct Overlap {
  int first = 0, past = 0;  // samples of the grid
  std::int64_t offset = 0;  // from the chunk's first block to the grid's
  Lod grid_lod = 0, lod = 0;

  /// Index of the chunk's sample that stands at a sample of the grid, or before it.
  [[nodiscard]] int at(int sample) const {
    return static_cast<int>((offset + (std::int64_t{sample} << grid_lod)) >> lod);
  }
  /// How far the grid's sample lies beyond that, 0 to 1 of the way to the next one.
  [[nodiscard]] double beyond(int sample) const {
    const std::int64_t blocks = offset + (std::int64_t{sample} << grid_lod);
    return std::ldexp(static_cast<double>(blocks & ((std::int64_t{1} << lod) - 1)), -lod);
  }
};

/// @param from    the grid's first sample, of `count`
/// @param origin  the chunk's first block, of `span`
[[nodiscard]] Overlap overlap(std::int64_t from, int count, Lod grid_lod, std::int64_t origin,
                              std::int64_t span, Lod lod);

/// Copies what a grid shows of a chunk's layer, the sample at or before each of its own. Nothing,
/// where either is empty.
/// @param from   of `size` x `size` samples
/// @param width  of the grid `to`
template <typename T>
void copy_samples(const std::vector<T>& from, int size, const Overlap& x, const Overlap& y,
                  std::vector<T>& to, int width) {
  if (from.empty() || to.empty()) return;
  for (int row = y.first; row < y.past; ++row) {
    const T* const in = from.data() + std::ptrdiff_t{y.at(row)} * size;
    T* const out = to.data() + std::ptrdiff_t{row} * width;
    for (int column = x.first; column < x.past; ++column) out[column] = in[x.at(column)];
  }
}

/// Heights of a coarser chunk, linear between its samples: nearest ones would make a staircase.
void stretch_heights(const Chunk& chunk, const Overlap& x, const Overlap& y,
                     std::vector<std::int32_t>& to, int width);

/// Gives what is not known the height of the nearest that is, along its row or else its column: no
/// cliffs at the edge of the known.
/// @param known  a value for each of the grid's, 0: not known
void spread(HeightGrid& grid, std::vector<std::uint8_t> known);

}  // namespace terrane::drawing
