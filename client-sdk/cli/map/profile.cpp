#include "cli/map/profile.h"

#include <algorithm>

#include "cli/map/drawing.h"
#include "cli/terminal/text.h"

namespace terrane::cli {

namespace {

constexpr std::int64_t kMinSpan = 8 * 16;  // 1/16 block: flatter land is not stretched further
// of a picture's height: as deep as a biome's own colour is drawn
constexpr double kTurf = 0.035;
constexpr std::uint32_t kHighSky = 0x9CC7E8, kLowSky = 0xE3F0F8, kWater = 0x3B82C4,
                        kDeepWater = 0x1D4F86, kEarth = 0x75604C, kDeepEarth = 0x3A2E27;

/// Height up to which there is water, or ground. Worlds without a water layer have the sea alone.
std::int64_t surface_of(const World& world, const PointSample& sample) {
  const bool layer = std::any_of(world.layers.begin(), world.layers.end(),
                                 [](const LayerInfo& info) { return info.layer == Layer::kWater; });
  return std::max<std::int64_t>(sample.height_q4, layer ? sample.water_q4 : world.sea_level_q4);
}

/// The height in the middle of row `row` of `rows`, the highest first.
double height_of_row(const HeightSpan& span, int row, int rows) {
  const auto low = static_cast<double>(span.low_q4), high = static_cast<double>(span.high_q4);
  return high - (high - low) * (row + 0.5) / rows;
}

std::string label(double height_q4) {
  return pad_left(rounded(height_q4 / 16, 0), kProfileMargin - 1) + ' ';
}

Color biome_color(const World& world, std::uint8_t id) {
  return from_rgb(id < world.biomes.size() ? world.biomes[id].color : 0x808080u);
}

}  // namespace

std::vector<BlockPos> profile_blocks(std::int64_t from, std::int64_t to, std::int64_t y,
                                     int count) {
  const std::int64_t gaps = std::min<std::int64_t>(to - from, count - 1);
  std::vector<BlockPos> blocks{{from, y}};
  for (std::int64_t k = 1; k <= gaps; ++k) {
    // Whole and rest apart: (to - from) * k might not fit.
    const std::int64_t whole = (to - from) / gaps, rest = (to - from) % gaps;
    blocks.push_back({from + whole * k + rest * k / gaps, y});
  }
  return blocks;
}

HeightSpan extremes_of(const World& world, const std::vector<PointSample>& samples) {
  HeightSpan span{samples.front().height_q4, samples.front().height_q4};
  for (const PointSample& sample : samples) {
    span.low_q4 = std::min<std::int64_t>(span.low_q4, sample.height_q4);
    span.high_q4 = std::max(span.high_q4, surface_of(world, sample));
  }
  return span;
}

HeightSpan span_of(const World& world, const std::vector<PointSample>& samples) {
  const HeightSpan span = extremes_of(world, samples);
  const std::int64_t height = std::max(span.high_q4 - span.low_q4, kMinSpan);
  return {span.low_q4 - height / 8, span.low_q4 + height + height / 8};
}

std::string plot_profile(const World& world, const std::vector<PointSample>& samples,
                         std::int64_t from, std::int64_t to, int rows) {
  const HeightSpan span = span_of(world, samples);
  const double step = static_cast<double>(span.high_q4 - span.low_q4) / rows;
  std::string text;
  for (int row = 0; row < rows; ++row) {
    const double height = height_of_row(span, row, rows), sea = world.sea_level_q4;
    const bool at_sea = sea <= height + step / 2 && sea > height - step / 2;
    const bool labelled = row == 0 || row == rows - 1 || at_sea;
    std::string line = labelled ? label(at_sea ? sea : height) : std::string(kProfileMargin, ' ');
    for (const PointSample& sample : samples) {
      const auto surface = static_cast<double>(surface_of(world, sample));
      line += height <= sample.height_q4 ? '#' : height <= surface ? '~' : ' ';
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  const std::string first = std::to_string(from), last = std::to_string(to);
  const std::size_t width = std::max(samples.size(), first.size() + 1 + last.size());
  return text + std::string(kProfileMargin, ' ') + first + pad_left(last, width - first.size()) +
         '\n';
}

Picture draw_profile(const World& world, const std::vector<PointSample>& samples, int height) {
  const HeightSpan span = span_of(world, samples);
  const auto all = static_cast<double>(span.high_q4 - span.low_q4);
  Picture picture{static_cast<int>(samples.size()), height, {}};
  picture.rgb.reserve(3 * samples.size() * static_cast<std::size_t>(height));
  for (int row = 0; row < height; ++row) {
    const double here = height_of_row(span, row, height);
    const Color sky = mix(from_rgb(kHighSky), from_rgb(kLowSky), (row + 0.5) / height);
    for (const PointSample& sample : samples) {
      const auto surface = static_cast<double>(surface_of(world, sample));
      Color color = sky;
      if (here <= sample.height_q4) {
        const double deep = (sample.height_q4 - here) / all;
        color = deep < kTurf ? biome_color(world, sample.biome)
                             : mix(from_rgb(kEarth), from_rgb(kDeepEarth), deep);
      } else if (here <= surface) {
        color = mix(from_rgb(kWater), from_rgb(kDeepWater), (surface - here) / all * 2);
      }
      const std::uint32_t rgb = to_rgb(color);
      for (const int shift : {16, 8, 0})
        picture.rgb.push_back(static_cast<std::uint8_t>(rgb >> shift));
    }
  }
  return picture;
}

}  // namespace terrane::cli
