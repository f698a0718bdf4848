#include "drawing/shading.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace terrane::drawing {
namespace {

struct Light {
  double east, south, up;  // unit vector towards the light
  double share;
};

constexpr double kHalfRoot = 0.70710678118654752;
constexpr std::array kLights{Light{-0.5, -0.5, kHalfRoot, 0.6},
                             Light{-kHalfRoot, 0, kHalfRoot, 0.13},
                             Light{0, -kHalfRoot, kHalfRoot, 0.13}, Light{0, 0, 1, 0.14}};

constexpr Color kSunlight{1.0, 0.98, 0.90};
constexpr Color kShadow{0.16, 0.18, 0.30};
constexpr double kDeepestShadow = 0.8;  // some of the ground always shows
constexpr Color kRock{0.55, 0.51, 0.47};
constexpr double kRockBegins = 0.6;  // rise per block at which soil gives way to rock …
constexpr double kRockEnds = 1.6;    // … and where it has
constexpr double kMaxRock = 0.55;

double light_on(Slope slope) {
  const double length = std::sqrt(slope.east * slope.east + slope.south * slope.south + 1);
  double sum = 0;
  for (const Light& light : kLights) {
    sum += light.share *
           std::max(0.0, (light.up - slope.east * light.east - slope.south * light.south) / length);
  }
  return sum;
}

/// Running mean over 2 * radius + 1 values along one line of the grid; the ends count on as they
/// are.
void smooth_line(const float* in, float* out, int count, std::ptrdiff_t step, int radius) {
  const auto value = [&](int i) {
    return static_cast<double>(in[std::clamp(i, 0, count - 1) * step]);
  };
  double sum = 0;
  for (int i = -radius; i <= radius; ++i) sum += value(i);
  for (int i = 0; i < count; ++i) {
    out[i * step] = static_cast<float>(sum / (2 * radius + 1));
    sum += value(i + radius + 1) - value(i - radius);
  }
}

}  // namespace

float HeightGrid::at(int x, int y) const {
  return blocks[index(std::clamp(x, 0, width - 1), std::clamp(y, 0, height - 1))];
}

Slope slope_at(const HeightGrid& grid, int x, int y) {
  const int columns[] = {std::max(x - 1, 0), x, std::min(x + 1, grid.width - 1)};
  const int rows[] = {std::max(y - 1, 0), y, std::min(y + 1, grid.height - 1)};
  const auto h = [&](int dx, int dy) {
    return static_cast<double>(grid.blocks[grid.index(columns[dx + 1], rows[dy + 1])]);
  };
  const double east = h(1, -1) + 2 * h(1, 0) + h(1, 1) - h(-1, -1) - 2 * h(-1, 0) - h(-1, 1);
  const double south = h(-1, 1) + 2 * h(0, 1) + h(1, 1) - h(-1, -1) - 2 * h(0, -1) - h(1, -1);
  return {east / (8 * grid.spacing), south / (8 * grid.spacing)};
}

double hillshade(Slope slope) {
  static const double flat = light_on({});
  return light_on(slope) / flat;
}

HeightGrid smoothed(const HeightGrid& grid, int radius) {
  HeightGrid out = grid;
  std::vector<float> between(grid.blocks.size());
  for (int pass = 0; pass < 2; ++pass) {  // twice a box is nearly a bell: no streaks
    for (int y = 0; y < grid.height; ++y) {
      const auto row = static_cast<std::size_t>(y) * static_cast<std::size_t>(grid.width);
      smooth_line(out.blocks.data() + row, between.data() + row, grid.width, 1, radius);
    }
    for (int x = 0; x < grid.width; ++x) {
      smooth_line(between.data() + x, out.blocks.data() + x, grid.height, grid.width, radius);
    }
  }
  return out;
}

Color lit(Color color, double shade) {
  if (shade >= 1) return mix(color, kSunlight, (shade - 1) * 0.9);
  const Color dark{color.r * kShadow.r, color.g * kShadow.g, color.b * kShadow.b};
  return mix(color, mix(dark, kShadow, 0.5), (1 - shade) * kDeepestShadow);
}

Color with_rock(Color color, Slope slope) {
  const double rise = std::hypot(slope.east, slope.south);
  return mix(color, kRock,
             std::clamp((rise - kRockBegins) / (kRockEnds - kRockBegins), 0.0, 1.0) * kMaxRock);
}

}  // namespace terrane::drawing
