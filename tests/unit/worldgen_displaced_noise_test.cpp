// Noise at displaced points and its slope, against a second scalar version
// (support/noise_reference.h), finite differences, and fill_fractal_noise.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <vector>

#include "support/noise_reference.h"
#include "worldgen/noise/displaced_noise.h"
#include "worldgen/noise/field.h"

namespace terrane::worldgen::noise {
namespace {

constexpr std::uint64_t kKey = 0xfedcba9876543210u;
constexpr std::int64_t kFar = std::int64_t{1} << 46;
constexpr std::size_t kFieldSize = std::size_t{kMaxNoiseSquare} * kMaxNoiseSquare;

const std::vector<FractalNoise>& noises() {
  static const std::vector<FractalNoise> kNoises{{{1, 9000}, 2, 0.5f}, {{1, 1900}, 5, 0.5f},
                                                 {{3, 1000}, 4, 0.6f}, {{1, 64}, 3, 0.45f},
                                                 {{7, 10}, 1, 1.0f},   {{1, 1}, 1, 0.5f}};
  return kNoises;
}

struct Place {
  SampleGrid grid;
  float reach;
};

const std::vector<Place>& places() {
  static const std::vector<Place> kPlaces{
      {{{0, 0}, 1, 64, 32}, 300},          {{{-4096, -64}, 4, 19, 19}, 4096},
      {{{kFar, -kFar}, 64, 35, 17}, 2000}, {{{-kFar, -kFar}, 1, 33, 16}, 520},
      {{{-1, kFar - 1}, 1, 1, 1}, 75},     {{{2147483648, -2147483648}, 1024, 69, 9}, 1024}};
  return kPlaces;
}

/// Displacements and results of a grid.
class Points {
 public:
  alignas(64) float value[kFieldSize] = {};
  alignas(64) float slope_x[kFieldSize] = {};
  alignas(64) float slope_y[kFieldSize] = {};

  Points(const SampleGrid& grid, float reach) : grid_(grid), reach_(reach) {}

  /// Everywhere within reach: hashed, with both limits and none among them.
  Points& scatter(std::uint64_t key) {
    each([&](int, int, std::size_t at) {
      const std::uint64_t h = mix64(key + at);
      const auto part = [&](std::uint64_t bits) {
        const auto step = static_cast<float>(bits & 0xffff) * (1.0f / 32768.0f) - 1.0f;
        return reach_ * (bits % 7 == 0   ? 1.0f
                         : bits % 7 == 1 ? -1.0f
                         : bits % 7 == 2 ? 0.0f
                                         : step);
      };
      set(at, {part(h), part(h >> 32)});
    });
    return *this;
  }
  Points& set_all(std::array<float, 2> away) {
    each([&](int, int, std::size_t at) { set(at, away); });
    return *this;
  }
  void set(std::size_t at, std::array<float, 2> away) { x_[at] = away[0], y_[at] = away[1]; }

  void fill(const Octave& octave, SimdTarget target) {
    fill_displaced_octave(octave, grid_, {x_, y_, reach_}, target, {value, slope_x, slope_y});
  }
  void fill(const FractalNoise& noise, SimdTarget target) {
    fill_displaced_noise(noise, kKey, grid_, {x_, y_, reach_}, target, value);
  }

  /// visit(i, j, index)
  template <typename Visit>
  void each(Visit visit) const {
    for (int j = 0; j < grid_.height; ++j) {
      for (int i = 0; i < grid_.width; ++i)
        visit(i, j, static_cast<std::size_t>(j * row_pitch(grid_.width) + i));
    }
  }
  [[nodiscard]] BlockPos block(int i, int j) const {
    return {grid_.origin.x + i * grid_.stride, grid_.origin.y + j * grid_.stride};
  }
  [[nodiscard]] std::array<float, 2> away(std::size_t at) const { return {x_[at], y_[at]}; }

 private:
  SampleGrid grid_;
  float reach_;
  alignas(64) float x_[kFieldSize] = {};
  alignas(64) float y_[kFieldSize] = {};
};

bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

TEST(displaced_noise, every_target_gives_the_values_and_slopes_of_the_reference_to_the_bit) {
  for (const SimdTarget target : supported_targets()) {
    for (const FractalNoise& noise : noises()) {
      for (const auto& [grid, reach] : places()) {
        Points points(grid, reach);
        points.scatter(3).fill(make_octave(noise, noise.octaves - 1, kKey, 0.75f), target);
        const auto octave = testing::reference_octave(noise, noise.octaves - 1, kKey);
        std::size_t different = 0;
        points.each([&](int i, int j, std::size_t at) {
          const auto expected = testing::reference_displaced_octave(octave, points.block(i, j),
                                                                    points.away(at), 0.75f);
          if (!same_bits(points.value[at], expected.value) ||
              !same_bits(points.slope_x[at], expected.slope_x) ||
              !same_bits(points.slope_y[at], expected.slope_y)) {
            ++different;
          }
        });
        EXPECT_EQ(different, 0u) << to_string(target) << ", 1/" << noise.frequency.blocks << " at "
                                 << grid.origin.x << "," << grid.origin.y << " stride "
                                 << grid.stride;
      }
    }
  }
}

TEST(displaced_noise, every_target_sums_octaves_as_the_reference_does_to_the_bit) {
  for (const SimdTarget target : supported_targets()) {
    for (const FractalNoise& noise : noises()) {
      for (const auto& [grid, reach] : places()) {
        Points points(grid, reach);
        points.scatter(5).fill(noise, target);
        std::size_t different = 0;
        points.each([&](int i, int j, std::size_t at) {
          const float expected =
              testing::reference_displaced_noise(noise, kKey, points.block(i, j), points.away(at));
          if (!same_bits(points.value[at], expected)) ++different;
        });
        EXPECT_EQ(different, 0u) << to_string(target) << ", 1/" << noise.frequency.blocks << " at "
                                 << grid.origin.x << "," << grid.origin.y << " stride "
                                 << grid.stride;
      }
    }
  }
}

TEST(displaced_noise, is_the_textbooks_gradient_noise_with_its_slope) {
  double worst = 0, worst_slope = 0;
  for (const FractalNoise& noise : noises()) {
    const auto octave = testing::reference_octave(noise, 0, kKey);
    const double frequency = static_cast<double>(octave.num) / static_cast<double>(octave.den);
    for (const auto& [grid, reach] : places()) {
      Points points(grid, reach);
      points.scatter(7).fill(make_octave(noise, 0, kKey, 1.0f), supported_targets().back());
      // In cells, the way is rounded to a float: 2^-24 of it. So the noise, whose slope in cells is
      // at most 2, may be off.
      const double rounding = 1 + 2 * reach * frequency / 64;
      points.each([&](int i, int j, std::size_t at) {
        const auto [dx, dy] = points.away(at);
        const auto expected =
            testing::textbook_displaced_octave(octave, points.block(i, j), {dx, dy});
        worst = std::max(worst, std::abs(points.value[at] - expected.value) / rounding);
        worst_slope = std::max(
            {worst_slope, std::abs(points.slope_x[at] - expected.slope_x) / frequency / rounding,
             std::abs(points.slope_y[at] - expected.slope_y) / frequency / rounding});
      });
    }
  }
  std::printf("check displaced_noise_exactness: value %.1e, slope %.1e per cell\n", worst,
              worst_slope);
  EXPECT_LT(worst, 1e-5);
  EXPECT_LT(worst_slope, 5e-5);
}

TEST(displaced_noise, its_slope_is_what_a_small_step_changes) {
  constexpr float kStep = 0.5f;  // blocks, either way
  for (const auto& [grid, reach] : places()) {
    const Octave octave = make_octave({{1, 256}, 1, 1.0f}, 0, kKey, 64.0f);
    Points here(grid, reach + 1), left(grid, reach + 1), right(grid, reach + 1),
        below(grid, reach + 1), above(grid, reach + 1);
    here.scatter(11).fill(octave, supported_targets().back());
    here.each([&](int, int, std::size_t at) {
      const auto [x, y] = here.away(at);
      left.set(at, {x - kStep, y}), right.set(at, {x + kStep, y}), below.set(at, {x, y - kStep}),
          above.set(at, {x, y + kStep});
    });
    for (Points* points : {&left, &right, &below, &above})
      points->fill(octave, supported_targets().back());
    here.each([&](int, int, std::size_t at) {
      EXPECT_NEAR(here.slope_x[at], (right.value[at] - left.value[at]) / (2 * kStep), 2e-3);
      EXPECT_NEAR(here.slope_y[at], (above.value[at] - below.value[at]) / (2 * kStep), 2e-3);
    });
  }
}

TEST(displaced_noise, a_sample_displaced_by_whole_blocks_is_that_blocks_sample) {
  for (const FractalNoise& noise : noises()) {
    for (const auto& [grid, reach] : places()) {
      for (const std::int64_t sign : {-1, 1}) {
        const auto whole = sign * static_cast<std::int64_t>(reach);  // as far as it may be
        Points points(grid, reach);
        points.set_all({static_cast<float>(whole), static_cast<float>(-whole)})
            .fill(noise, supported_targets().back());
        SampleGrid moved = grid;
        moved.origin = {grid.origin.x + whole, grid.origin.y - whole};
        Field field;
        field.fill(noise, kKey, moved, supported_targets().back());
        points.each(
            [&](int, int, std::size_t at) { EXPECT_NEAR(points.value[at], field[at], 2e-3); });
      }
    }
  }
}

TEST(displaced_noise, a_sample_does_not_depend_on_the_grid_it_is_part_of) {
  for (const SimdTarget target : supported_targets()) {
    for (const FractalNoise& noise : noises()) {
      const Octave octave = make_octave(noise, noise.octaves - 1, kKey, 1.0f);
      Points whole({{-640, 320}, 1, 128, 64}, 700);
      whole.scatter(13).fill(octave, target);
      // Some columns and rows of it; a coarser grid; with a larger reach.
      const std::vector<std::pair<SampleGrid, float>> parts{
          {{{-640 + 37, 320 + 31}, 1, 19, 5}, 700},
          {{{-640, 320}, 4, 32, 16}, 700},
          {{{-640 + 101, 320 + 63}, 1, 1, 1}, 2500}};
      for (const auto& [grid, reach] : parts) {
        Points part(grid, reach);
        const auto at_whole = [&](int i, int j) {
          const BlockPos block = part.block(i, j);
          return static_cast<std::size_t>((block.y - 320) * 128 + block.x + 640);
        };
        part.each([&](int i, int j, std::size_t at) { part.set(at, whole.away(at_whole(i, j))); });
        part.fill(octave, target);
        part.each([&](int i, int j, std::size_t at) {
          ASSERT_TRUE(same_bits(part.value[at], whole.value[at_whole(i, j)]));
          ASSERT_TRUE(same_bits(part.slope_x[at], whole.slope_x[at_whole(i, j)]));
          ASSERT_TRUE(same_bits(part.slope_y[at], whole.slope_y[at_whole(i, j)]));
        });
      }
    }
  }
}

TEST(displaced_noise, nothing_is_lost_far_out) {
  const Octave octave = make_octave({{1, 256}, 1, 1.0f}, 0, kKey, 1.0f);
  for (const BlockPos origin :
       {BlockPos{kFar, kFar}, BlockPos{-kFar, kFar}, BlockPos{-kFar, -kFar}}) {
    Points points({origin, 1, 64, 64}, 100);
    points.set_all({33.25f, -71.5f}).fill(octave, supported_targets().back());
    std::size_t equal = 0;
    points.each([&](int i, int, std::size_t at) {
      equal += i > 0 && same_bits(points.value[at], points.value[at - 1]);
    });
    EXPECT_LT(equal, 40u) << "of 4,032 neighbours, at " << origin.x << "," << origin.y;
  }
}

}  // namespace
}  // namespace terrane::worldgen::noise
