// Compiled once per instruction set by faultlines.cpp. Plain loops over floats: the compiler makes
// vectors of them, and every operation is exactly rounded, so that all instruction sets agree.

#include <algorithm>
#include <cmath>

#include "hwy/highway.h"
#include "worldgen/noise/fractal_noise.h"
#include "worldgen/rounding.h"
#include "worldgen/terrains/faultlines/faultlines.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::HWY_NAMESPACE {

/// What of a line does not change from row to row, by column.
struct LineColumns {
  alignas(64) float inside[noise::kMaxGridSize];  // 1 - dx^2 / reach^2
  alignas(64) float ramp[noise::kMaxGridSize];    // the way across the scarp, for dy = 0
};

/// Adds what a line does to samples of one row: (1 - d^2 / reach^2)^2 times -1/2 to 1/2 across the
/// scarp.
HWY_INLINE void add_across(const LineColumns& line, float outside, float across, int first,
                           int last, float* HWY_RESTRICT sums) {
  for (int i = first; i < last; ++i) {
    const float inside = line.inside[i] - outside;
    const float weight = inside > 0.0f ? inside : 0.0f;
    const float ramp = line.ramp[i] + across;
    const float above = ramp > 0.0f ? ramp : 0.0f;
    const float t = above < 1.0f ? above : 1.0f;
    sums[i] += (weight * weight) * (t * t * (3.0f - 2.0f * t) - 0.5f);
  }
}

/// The same where all samples lie on one side of the scarp: the last factor is exactly `half`, 1/2
/// or -1/2.
HWY_INLINE void add_beside(const LineColumns& line, float outside, float half, int first, int last,
                           float* HWY_RESTRICT sums) {
  for (int i = first; i < last; ++i) {
    const float inside = line.inside[i] - outside;
    const float weight = inside > 0.0f ? inside : 0.0f;
    sums[i] += (weight * weight) * half;
  }
}

/// One line over a grid.
class LineSum {
 public:
  LineSum(const FaultlinesTerrain& terrain, const noise::SampleGrid& grid, float* sums)
      : grid_(grid),
        sums_(sums),
        reach_blocks_(terrain.reach),
        reach_(static_cast<float>(terrain.reach)),
        inverse_reach2_(1.0f / (reach_ * reach_)),
        inverse_scarp_(1.0f / terrain.scarp),
        stride_(static_cast<float>(grid.stride)),
        inverse_stride_(1.0f / stride_) {}

  void add(const Faultline& line) {
    const std::int64_t y = line.centre.y - grid_.origin.y;
    const auto x = static_cast<float>(line.centre.x - grid_.origin.x);
    const float normal_x = line.normal_x * inverse_scarp_,
                normal_y = line.normal_y * inverse_scarp_;
    const int end = clamp((x + reach_) * inverse_stride_ + 2.0f);
    for (int i = clamp((x - reach_) * inverse_stride_ - 2.0f); i < end; ++i) {
      const float dx = static_cast<float>(i) * stride_ - x;  // whole numbers, so exact
      columns_.inside[i] = 1.0f - dx * dx * inverse_reach2_;
      columns_.ramp[i] = dx * normal_x + 0.5f;
    }
    const auto first_row =
        static_cast<int>(std::max<std::int64_t>(floor_div(y - reach_blocks_, grid_.stride) + 1, 0));
    for (int j = first_row; j < grid_.height; ++j) {
      const auto dy = static_cast<float>(j * grid_.stride - y);
      const float square = reach_ * reach_ - dy * dy;
      if (!(square > 0.0f)) break;
      // Samples that are not inside get 0, so that it is enough to leave out most of them.
      const float half_chord = std::sqrt(square);
      const int first = clamp((x - half_chord) * inverse_stride_ - 2.0f),
                last = clamp((x + half_chord) * inverse_stride_ + 2.0f);
      if (first < last)
        add_row(dy * dy * inverse_reach2_, dy * normal_y, first, last,
                sums_ + j * noise::row_pitch(grid_.width));
    }
  }

 private:
  [[nodiscard]] int clamp(float column) const {
    const float end = static_cast<float>(grid_.width);
    return static_cast<int>(column > 0.0f ? (column < end ? column : end) : 0.0f);
  }

  /// The ramp never falls, or never rises, along a row: its ends tell whether it is over.
  void add_row(float outside, float across, int first, int last, float* sums) const {
    const float a = columns_.ramp[first] + across, b = columns_.ramp[last - 1] + across;
    if (a >= 1.0f && b >= 1.0f) return add_beside(columns_, outside, 0.5f, first, last, sums);
    if (a <= 0.0f && b <= 0.0f) return add_beside(columns_, outside, -0.5f, first, last, sums);
    add_across(columns_, outside, across, first, last, sums);
  }

  const noise::SampleGrid& grid_;
  float* sums_;
  std::int64_t reach_blocks_;
  float reach_, inverse_reach2_, inverse_scarp_, stride_, inverse_stride_;
  LineColumns columns_;
};

/// To heights: t / sqrt(1 + t^2) leaves small sums as they are and never exceeds 1.
inline void rescale(const FaultlinesTerrain& terrain, float factor, int count,
                    float* HWY_RESTRICT sums) {
  for (int i = 0; i < count; ++i) {
    const float t = sums[i] * factor;
    sums[i] = terrain.baseline_q4 + terrain.amplitude_q4 * (t / std::sqrt(1.0f + t * t));
  }
}

/// @param sums  rows of row_pitch(grid.width) floats
inline void fill_faultlines(const FaultlinesTerrain& terrain, const std::vector<Faultline>& lines,
                            float factor, const GridContext& context, float* sums) {
  const int count = context.count();
  std::fill_n(sums, count, 0.0f);
  LineSum sum(terrain, context.grid, sums);
  for (const Faultline& line : lines) {
    context.stop_if_abandoned();
    sum.add(line);
  }
  rescale(terrain, factor, count, sums);
}

}  // namespace terrane::worldgen::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
