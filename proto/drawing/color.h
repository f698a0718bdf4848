#pragma once

#include <cstdint>
#include <span>

/// Colours and colour ramps. Pure functions.
namespace terrane::drawing {

/// Red, green and blue as sRGB, each 0 to 1; shading may leave the range, to_rgb8 clamps.
struct Color {
  double r = 0;
  double g = 0;
  double b = 0;
};

[[nodiscard]] Color from_rgb(std::uint32_t rgb);  // 0xRRGGBB
[[nodiscard]] std::uint32_t to_rgb(Color color);
[[nodiscard]] Color operator*(Color color, double factor);

/// `a` where t is 0 or less, `b` where it is 1 or more, linear between.
[[nodiscard]] Color mix(Color a, Color b, double t);

/// As ink on paper: less saturated, a little paler.
[[nodiscard]] Color printed(Color color);

/// How light it looks, 0 to 1 (Rec. 709 weights).
[[nodiscard]] double lightness(Color color);

/// One stop of a ramp: `color` at `value`.
struct Stop {
  double value = 0;
  std::uint32_t color = 0;  // 0xRRGGBB
};

/// Linear between stops of growing value; the end colours beyond the ends.
[[nodiscard]] Color ramp(std::span<const Stop> stops, double value);

/// Fixed ranges, so that maps of different places compare.
[[nodiscard]] Color temperature_color(double celsius);  // diverging around 10: -40 to 50
[[nodiscard]] Color humidity_color(double percent);     // sequential, dry to wet: 0 to 100
// sequential, open land to dense forest: 0 to 100
[[nodiscard]] Color forest_color(double percent);
// sequential, bare ground to boulders everywhere: 0 to 100
[[nodiscard]] Color rock_color(double percent);
/// Hypsometric tints: from the deepest sea over the coast to the highest peak.
/// @param above_sea  blocks
/// @param deepest, highest  what the world can hold, in blocks from sea level (at most 0 and at
///   least 0)
[[nodiscard]] Color height_color(double above_sea, double deepest, double highest);
/// Sea seen from above: the deeper, the darker.
/// @param depth  blocks, 0 or more
[[nodiscard]] Color water_color(double depth, double deepest);

}  // namespace terrane::drawing
