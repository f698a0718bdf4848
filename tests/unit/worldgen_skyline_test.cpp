// The rules of `skyline` against independently written small versions; the laws of all worlds are
// in worldgen_worlds_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/noise_reference.h"
#include "worldgen/generate.h"
#include "worldgen/terrains/skyline/skyline.h"

namespace terrane::worldgen {
namespace {

constexpr HeightQ16 kBlock = 65536;

/// The key of a named stream, by its description: the name's FNV-1a under the seed.
std::uint64_t reference_stream(std::uint64_t seed, const std::string& name) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : name) h = (h ^ static_cast<std::uint64_t>(c)) * 0x100000001b3u;
  return testing::reference_combine(testing::reference_combine(0x7465727261696e21u, seed), h);
}

/// The random value of an index: uniform between two limits, from the upper half of its hash.
std::int64_t reference_value(std::uint64_t key, std::int64_t index, std::int64_t low,
                             std::int64_t high) {
  const std::uint64_t h =
      testing::reference_mix(key ^ testing::reference_mix(static_cast<std::uint64_t>(index)));
  return low +
         static_cast<std::int64_t>(static_cast<testing::Wide>(h >> 32) * (high - low + 1) >> 32);
}

std::int64_t reference_floor_div(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(
      std::floor(static_cast<long double>(a) / static_cast<long double>(b)));
}

SkylineTerrain walk(SkylineMethod method) {
  SkylineTerrain t;
  t.method = method;
  t.step = 1;
  t.up = 3 * kBlock;
  t.down = 2 * kBlock;
  t.amplitude = 30 * kBlock;
  t.cap = 70 * kBlock;
  t.anchor_steps = 64;
  t.baseline = 100 * kBlock;
  return t;
}

/// Where a world's lattice begins.
std::int64_t shift_of(std::uint64_t seed, std::int64_t coarsest) {
  return static_cast<std::int64_t>(reference_stream(seed, "skyline.shift") %
                                   static_cast<std::uint64_t>(coarsest));
}

TEST(skyline, random_offsets_steps_stay_between_down_and_up) {
  const SkylineTerrain t = walk(SkylineMethod::kRandomOffsets);
  bool rises = false, falls = false;
  for (const std::int64_t start :
       {std::int64_t{-3000}, (std::int64_t{1} << 46), -(std::int64_t{1} << 46) - 5}) {
    for (std::int64_t x = start; x < start + 3000; ++x) {
      const HeightQ16 step = skyline_height(t, 7, x + 1) - skyline_height(t, 7, x);
      ASSERT_LE(step, t.up) << x;
      ASSERT_GE(step, -t.down) << x;
      rises |= step > t.up / 2;
      falls |= step < -t.down / 2;
    }
  }
  EXPECT_TRUE(rises && falls);
}

TEST(skyline, height_dependent_steps_away_from_the_baseline_shrink_with_the_distance) {
  const SkylineTerrain t = walk(SkylineMethod::kHeightDependentOffsets);
  for (std::int64_t x = -5000; x < 5000; ++x) {
    const double here = static_cast<double>(skyline_height(t, 3, x) - t.baseline);
    const double step = static_cast<double>(skyline_height(t, 3, x + 1) - t.baseline) - here;
    const bool away = (step > 0) == (here > 0);
    const double factor = away ? std::max(1 - std::abs(here) / static_cast<double>(t.cap), 0.0) : 1;
    ASSERT_LE(step, static_cast<double>(t.up) * factor + 1) << x;
    ASSERT_GE(step, -static_cast<double>(t.down) * factor - 1) << x;
    ASSERT_LE(std::abs(here), static_cast<double>(t.cap)) << x;
  }
}

/// The walk from its description, from one anchor on, in doubles where that is exact enough.
std::vector<double> reference_walk(const SkylineTerrain& t, std::uint64_t seed,
                                   std::int64_t segment) {
  const std::uint64_t anchors = reference_stream(seed, "skyline.anchors"),
                      offsets = reference_stream(seed, "skyline.offsets");
  const auto anchor = [&](std::int64_t k) {
    return static_cast<double>(reference_value(anchors, k, -t.amplitude, t.amplitude));
  };
  const bool limited = t.method == SkylineMethod::kHeightDependentOffsets;
  const double goal = anchor(segment + 1);
  std::vector<double> heights{anchor(segment)};
  for (std::int64_t k = 0; k < t.anchor_steps; ++k) {
    const double h = heights.back(), left = static_cast<double>(t.anchor_steps - k);
    const double up = static_cast<double>(t.up), down = static_cast<double>(t.down);
    const double drawn =
        static_cast<double>(reference_value(offsets, segment * t.anchor_steps + k, -t.down, t.up)) -
        (up - down) / 2;
    double step = (goal - h) / left + drawn * std::sqrt((left - 1) / left);
    const auto factor = [&](double direction) {
      return limited && direction * h > 0
                 ? std::max(1 - std::abs(h) / static_cast<double>(t.cap), 0.0)
                 : 1.0;
    };
    step *= factor(step > 0 ? 1 : -1);
    const double sure = limited ? 0.5 : 1;
    step = std::clamp(step, std::max(-down * factor(-1), goal - sure * up * (left - 1) - h),
                      std::min(up * factor(1), goal + sure * down * (left - 1) - h));
    heights.push_back(h + step);
  }
  return heights;
}

TEST(skyline, walks_are_what_their_description_says) {
  for (const SkylineMethod method :
       {SkylineMethod::kRandomOffsets, SkylineMethod::kHeightDependentOffsets}) {
    const SkylineTerrain t = walk(method);
    for (const std::int64_t segment :
         {std::int64_t{0}, std::int64_t{-1}, std::int64_t{12345}, -(std::int64_t{1} << 40)}) {
      const std::vector<double> expected = reference_walk(t, 11, segment);
      for (std::int64_t k = 0; k <= t.anchor_steps; ++k) {
        const std::int64_t x = segment * t.anchor_steps + k - shift_of(11, t.anchor_steps);
        const double got = static_cast<double>(skyline_height(t, 11, x) - t.baseline);
        // Rounding differs by some 1/65,536 block a step.
        ASSERT_NEAR(got, expected[static_cast<std::size_t>(k)], 300) << segment << " + " << k;
      }
    }
  }
}

TEST(skyline, walks_meet_their_anchors_whatever_the_parameters) {
  SkylineTerrain t = walk(SkylineMethod::kHeightDependentOffsets);
  for (const std::int64_t steps : {2, 3, 17, 256}) {
    t.anchor_steps = steps;
    t.amplitude = std::min(t.up, t.down) * steps / 4;  // as much as can_reach_anchors allows
    t.cap = std::max(2 * t.amplitude, t.up);
    ASSERT_TRUE(can_reach_anchors(t));
    const std::uint64_t anchors = reference_stream(5, "skyline.anchors");
    for (std::int64_t segment = -200; segment < 200; ++segment) {
      const HeightQ16 before = skyline_height(t, 5, segment * steps - 1 - shift_of(5, steps));
      const HeightQ16 at = skyline_height(t, 5, segment * steps - shift_of(5, steps));
      ASSERT_EQ(at - t.baseline, reference_value(anchors, segment, -t.amplitude, t.amplitude));
      // the last step of the segment before is a step like others
      ASSERT_LE(std::abs(at - before), std::max(t.up, t.down));
    }
    t.amplitude += t.up;
    EXPECT_FALSE(can_reach_anchors(t));
  }
}

TEST(skyline, interpolation_joins_random_heights_by_line_or_by_cosine) {
  SkylineTerrain t;
  t.method = SkylineMethod::kInterpolated;
  t.step = 37;
  t.amplitude = 90 * kBlock;
  t.octaves = 1;
  const std::uint64_t key = reference_stream(9, "skyline.heights");
  for (const auto how : {SkylineInterpolation::kLinear, SkylineInterpolation::kCosine}) {
    t.interpolation = how;
    for (std::int64_t x = -500; x < 500; ++x) {
      const std::int64_t at = x + shift_of(9, t.step), k = reference_floor_div(at, t.step);
      const auto a = static_cast<double>(reference_value(key, k, -t.amplitude, t.amplitude));
      const auto b = static_cast<double>(reference_value(key, k + 1, -t.amplitude, t.amplitude));
      const double mu = static_cast<double>(at - k * t.step) / static_cast<double>(t.step);
      const double share = how == SkylineInterpolation::kLinear
                               ? mu
                               : (1 - std::cos(3.14159265358979323846 * mu)) / 2;
      ASSERT_NEAR(static_cast<double>(skyline_height(t, 9, x)), a + (b - a) * share, 1e-4 * 65536)
          << x;
    }
  }
}

TEST(skyline, superposed_octaves_take_every_second_value_and_weigh_twice_as_much) {
  SkylineTerrain t;
  t.method = SkylineMethod::kSuperposed;
  t.interpolation = SkylineInterpolation::kLinear;
  t.step = 5;
  t.octaves = 7;
  const std::uint64_t key = reference_stream(2, "skyline.heights");
  const auto value = [&](std::int64_t k) {
    return static_cast<double>(reference_value(key, k, -t.amplitude, t.amplitude));
  };
  for (const std::int64_t start : {std::int64_t{-700}, (std::int64_t{1} << 46) - 3}) {
    for (std::int64_t x = start; x < start + 1400; x += 3) {
      const std::int64_t at = x + shift_of(2, 5 * 64);
      double sum = 0;
      for (int z = 0; z < 7; ++z) {
        const std::int64_t every = std::int64_t{1} << z,
                           k = reference_floor_div(at, 5 * every) * every;
        const double mu = static_cast<double>(at - k * 5) / static_cast<double>(5 * every);
        sum += static_cast<double>(every) * (value(k) + (value(k + every) - value(k)) * mu);
      }
      ASSERT_NEAR(static_cast<double>(skyline_height(t, 2, x)), sum / 127, 3) << x;
    }
  }
}

TEST(skyline, layers_depend_on_x_alone) {
  World world;
  world.max_lod = 8;
  SkylineTerrain t;
  t.climate = {{{1, 1000}, 4, 0.5f}, {{3, 1000}, 4, 0.5f}, -100, 350, 0.02f};
  world.terrain = t;
  world.ranges = layer_ranges(world.terrain);
  world.biomes = {Biome{}};
  world.biome_table = BiomeTable::build(world.biomes, world.ranges).value();
  const auto make = [&](ChunkCoord coord) {
    return generate(world, 4, coord, 2, noise::supported_targets().back());
  };
  const Chunk here = make({5, -9}), far = make({5, 1 << 20});
  EXPECT_EQ(here.height_q4, far.height_q4);
  EXPECT_EQ(here.temperature_d, far.temperature_d);
  EXPECT_EQ(here.humidity_d, far.humidity_d);
  for (std::size_t i = 64; i < here.height_q4.size(); ++i)
    ASSERT_EQ(here.height_q4[i], here.height_q4[i - 64]);
}

}  // namespace
}  // namespace terrane::worldgen
