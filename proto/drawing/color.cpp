#include "drawing/color.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace terrane::drawing {
namespace {

constexpr std::array kTemperature{Stop{-40, 0x3b1f6b}, Stop{-25, 0x2f4fa8}, Stop{-10, 0x4b93c9},
                                  Stop{0, 0x97c9de},   Stop{10, 0xf1efe3},  Stop{20, 0xf3c27c},
                                  Stop{30, 0xe07b46},  Stop{40, 0xb5332e},  Stop{50, 0x6b0f2a}};

constexpr std::array kHumidity{Stop{0, 0xf6ecd2},  Stop{20, 0xdfd9a4}, Stop{40, 0x9fca9a},
                               Stop{60, 0x4fae9d}, Stop{80, 0x20799a}, Stop{100, 0x1b2f6b}};

constexpr std::array kForest{Stop{0, 0xefe9d8}, Stop{25, 0xc2d3a0}, Stop{50, 0x86ad6a},
                             Stop{75, 0x4b8046}, Stop{100, 0x1f4d2b}};

constexpr std::array kRocks{Stop{0, 0xf1ece0}, Stop{10, 0xc9bda9}, Stop{25, 0x9c8c7a},
                            Stop{50, 0x6b5c50}, Stop{100, 0x2e2723}};

// Shares of the way from the coast to the world's extreme.
constexpr std::array kLand{Stop{0, 0x6f9f5d},    Stop{0.08, 0x8fb46a}, Stop{0.22, 0xcdc98a},
                           Stop{0.42, 0xc69f62}, Stop{0.62, 0x9a6a48}, Stop{0.8, 0x8d8079},
                           Stop{1, 0xf7f6f4}};

constexpr std::array kSea{Stop{0, 0x9fd0d8}, Stop{0.06, 0x78b8d0}, Stop{0.25, 0x4690bd},
                          Stop{0.6, 0x275f96}, Stop{1, 0x16325f}};

}  // namespace

Color from_rgb(std::uint32_t rgb) {
  return {((rgb >> 16) & 255) / 255.0, ((rgb >> 8) & 255) / 255.0, (rgb & 255) / 255.0};
}

std::uint32_t to_rgb(Color color) {
  const auto byte = [](double part) {
    return static_cast<std::uint32_t>(std::lround(std::clamp(part, 0.0, 1.0) * 255));
  };
  return byte(color.r) << 16 | byte(color.g) << 8 | byte(color.b);
}

Color operator*(Color color, double factor) {
  return {color.r * factor, color.g * factor, color.b * factor};
}

Color mix(Color a, Color b, double t) {
  const double share = std::clamp(t, 0.0, 1.0);
  return {a.r + (b.r - a.r) * share, a.g + (b.g - a.g) * share, a.b + (b.b - a.b) * share};
}

Color printed(Color color) {
  constexpr Color kPaper{0.95, 0.93, 0.87};
  constexpr double kPaleness = 0.1;
  constexpr double kGreyness = 0.2;
  const double grey = lightness(color);
  return mix(mix(color, {grey, grey, grey}, kGreyness), kPaper, kPaleness);
}

double lightness(Color color) { return 0.2126 * color.r + 0.7152 * color.g + 0.0722 * color.b; }

Color ramp(std::span<const Stop> stops, double value) {
  const auto above = std::find_if(stops.begin(), stops.end(),
                                  [value](const Stop& stop) { return stop.value > value; });
  if (above == stops.begin()) return from_rgb(stops.front().color);
  if (above == stops.end()) return from_rgb(stops.back().color);
  const Stop& below = *(above - 1);
  return mix(from_rgb(below.color), from_rgb(above->color),
             (value - below.value) / (above->value - below.value));
}

Color temperature_color(double celsius) { return ramp(kTemperature, celsius); }

Color humidity_color(double percent) { return ramp(kHumidity, percent); }
Color forest_color(double percent) { return ramp(kForest, percent); }
Color rock_color(double percent) { return ramp(kRocks, percent); }

Color height_color(double above_sea, double deepest, double highest) {
  if (above_sea < 0) return water_color(-above_sea, -deepest);
  return ramp(kLand, highest > 0 ? above_sea / highest : 0);
}

Color water_color(double depth, double deepest) {
  return ramp(kSea, deepest > 0 ? depth / deepest : 0);
}

}  // namespace terrane::drawing
