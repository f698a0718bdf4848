#include "worldgen/continents/ranking.h"

#include <algorithm>
#include <vector>

#include "worldgen/noise/hash.h"
#include "worldgen/noise/simd_target.h"

namespace terrane::worldgen {

namespace {

constexpr int kGrids = 16;
constexpr int kSize = 64;

/// Values of a noise at places that have nothing to do with each other, in increasing order.
std::vector<float> sorted_values(const noise::FractalNoise& shape) {
  std::vector<float> values;
  alignas(64) float grid[kSize * kSize];
  const std::int64_t apart = 3 * std::int64_t{shape.frequency.blocks} / shape.frequency.cells + 1;
  for (std::int64_t g = 0; g < kGrids; ++g) {
    const std::uint64_t key = noise::stream_key(static_cast<std::uint64_t>(g), "ranking");
    for (std::int64_t row = 0; row < kSize; ++row) {  // rows one by one: a grid's stride is bounded, places are not
      for (std::int64_t column = 0; column < kSize; ++column) {
        noise::fill_fractal_noise(shape, key, {{column * apart, row * apart}, 1, 1, 1}, noise::SimdTarget::kScalar, grid);
        values.push_back(grid[0]);
      }
    }
  }
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

Curve rank_inland(const noise::FractalNoise& shape, double land_share) {
  const std::vector<float> values = sorted_values(shape);
  Curve curve;
  curve.first = -1;
  curve.steps_per_unit = 0.5f * Curve::kSteps;
  const double sea_share = 1 - land_share;
  for (int k = 0; k <= Curve::kSteps; ++k) {
    const float value = -1.0f + 2.0f * static_cast<float>(k) / Curve::kSteps;
    const auto lower = std::lower_bound(values.begin(), values.end(), value) - values.begin();
    const double rank = static_cast<double>(lower) / static_cast<double>(values.size());
    curve.values[static_cast<std::size_t>(k)] =
        static_cast<float>(rank < sea_share ? (rank - sea_share) / sea_share : (rank - sea_share) / land_share);
  }
  return curve;
}

}  // namespace terrane::worldgen
