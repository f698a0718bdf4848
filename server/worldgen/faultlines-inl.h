// Compiled once per instruction set by faultlines.cpp. Plain loops over floats: the compiler makes vectors of them, and every
// operation is exactly rounded, so that all instruction sets agree.

#include <algorithm>

#include "hwy/highway.h"
#include "worldgen/faultlines.h"
#include "worldgen/noise/fractal_noise.h"
#include "worldgen/rounding.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::HWY_NAMESPACE {

/// What one line does to samples of one row: (1 - d^2 / reach^2)^2 times -1/2 to 1/2 across the scarp.
/// @param dx, dy  blocks from the line's centre; integers, so exact
HWY_INLINE void add_line(const float* HWY_RESTRICT column, float centre_x, float dy, const Faultline& line, float inverse_reach2,
                         float inverse_scarp, int first, int last, float* HWY_RESTRICT sums) {
  const float normal_x = line.normal_x, across = dy * line.normal_y, dy2 = dy * dy;
  for (int i = first; i < last; ++i) {
    const float dx = column[i] - centre_x;
    const float inside = 1.0f - (dx * dx + dy2) * inverse_reach2;
    const float weight = inside > 0.0f ? inside : 0.0f;
    const float ramp = (dx * normal_x + across) * inverse_scarp + 0.5f;
    const float above = ramp > 0.0f ? ramp : 0.0f;
    const float t = above < 1.0f ? above : 1.0f;
    sums[i] += (weight * weight) * (t * t * (3.0f - 2.0f * t) - 0.5f);
  }
}

/// Sums over all lines, at a grid's samples.
/// @param sums  rows of row_pitch(grid.width) floats
inline void sum_lines(const FaultlinesTerrain& terrain, const std::vector<Faultline>& lines, const noise::SampleGrid& grid,
                      float* HWY_RESTRICT sums) {
  const int pitch = noise::row_pitch(grid.width);
  std::fill_n(sums, static_cast<std::size_t>(pitch) * static_cast<std::size_t>(grid.height), 0.0f);
  alignas(64) float column[noise::kMaxGridSize];
  for (int i = 0; i < grid.width; ++i) column[i] = static_cast<float>(i * grid.stride);
  const float reach = static_cast<float>(terrain.reach);
  const float inverse_reach2 = 1.0f / (reach * reach), inverse_scarp = 1.0f / terrain.scarp;
  // Samples from the first whose distance is above -reach to the last whose distance is below reach.
  const auto first_felt = [&](std::int64_t centre) {
    return static_cast<int>(std::max<std::int64_t>(floor_div(centre - terrain.reach, grid.stride) + 1, 0));
  };
  const auto end_of_felt = [&](std::int64_t centre, int count) {
    return static_cast<int>(std::min<std::int64_t>(floor_div(centre + terrain.reach - 1, grid.stride) + 1, count));
  };
  for (const Faultline& line : lines) {
    const std::int64_t x = line.centre.x - grid.origin.x, y = line.centre.y - grid.origin.y;
    const int first = first_felt(x), last = end_of_felt(x, grid.width), end = end_of_felt(y, grid.height);
    for (int j = first_felt(y); j < end; ++j) {
      add_line(column, static_cast<float>(x), static_cast<float>(j * grid.stride - y), line, inverse_reach2, inverse_scarp, first,
               last, sums + j * pitch);
    }
  }
}

/// To heights: t / sqrt(1 + t^2) leaves small sums as they are and never exceeds 1.
inline void rescale(const FaultlinesTerrain& terrain, float factor, int count, float* HWY_RESTRICT sums) {
  for (int i = 0; i < count; ++i) {
    const float t = sums[i] * factor;
    sums[i] = terrain.baseline_q4 + terrain.amplitude_q4 * (t / __builtin_sqrtf(1.0f + t * t));
  }
}

inline void fill_faultlines(const FaultlinesTerrain& terrain, const std::vector<Faultline>& lines, float factor,
                            const noise::SampleGrid& grid, float* sums) {
  sum_lines(terrain, lines, grid, sums);
  rescale(terrain, factor, noise::row_pitch(grid.width) * grid.height, sums);
}

}  // namespace terrane::worldgen::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
