#include "worldgen/terrains/continents/curve.h"

#include <cassert>
#include <vector>

namespace terrane::worldgen {

namespace {

/// Slope at the joint of two pieces: their weighted harmonic mean, or none at an extreme.
double joint_slope(double width0, double slope0, double width1, double slope1) {
  if (slope0 * slope1 <= 0) return 0;
  const double weight0 = 2 * width1 + width0, weight1 = width1 + 2 * width0;
  return (weight0 + weight1) / (weight0 / slope0 + weight1 / slope1);
}

}  // namespace

Curve curve_through(std::span<const CurvePoint> points) {
  assert(points.size() >= 2);
  const std::size_t pieces = points.size() - 1;
  std::vector<double> width(pieces), rise(pieces), slope(points.size());
  for (std::size_t i = 0; i < pieces; ++i) {
    width[i] = points[i + 1].x - points[i].x;
    rise[i] = (points[i + 1].y - points[i].y) / width[i];
  }
  slope.front() = rise.front();
  slope.back() = rise.back();
  for (std::size_t i = 1; i < pieces; ++i)
    slope[i] = joint_slope(width[i - 1], rise[i - 1], width[i], rise[i]);

  Curve curve;
  const double first = points.front().x;
  const double span = points.back().x - first;
  curve.first = static_cast<float>(first);
  curve.steps_per_unit = static_cast<float>(Curve::kSteps / span);
  std::size_t piece = 0;
  for (int k = 0; k <= Curve::kSteps; ++k) {
    const double x = first + span * k / Curve::kSteps;
    while (piece + 1 < pieces && x > points[piece + 1].x) ++piece;
    const double t = (x - points[piece].x) / width[piece];
    const double from_start = t * t * (3 - 2 * t);
    const double bend0 = t * (1 - t) * (1 - t), bend1 = t * t * (t - 1);
    curve.values[static_cast<std::size_t>(k)] =
        static_cast<float>(points[piece].y + (points[piece + 1].y - points[piece].y) * from_start +
                           width[piece] * (bend0 * slope[piece] + bend1 * slope[piece + 1]));
  }
  return curve;
}

}  // namespace terrane::worldgen
