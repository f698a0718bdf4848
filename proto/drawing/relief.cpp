#include "drawing/relief.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace terrane::drawing {
namespace {

// What the eye wants, found by looking at maps.
constexpr double kTypicalSlope = 0.3;  // mean slope of the land as it is drawn, in blocks per block
constexpr double kMinExaggeration = 0.4;
constexpr double kMaxExaggeration = 12;
constexpr double kFormExaggeration = 1.8;  // of the large forms, on top
constexpr double kFormShare = 0.45;        // of the light that follows the large forms
constexpr int kFormRadius = 6;             // samples
// of the deepest sea: rivers are drawn as if so much deeper, or they would be pale
constexpr double kInlandDepth = 0.2;
constexpr double kSeabedLight = 0.22;  // how much of the seabed's relief shows through water

/// Ground colour, averaged with the neighbours on land: biomes end without steps.
Color ground_at(const ReliefInput& input, std::span<const Color> colors, int x, int y) {
  constexpr double kWeights[] = {1, 2, 1};
  const HeightGrid& grid = input.above_sea;
  Color sum;
  double total = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (x + dx < 0 || x + dx >= grid.width || y + dy < 0 || y + dy >= grid.height) continue;
      const std::size_t i = grid.index(x + dx, y + dy);
      if (grid.blocks[i] <= 0) continue;
      const double weight = kWeights[dx + 1] * kWeights[dy + 1];
      const Color& color = colors[i];
      sum = {sum.r + color.r * weight, sum.g + color.g * weight, sum.b + color.b * weight};
      total += weight;
    }
  }
  return total > 0 ? sum * (1 / total) : colors[grid.index(x, y)];
}

/// How much of a sample's square is dry, taking the ground for a plane: between 0 and 1 on the
/// coast alone.
double dry_share(double above_sea, Slope slope, double spacing) {
  const double rise = std::hypot(slope.east, slope.south) * spacing;
  if (rise == 0) return above_sea > 0 ? 1 : 0;
  return std::clamp(0.5 + above_sea / rise, 0.0, 1.0);
}

/// Water and the ground beside it, of one sample.
struct Wetness {
  double dry = 1;    // share of the sample
  double depth = 0;  // blocks
};

Wetness wetness(const ReliefInput& input, std::size_t i, Slope slope) {
  const double above_sea = input.above_sea.blocks[i];
  if (input.water_depth.empty()) {
    return {dry_share(above_sea, slope, input.above_sea.spacing), std::max(0.0, -above_sea)};
  }
  const double depth = input.water_depth[i];
  if (depth > 0) return {dry_share(-depth, slope, input.above_sea.spacing), depth};
  return {above_sea > 0 ? dry_share(above_sea, slope, input.above_sea.spacing) : 1, 0};
}

}  // namespace

double exaggeration_for(const HeightGrid& above_sea) {
  double sum = 0;
  std::size_t count = 0;
  for (int y = 0; y < above_sea.height; ++y) {
    for (int x = 0; x < above_sea.width; ++x) {
      if (above_sea.at(x, y) <= 0) continue;
      const Slope slope = slope_at(above_sea, x, y);
      sum += std::hypot(slope.east, slope.south);
      ++count;
    }
  }
  if (count == 0 || sum == 0) return 1;
  return std::clamp(kTypicalSlope * static_cast<double>(count) / sum, kMinExaggeration,
                    kMaxExaggeration);
}

Relief::Relief(ReliefInput input)
    : input_(std::move(input)),
      forms_(smoothed(input_.above_sea, kFormRadius)),
      exaggeration_(input_.exaggeration ? *input_.exaggeration
                                        : exaggeration_for(input_.above_sea)) {
  const std::size_t samples = input_.above_sea.blocks.size();
  ground_.reserve(samples);
  for (std::size_t i = 0; i < samples; ++i) ground_.push_back(input_.color_at(i));
}

void Relief::paint_row(int row, const std::function<void(std::size_t, Color)>& paint) const {
  const HeightGrid& grid = input_.above_sea;
  for (int x = 0; x < grid.width; ++x) {
    const Slope slope = slope_at(grid, x, row);
    const double shade =
        (1 - kFormShare) * hillshade(slope * exaggeration_) +
        kFormShare * hillshade(slope_at(forms_, x, row) * (exaggeration_ * kFormExaggeration));
    const auto [dry, depth] = wetness(input_, grid.index(x, row), slope);
    const double drawn_depth = grid.at(x, row) > 0 ? depth + kInlandDepth * input_.deepest : depth;
    Color color;
    if (dry > 0) color = lit(with_rock(printed(ground_at(input_, ground_, x, row)), slope), shade);
    if (dry < 1)
      color = mix(lit(water_color(drawn_depth, input_.deepest), 1 + (shade - 1) * kSeabedLight),
                  color, dry);
    paint(grid.index(x, row), color);
  }
}

}  // namespace terrane::drawing
