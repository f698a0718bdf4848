#include "worldgen/placement/density.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "worldgen/rounding.h"

// The noise of patches is computed at the nodes of a lattice anchored at the world's origin, and
// becomes integers there; between nodes it is interpolated in integers, so that a node's value
// comes out exactly and all grids agree.

namespace terrane::worldgen {

namespace {

constexpr std::int32_t kSpacing = 4;  // blocks from node to node

std::int32_t rank_of(const DensityRule& rule, float noise) {
  return rule.rank[static_cast<std::size_t>((noise + 1.0f) * static_cast<float>(kRankSteps / 2))];
}

/// Ranks of a noise's values, so that each is as frequent: measured at places that are apart.
std::vector<std::uint16_t> measure_ranks(const noise::FractalNoise& patches) {
  constexpr int kSize = 128;  // measured places along one edge
  const std::int64_t apart = std::min<std::int64_t>(
      3 * std::int64_t{patches.frequency.blocks} / patches.frequency.cells + 1, 65536);
  Scratch scratch;
  const GridContext places{{{0, 0}, apart, kSize, kSize}, 0, noise::SimdTarget::kScalar, &scratch};
  const float* const field = places.noise(patches, "ranking.patches");
  std::array<int, kRankSteps + 1> count{};
  for (std::size_t i = 0; i < kSize * kSize; ++i) {
    ++count[static_cast<std::size_t>((field[i] + 1.0f) * static_cast<float>(kRankSteps / 2))];
  }
  std::vector<std::uint16_t> ranks;
  int below = 0;
  for (const int here : count) {
    ranks.push_back(static_cast<std::uint16_t>(std::int64_t{kTopRank} * (2 * below + here) /
                                               (2 * kSize * kSize)));
    below += here;
  }
  return ranks;
}

/// The nodes that an axis's samples lie between.
struct Axis {
  std::int64_t first = 0;  // block of node 0
  int nodes = 0;
  // of each sample: the node at or before it, blocks beyond that
  std::array<std::uint16_t, noise::kMaxGridSize> node{};
  std::array<std::uint8_t, noise::kMaxGridSize> part{};

  Axis(std::int64_t origin, std::int64_t stride, int samples) {
    first = floor_div(origin, kSpacing) * kSpacing;
    for (int i = 0; i < samples; ++i) {
      const std::int64_t from_first = origin + i * stride - first;
      node[static_cast<std::size_t>(i)] = static_cast<std::uint16_t>(from_first / kSpacing);
      part[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(from_first % kSpacing);
    }
    nodes = node[static_cast<std::size_t>(samples) - 1] + 2;
  }
};

void fill_at_nodes(const DensityRule& rule, const float* field, const noise::SampleGrid& grid,
                   std::span<std::uint8_t> levels) {
  const int pitch = noise::row_pitch(grid.width);
  for (int j = 0; j < grid.height; ++j) {
    for (int i = 0; i < grid.width; ++i) {
      const std::int32_t rank = rank_of(rule, field[static_cast<std::size_t>(j * pitch + i)]);
      levels[static_cast<std::size_t>(j * grid.width + i)] =
          static_cast<std::uint8_t>(rank * kPatchLevels / (kTopRank + 1));
    }
  }
}

/// First along x, from nodes to the samples' columns, then along y. Sixteen times a rank fits into
/// 16 bits, so that a vector holds many.
void fill_between_nodes(const DensityRule& rule, const float* field, const GridContext& samples,
                        const Axis& x, const Axis& y, std::span<std::uint8_t> levels) {
  const noise::SampleGrid& grid = samples.grid;
  static_assert(kSpacing * kSpacing * kTopRank <= 0xffff &&
                kSpacing * kSpacing * (kTopRank + 1) / kPatchLevels == 256);
  const int pitch = noise::row_pitch(x.nodes), width = grid.width;
  std::array<std::uint16_t, noise::kMaxGridSize + 1> ranks;
  auto* const rows =
      samples.scratch->take<std::uint16_t>(static_cast<std::size_t>(y.nodes * width));
  for (int j = 0; j < y.nodes; ++j) {
    for (int i = 0; i < x.nodes; ++i) {
      ranks[static_cast<std::size_t>(i)] =
          static_cast<std::uint16_t>(rank_of(rule, field[static_cast<std::size_t>(j * pitch + i)]));
    }
    std::uint16_t* __restrict to = rows + j * width;
    for (std::size_t i = 0; i < static_cast<std::size_t>(width); ++i) {
      const int a = ranks[x.node[i]], b = ranks[x.node[i] + 1u];
      to[i] = static_cast<std::uint16_t>(kSpacing * a + x.part[i] * (b - a));
    }
  }
  for (std::size_t j = 0; j < static_cast<std::size_t>(grid.height); ++j) {
    const std::uint16_t* __restrict upper = rows + y.node[j] * width;
    const std::uint16_t* __restrict lower = upper + width;
    const auto below = static_cast<std::uint16_t>(y.part[j]),
               above = static_cast<std::uint16_t>(kSpacing - below);
    std::uint8_t* __restrict to = levels.data() + static_cast<std::ptrdiff_t>(j) * width;
    for (int i = 0; i < width; ++i) {
      to[i] = static_cast<std::uint8_t>(
          static_cast<std::uint16_t>(above * upper[i] + below * lower[i]) >> 8);
    }
  }
}

/// Densities by 256ths of what the patches say: kSteps where the ground is no steeper than gentle,
/// 0 from steep on.
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

/// The rank at the middle of the edge of patches that cover `share` of the ground: their density
/// rises evenly over `edge` of the ranks around it, and would beyond the lowest and the highest.
double middle_of_edge(double share, double edge) {
  if (share < edge / 2) return 1 + edge / 2 - std::sqrt(2 * edge * share);
  if (share > 1 - edge / 2) return std::sqrt(2 * edge * (1 - share)) - edge / 2;
  return 1 - share;
}

/// DensityRule::percent.
std::vector<std::uint8_t> patch_table(std::span<const double> means, double edge) {
  std::vector<std::uint8_t> table;
  for (const double mean : means) {
    const double inside = 0.5 + 0.5 * mean / 100;  // density within a patch
    const double share = mean / 100 / inside;      // of the ground that patches cover
    const double middle = middle_of_edge(share, edge);
    for (int level = 0; level < kPatchLevels; ++level) {
      const double rank = (level + 0.5) / kPatchLevels;
      const double within = std::min(std::max((rank - middle) / edge + 0.5, 0.0), 1.0);
      table.push_back(quantised(static_cast<std::int32_t>(100 * inside * within + 0.5)));
    }
  }
  return table;
}

}  // namespace

DensityRule make_density(const noise::FractalNoise& patches, std::span<const double> means,
                         double edge, int gentle_p, int steep_p) {
  return {patches, measure_ranks(patches), gentle_p, steep_p, patch_table(means, edge)};
}

PatchLevels fill_patches(const DensityRule& rule, std::string_view stream,
                         const GridContext& context) {
  const noise::SampleGrid& grid = context.grid;
  const auto levels = context.scratch->take_span<std::uint8_t>(context.samples());
  const Scratch::Scope scope(*context.scratch);
  if (grid.stride >= kSpacing) {
    fill_at_nodes(rule, context.noise(rule.patches, stream), grid, levels);
    return levels;
  }
  const Axis x(grid.origin.x, grid.stride, grid.width), y(grid.origin.y, grid.stride, grid.height);
  const GridContext nodes = context.over({{x.first, y.first}, kSpacing, x.nodes, y.nodes});
  fill_between_nodes(rule, nodes.noise(rule.patches, stream), context, x, y, levels);
  return levels;
}

void fill_density(const DensityRule& rule, PatchLevels patches, const DensitySite& site,
                  std::span<std::uint8_t> out) {
  const std::uint8_t* __restrict percent = rule.percent.data(), * __restrict biome =
                                                                    site.biome.data();
  std::uint8_t* __restrict to = out.data();
  const std::size_t count = out.size();
  for (std::size_t i = 0; i < count; ++i) to[i] = percent[biome[i] * kPatchLevels + patches[i]];
  if (steepest(site.slope_p) > rule.gentle_p) {
    const std::int16_t* __restrict slope = site.slope_p.data();
    for (std::size_t i = 0; i < count; ++i) {
      if (slope[i] > rule.gentle_p)
        to[i] = quantised(to[i] * left_on_slope(rule, slope[i]) / kSteps);
    }
  }
  if (!site.water_q4.empty()) {
    const std::int32_t* __restrict water = site.water_q4.data(), * __restrict height =
                                                                     site.height_q4.data();
    for (std::size_t i = 0; i < count; ++i) to[i] = water[i] > height[i] ? std::uint8_t{0} : to[i];
  }
}

}  // namespace terrane::worldgen
