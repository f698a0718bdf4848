#pragma once

#include <array>
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

struct CurvePoint {
  double x = 0;
  double y = 0;
};

/// The curve through `points` (two at least, x strictly increasing) that is monotone between each
/// two of them and has no corners: piecewise cubic with the slopes of F. N. Fritsch and J. Butland,
/// "A method for constructing local monotone piecewise cubic interpolants" (1984).
[[nodiscard]] Curve curve_through(std::span<const CurvePoint> points);

}  // namespace terrane::worldgen
