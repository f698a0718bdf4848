#include "worldgen/terrains/continents/ranking.h"

#include <algorithm>
#include <vector>

#include "worldgen/noise/hash.h"
#include "worldgen/noise/simd_target.h"

namespace terrane::worldgen {

namespace {

constexpr std::int64_t kGrids = 16;
constexpr int kSize = 32;
constexpr int kPieces = 20;  // of the curve, on either side of 0

/// Values of a noise at places that have little to do with each other.
std::vector<float> sample(const noise::FractalNoise& spec, const char* stream, std::int64_t apart) {
  std::vector<float> values;
  alignas(64) float grid[kSize * kSize];
  for (std::int64_t g = 0; g < kGrids; ++g) {
    const noise::SampleGrid places{{g * kSize * apart, 0}, apart, kSize, kSize};
    noise::fill_fractal_noise(spec, noise::stream_key(0, stream), places,
                              noise::SimdTarget::kScalar, grid);
    values.insert(values.end(), grid, grid + kSize * kSize);
  }
  return values;
}

double rank_of(const std::vector<float>& sorted, float value) {
  const auto lower = std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin();
  return static_cast<double>(lower) / static_cast<double>(sorted.size());
}

/// 0 at rank `coast`, -1 and 1 at ranks 0 and 1.
float inland_at(double rank, double coast) {
  return static_cast<float>(rank < coast ? (rank - coast) / coast : (rank - coast) / (1 - coast));
}

}  // namespace

Curve rank_inland(const continents::Land& land, double land_share) {
  const std::int64_t apart = std::min<std::int64_t>(
      3 * std::int64_t{land.shape.frequency.blocks} / land.shape.frequency.cells + 1, 65536);
  const std::vector<float> shape = sample(land.shape, "ranking.shape", apart);
  const std::vector<float> detail = sample(land.coast, "ranking.coast", apart);
  std::vector<float> sorted = shape;
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> ranks;
  for (const float value : shape) ranks.push_back(rank_of(sorted, value));

  double low = 0, high = 1;  // ranks between which the coast lies
  for (int step = 0; step < 24; ++step) {
    const double coast = 0.5 * (low + high);
    std::size_t above = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      const float inland = inland_at(ranks[i], coast);
      if (inland + land.coast_amplitude * coast_share(inland) * detail[i] > 0) ++above;
    }
    (static_cast<double>(above) > land_share * static_cast<double>(ranks.size()) ? low : high) =
        coast;
  }

  std::vector<CurvePoint> points;  // few, so that chance does not show as terraces
  for (int k = -kPieces; k <= kPieces; ++k) {
    const double value = static_cast<double>(k) / kPieces;
    points.push_back(
        {value, inland_at(rank_of(sorted, static_cast<float>(value)), 0.5 * (low + high))});
  }
  return curve_through(points);
}

}  // namespace terrane::worldgen
