#include "worldgen/placement/density.h"

#include <algorithm>
#include <array>

#include "worldgen/noise/field.h"
#include "worldgen/noise/hash.h"
#include "worldgen/rounding.h"

// The noise of patches is computed at the nodes of a lattice anchored at the world's origin, and becomes integers there; between
// nodes it is interpolated in integers, so that a node's value comes out exactly and all grids agree.

namespace terrane::worldgen {

namespace {

constexpr std::int32_t kSpacing = 4;     // blocks from node to node
constexpr std::int32_t kNodeTop = 4095;  // a node's largest value

/// A noise's rank among its values, about: 0 where it is lowest, kNodeTop where it is highest, and all values as frequent.
std::int32_t rank_of(float noise) {
  constexpr float kStretch = 1.25f;  // a sum of four octaves seldom leaves the middle of its range
  const float unit = std::min(std::max(0.5f + kStretch * noise, 0.0f), 1.0f);
  const float even = unit * unit * (3.0f - 2.0f * unit);
  return static_cast<std::int32_t>(even * static_cast<float>(kNodeTop));
}

/// The nodes that an axis's samples lie between.
struct Axis {
  std::int64_t first = 0;  // block of node 0
  int nodes = 0;
  std::array<std::uint8_t, noise::kMaxGridSize> node{}, part{};  // of each sample: the node at or before it, blocks beyond that

  Axis(std::int64_t origin, std::int64_t stride, int samples) {
    first = floor_div(origin, kSpacing) * kSpacing;
    for (int i = 0; i < samples; ++i) {
      const std::int64_t from_first = origin + i * stride - first;
      node[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(from_first / kSpacing);
      part[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(from_first % kSpacing);
    }
    nodes = node[static_cast<std::size_t>(samples) - 1] + 2;
  }
};

void fill_at_nodes(const noise::Field& field, const noise::SampleGrid& grid, PatchLevels& levels) {
  const int pitch = noise::row_pitch(grid.width);
  for (int j = 0; j < grid.height; ++j) {
    for (int i = 0; i < grid.width; ++i) {
      const std::int32_t rank = rank_of(field[static_cast<std::size_t>(j * pitch + i)]);
      levels.at[static_cast<std::size_t>(j * grid.width + i)] = static_cast<std::uint8_t>(rank * kPatchLevels / (kNodeTop + 1));
    }
  }
}

/// First along x, from nodes to the samples' columns, then along y. Sixteen times a rank fits into 16 bits, so that a vector
/// holds many.
void fill_between_nodes(const noise::Field& field, const noise::SampleGrid& grid, const Axis& x, const Axis& y,
                        PatchLevels& levels) {
  static_assert(kSpacing * kSpacing * kNodeTop <= 0xffff && kSpacing * kSpacing * (kNodeTop + 1) / kPatchLevels == 256);
  const int pitch = noise::row_pitch(x.nodes), width = grid.width;
  std::array<std::uint16_t, (noise::kMaxGridSize + 1)> ranks;
  std::array<std::uint16_t, (noise::kMaxGridSize / 2 + 2) * noise::kMaxGridSize> rows;
  for (int j = 0; j < y.nodes; ++j) {
    for (int i = 0; i < x.nodes; ++i) {
      ranks[static_cast<std::size_t>(i)] = static_cast<std::uint16_t>(rank_of(field[static_cast<std::size_t>(j * pitch + i)]));
    }
    std::uint16_t* __restrict to = rows.data() + j * width;
    for (std::size_t i = 0; i < static_cast<std::size_t>(width); ++i) {
      const int a = ranks[x.node[i]], b = ranks[x.node[i] + 1u];
      to[i] = static_cast<std::uint16_t>(kSpacing * a + x.part[i] * (b - a));
    }
  }
  for (std::size_t j = 0; j < static_cast<std::size_t>(grid.height); ++j) {
    const std::uint16_t* __restrict upper = rows.data() + y.node[j] * width;
    const std::uint16_t* __restrict lower = upper + width;
    const auto below = static_cast<std::uint16_t>(y.part[j]), above = static_cast<std::uint16_t>(kSpacing - below);
    std::uint8_t* __restrict to = levels.at.data() + static_cast<std::ptrdiff_t>(j) * width;
    for (int i = 0; i < width; ++i) {
      to[i] = static_cast<std::uint8_t>(static_cast<std::uint16_t>(above * upper[i] + below * lower[i]) >> 8);
    }
  }
}

/// Densities by 256ths of what the patches say: kSteps where the ground is no steeper than gentle, 0 from steep on.
constexpr std::int32_t kSteps = 256;

std::int32_t left_on_slope(const DensityRule& rule, std::int32_t slope_p) {
  return std::clamp((rule.steep_p - slope_p) * kSteps / (rule.steep_p - rule.gentle_p), 0, kSteps);
}

std::int16_t steepest(std::span<const std::int16_t> slope_p) {
  std::int16_t most = 0;
  for (const std::int16_t slope : slope_p) most = std::max(most, slope);
  return most;
}

std::uint8_t quantised(std::int32_t percent) {
  return static_cast<std::uint8_t>((percent + kDensityStep / 2) / kDensityStep * kDensityStep);
}

}  // namespace

std::vector<std::uint8_t> patch_table(std::span<const double> means, double edge) {
  std::vector<std::uint8_t> table;
  for (const double mean : means) {
    const double inside = 0.5 + 0.5 * mean / 100;               // density within a patch
    const double share = mean / 100 / inside;                   // of the ground that patches cover
    const double middle = (1 - share) * (1 + edge) - edge / 2;  // rank at the middle of a patch's edge
    for (int level = 0; level < kPatchLevels; ++level) {
      const double rank = (level + 0.5) / kPatchLevels;
      const double within = std::min(std::max((rank - middle) / edge + 0.5, 0.0), 1.0);
      table.push_back(quantised(static_cast<std::int32_t>(100 * inside * within + 0.5)));
    }
  }
  return table;
}

void fill_patches(const DensityRule& rule, std::string_view stream, std::uint64_t seed, const noise::SampleGrid& grid,
                  noise::SimdTarget target, PatchLevels& out) {
  noise::Field field;
  const std::uint64_t key = noise::stream_key(seed, stream);
  if (grid.stride >= kSpacing) {
    field.fill(rule.patches, key, grid, target);
    return fill_at_nodes(field, grid, out);
  }
  const Axis x(grid.origin.x, grid.stride, grid.width), y(grid.origin.y, grid.stride, grid.height);
  field.fill(rule.patches, key, {{x.first, y.first}, kSpacing, x.nodes, y.nodes}, target);
  fill_between_nodes(field, grid, x, y, out);
}

void fill_density(const DensityRule& rule, const PatchLevels& patches, const DensitySite& site, std::span<std::uint8_t> out) {
  const std::uint8_t* __restrict percent = rule.percent.data(), * __restrict biome = site.biome.data();
  std::uint8_t* __restrict to = out.data();
  const std::size_t count = out.size();
  for (std::size_t i = 0; i < count; ++i) to[i] = percent[biome[i] * kPatchLevels + patches.at[i]];
  if (steepest(site.slope_p) > rule.gentle_p) {
    const std::int16_t* __restrict slope = site.slope_p.data();
    for (std::size_t i = 0; i < count; ++i) {
      if (slope[i] > rule.gentle_p) to[i] = quantised(to[i] * left_on_slope(rule, slope[i]) / kSteps);
    }
  }
  if (!site.water_q4.empty()) {
    const std::int32_t* __restrict water = site.water_q4.data(), * __restrict height = site.height_q4.data();
    for (std::size_t i = 0; i < count; ++i) to[i] = water[i] > height[i] ? std::uint8_t{0} : to[i];
  }
}

}  // namespace terrane::worldgen
