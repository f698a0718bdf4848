// What stamps cost where they are not, on a quiet machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>

#include "support/time_scale.h"
#include "worldgen/stamps/stamps.h"

namespace terrane::worldgen {
namespace {

using Clock = std::chrono::steady_clock;

/// Ten thousand on a map of 60 km: circles of up to 60 blocks with a gap of `gap` blocks around the
/// chunks' own row, and roads across the map whose boxes hold all of it.
Stamps many_around(std::int64_t gap) {
  std::mt19937 random(1);
  std::vector<Stamp> stamps;
  while (stamps.size() < 10000) {
    Stamp stamp;
    stamp.from = {static_cast<std::int64_t>(random() % 60000),
                  static_cast<std::int64_t>(random() % 60000) - 30000};
    stamp.radius = static_cast<int>(random() % 30);
    stamp.falloff = static_cast<int>(random() % 30);
    stamp.raise_q4 = 16;
    stamp.clear = stamps.size() % 2 == 0;
    stamp.biome = 1;
    if (std::abs(stamp.from.y) < gap + 64 + stamp.radius + stamp.falloff) continue;
    stamp.to = stamp.from;
    stamps.push_back(stamp);
  }
  return {std::move(stamps), {-16000, 16000}};
}

TEST(stamps_speed, ten_thousand_cost_a_chunk_that_they_do_not_touch_a_microsecond_at_most) {
  const Stamps stamps = many_around(2);
  std::vector<std::int32_t> height(4096, 160);
  std::vector<std::uint8_t> bytes(4096, 7);
  Scratch scratch;
  std::vector<double> took;
  for (int round = 0; round < 41; ++round) {
    constexpr int kChunks = 500;
    const auto start = Clock::now();
    for (int i = 0; i < kChunks; ++i) {
      const GridContext context{{{i * 64, 0}, 1, 64, 64}, 1, noise::SimdTarget::kScalar, &scratch};
      TerrainOutput terrain = terrain_output(height, {}, {}, {}, bytes);
      stamps.shape(context, terrain);
      stamps.paint(context, bytes);
      stamps.clear(context, bytes);
      stamps.clear(context, bytes);
    }
    took.push_back(std::chrono::duration<double, std::nano>(Clock::now() - start).count() /
                   kChunks);
  }
  EXPECT_EQ(std::count(height.begin(), height.end(), 160), 4096) << "none is touched";
  std::nth_element(took.begin(), took.begin() + 20, took.end());
  std::printf("check stamps elsewhere: %.0f ns a chunk\n", took[20]);
  EXPECT_LT(took[20], 1000 * time_scale());
}

}  // namespace
}  // namespace terrane::worldgen
