#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace terrane::worldgen {

/// A function of one variable, tabulated at even steps and linear in between; constant beyond its
/// ends.
struct Curve {
  static constexpr int kSteps = 256;
  float first = 0;           // where the table begins
  float steps_per_unit = 1;  // entries in a unit of the variable
  std::array<float, kSteps + 1> values{};

  friend bool operator==(const Curve&, const Curve&) = default;
};

/// A curve's value at a place.
[[nodiscard]] inline float value_at(const Curve& curve, float x) {
  constexpr auto kSteps = static_cast<float>(Curve::kSteps);
  const float from_first = (x - curve.first) * curve.steps_per_unit;
  const float above = from_first > 0.0f ? from_first : 0.0f;
  const float inside = above < kSteps ? above : kSteps;
  const int whole = static_cast<int>(inside);
  const int step = whole < Curve::kSteps ? whole : Curve::kSteps - 1;
  const float* const from = &curve.values[static_cast<std::size_t>(step)];
  return from[0] + (inside - static_cast<float>(step)) * (from[1] - from[0]);
}

struct CurvePoint {
  double x = 0;
  double y = 0;
};

/// The curve through `points` (two at least, x strictly increasing) that is monotone between each
/// two of them and has no corners: piecewise cubic with the slopes of F. N. Fritsch and J. Butland,
/// "A method for constructing local monotone piecewise cubic interpolants" (1984).
[[nodiscard]] Curve curve_through(std::span<const CurvePoint> points);

}  // namespace terrane::worldgen
