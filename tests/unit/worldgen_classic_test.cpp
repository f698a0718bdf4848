// The `classic` world against its published rules, written a second time in doubles and by
// exhaustive search.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <optional>
#include <vector>

#include "support/noise_reference.h"
#include "worldgen/generate.h"
#include "worldgen/noise/hash.h"
#include "worlds/world_catalog.h"

namespace terrane::worldgen {
namespace {

const World& classic() {
  static const worlds::WorldCatalog kCatalog = worlds::builtin_worlds().value();
  return *kCatalog.at("classic");
}

double unit(const FractalNoise& spec, std::uint64_t seed, const char* stream, BlockPos block,
            double stretch) {
  const double n =
      0.5 +
      0.5 * stretch * testing::textbook_fractal_noise(spec, noise::stream_key(seed, stream), block);
  return std::clamp(n, 0.0, 1.0);
}

TEST(classic, layers_follow_the_published_formulas) {
  const auto& terrain = std::get<ClassicTerrain>(classic().terrain);
  std::vector<BlockPos> points;
  for (std::int64_t k = 0; k < 2000; ++k) points.push_back({k * 7919 - 5000000, k * -1543 + 77777});
  const auto samples = sample_points(classic(), 11, points, noise::supported_targets().back());
  for (std::size_t k = 0; k < points.size(); ++k) {
    const PointSample& s = samples[k];
    const double height =
        255 * unit(terrain.height, 11, "classic.height", points[k], terrain.stretch);
    EXPECT_NEAR(s.height_q4 / 16.0, height, 0.51);
    EXPECT_EQ(s.height_q4 % 16, 0) << "heights are whole blocks";
    const double t =
        100 * unit(terrain.temperature, 11, "classic.temperature", points[k], terrain.stretch) -
        50 + 20 - 0.3 * std::abs(s.height_q4 / 16.0 - 130);
    EXPECT_NEAR(s.temperature_d / 10.0, t, 0.06);
    const double temperature = s.temperature_d / 10.0;
    const double f = temperature > 23 ? 2 * temperature - 23 : temperature < 2 ? 2 : temperature;
    const double h =
        100 * unit(terrain.humidity, 11, "classic.humidity", points[k], terrain.stretch) - 50 +
        1.3 * f;
    EXPECT_NEAR(s.humidity_d / 10.0, h, 0.11);
  }
}

/// The winner by the rule as people state it: of the rows that fit, the smallest product of widths,
/// then the first.
std::size_t best_row(const World& world, const PointSample& s) {
  const auto fits = [](Interval r, std::int32_t v) { return r.min <= v && v <= r.max; };
  const auto width = [](Interval r, Interval layer) {
    return std::min(r.max, layer.max) - std::max(r.min, layer.min) + 1.0;
  };
  std::optional<std::size_t> best;
  double best_volume = 0;
  for (std::size_t i = 0; i < world.biomes.size(); ++i) {
    const Biome& b = world.biomes[i];
    if (!fits(b.height_q4, s.height_q4) || !fits(b.temperature_d, s.temperature_d) ||
        !fits(b.humidity_d, s.humidity_d))
      continue;
    const double volume = width(b.height_q4, world.ranges.height_q4) *
                          width(b.temperature_d, world.ranges.temperature_d) *
                          width(b.humidity_d, world.ranges.humidity_d);
    if (!best || volume < best_volume) best = i, best_volume = volume;
  }
  return best.value();
}

TEST(classic, biomes_are_the_narrowest_rows_that_fit) {
  for (std::int64_t k = 0; k < 8; ++k) {
    const Chunk chunk =
        generate(classic(), 3, {k * 13, -k * 29}, 6, noise::supported_targets().back());
    for (std::size_t i = 0; i < chunk.biome.size(); ++i) {
      const PointSample s{chunk.height_q4[i], chunk.temperature_d[i], chunk.humidity_d[i],
                          chunk.biome[i]};
      ASSERT_EQ(s.biome, best_row(classic(), s))
          << s.height_q4 / 16 << " " << s.temperature_d << " " << s.humidity_d;
    }
  }
}

TEST(classic, every_biome_is_reached) {
  std::vector<std::size_t> counts(classic().biomes.size());
  std::size_t total = 0;
  for (std::int64_t k = 0; k < 2400; ++k) {
    const ChunkCoord coord{(k % 60) * 97 - 3000, (k / 60) * 1117 - 20000};
    const Chunk chunk = generate(classic(), static_cast<std::uint64_t>(k / 60), coord, 5,
                                 noise::supported_targets().back());
    for (const std::uint8_t biome : chunk.biome) ++counts[biome], ++total;
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double share = 100.0 * static_cast<double>(counts[i]) / static_cast<double>(total);
    std::printf("  %-16s %8.4f %%\n", classic().biomes[i].name.c_str(), share);
    EXPECT_GT(counts[i], 0u) << classic().biomes[i].name;
  }
}

TEST(classic, the_noise_fills_the_unit_interval) {
  std::size_t low = 0, high = 0, total = 0;
  std::int32_t smallest = 255, largest = 0;
  for (std::int64_t k = 0; k < 400; ++k) {
    const Chunk chunk = generate(classic(), static_cast<std::uint64_t>(k), {k * 91, k * 57}, 4,
                                 noise::supported_targets().back());
    for (const std::int32_t h : chunk.height_q4) {
      smallest = std::min(smallest, h / 16);
      largest = std::max(largest, h / 16);
      low += h / 16 < 5, high += h / 16 > 250, ++total;
    }
  }
  EXPECT_LE(smallest, 5);   // 0.02 of 255
  EXPECT_GE(largest, 250);  // 0.98
  EXPECT_LT(static_cast<double>(low + high), 0.001 * static_cast<double>(total))
      << "little is clamped";
}

}  // namespace
}  // namespace terrane::worldgen
