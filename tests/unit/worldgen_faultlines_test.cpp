// The rules of `faultlines` against an independently written small version; the laws of all worlds
// are in worldgen_worlds_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "worldgen/generate.h"
#include "worldgen/terrains/faultlines/faultlines.h"

namespace terrane::worldgen {
namespace {

FaultlinesTerrain terrain() {
  FaultlinesTerrain t;
  t.region = 256;
  t.lines = 30;
  t.reach = 200;
  t.scarp = 12;
  t.baseline_q4 = 100;
  t.amplitude_q4 = 3000;
  t.climate = {{{1, 1000}, 4, 0.5f}, {{3, 1000}, 4, 0.5f}, -100, 350, 0.02f};
  return t;
}

World world_of(const FaultlinesTerrain& t) {
  World world;
  world.max_lod = 5;
  world.terrain = t;
  world.ranges = layer_ranges(world.terrain);
  world.biomes = {Biome{}};
  world.biome_table = BiomeTable::build(world.biomes, world.ranges).value();
  return world;
}

/// The height at a block, in doubles, from all lines of the regions around it.
double reference_height(const FaultlinesTerrain& t, std::uint64_t seed, BlockPos at) {
  const BlockPos from{at.x - 2 * t.region, at.y - 2 * t.region},
      to{at.x + 2 * t.region, at.y + 2 * t.region};
  double sum = 0;
  for (const Faultline& line : faultlines_within(t, seed, from, to)) {
    const auto dx = static_cast<double>(at.x - line.centre.x),
               dy = static_cast<double>(at.y - line.centre.y);
    const double share = std::hypot(dx, dy) / static_cast<double>(t.reach);
    if (share >= 1) continue;
    const double weight = std::pow(1 - share * share, 2);
    const double mu =
        std::clamp((dx * line.normal_x + dy * line.normal_y) / t.scarp + 0.5, 0.0, 1.0);
    sum += weight * (mu * mu * (3 - 2 * mu) - 0.5);
  }
  const double reach = static_cast<double>(t.reach) / static_cast<double>(t.region);
  const double usual = std::sqrt(t.lines * 3.14159265358979 * reach * reach / 20);
  const double v = t.contrast * sum / usual;
  return t.baseline_q4 + t.amplitude_q4 * v / std::sqrt(1 + v * v);
}

TEST(faultlines, heights_are_what_the_description_says) {
  const FaultlinesTerrain t = terrain();
  const World world = world_of(t);
  for (const Lod lod : {Lod{0}, Lod{3}}) {
    for (const ChunkCoord coord :
         {ChunkCoord{0, 0}, {-7, 3}, {max_chunk_coord(lod), -max_chunk_coord(lod)}}) {
      const Chunk chunk = generate(world, 5, coord, lod, noise::supported_targets().back());
      const BlockPos origin = chunk_origin(coord, 64, lod);
      for (int k = 0; k < 4096; k += 37) {
        const BlockPos at{origin.x + (std::int64_t{k % 64} << lod),
                          origin.y + (std::int64_t{k / 64} << lod)};
        ASSERT_NEAR(chunk.height_q4[static_cast<std::size_t>(k)], reference_height(t, 5, at), 0.6)
            << at.x << "," << at.y;
      }
    }
  }
}

TEST(faultlines, every_region_has_its_number_of_lines_in_it_and_no_direction_is_preferred) {
  const FaultlinesTerrain t = terrain();
  std::vector<int> directions(8);
  int lines = 0;
  for (std::int64_t k = 0; k < 64; ++k) {
    const BlockPos corner{(k % 8 - 4) * t.region, (k / 8 + 1000) * t.region};
    int inside = 0;
    const BlockPos last{corner.x + t.region - 1, corner.y + t.region - 1};
    for (const Faultline& line : faultlines_within(t, 9, corner, last)) {
      EXPECT_NEAR(std::hypot(line.normal_x, line.normal_y), 1, 2e-5);
      const bool here = line.centre.x >= corner.x && line.centre.x <= last.x &&
                        line.centre.y >= corner.y && line.centre.y <= last.y;
      if (!here) continue;
      ++inside;
      const double angle = std::atan2(line.normal_y, line.normal_x) + 3.14159265358979;
      ++directions[static_cast<std::size_t>(angle / (2 * 3.1415927) * 8) % 8];
    }
    EXPECT_EQ(inside, t.lines);
    lines += inside;
  }
  for (const int count : directions) EXPECT_NEAR(count, lines / 8.0, lines / 8.0 * 0.25);
}

TEST(faultlines, a_line_is_listed_exactly_where_it_is_felt) {
  const FaultlinesTerrain t = terrain();
  const BlockPos from{1000, -500}, to{1063, -437};
  const auto near = faultlines_within(t, 1, from, to);
  std::size_t felt = 0;
  for (const Faultline& line :
       faultlines_within(t, 1, {from.x - 2000, from.y - 2000}, {to.x + 2000, to.y + 2000})) {
    const auto away = [](std::int64_t v, std::int64_t low, std::int64_t high) {
      return std::max({low - v, v - high, std::int64_t{0}});
    };
    const auto dx = static_cast<double>(away(line.centre.x, from.x, to.x)),
               dy = static_cast<double>(away(line.centre.y, from.y, to.y));
    if (std::hypot(dx, dy) >= static_cast<double>(t.reach)) continue;
    ASSERT_LT(felt, near.size());
    EXPECT_EQ(near[felt++].centre, line.centre);  // and in the same order
  }
  EXPECT_EQ(felt, near.size());
  EXPECT_GT(felt, 10u);
}

TEST(faultlines, seeds_that_differ_in_their_top_bits_have_other_lines) {
  const FaultlinesTerrain t = terrain();
  const auto base = faultlines_within(t, 3, {0, 0}, {255, 255});
  for (int bit = 48; bit < 64; ++bit) {
    const auto other = faultlines_within(t, 3 | std::uint64_t{1} << bit, {0, 0}, {255, 255});
    std::size_t same = 0;
    for (std::size_t k = 0; k < std::min(base.size(), other.size()); ++k)
      same += base[k].centre == other[k].centre ? 1 : 0;
    EXPECT_LE(same, 1u) << bit;
  }
}

TEST(faultlines, heights_stay_within_the_amplitude_and_use_it) {
  FaultlinesTerrain t = terrain();
  t.contrast = 10;
  const World world = world_of(t);
  std::int32_t low = 1 << 20, high = -(1 << 20);
  for (std::int64_t k = 0; k < 16; ++k) {
    const Chunk chunk = generate(world, 5, {k, 3 * k}, 4, noise::supported_targets().back());
    const auto [least, most] = std::minmax_element(chunk.height_q4.begin(), chunk.height_q4.end());
    low = std::min(low, *least);
    high = std::max(high, *most);
  }
  EXPECT_GE(low, world.ranges.height_q4.min);
  EXPECT_LE(high, world.ranges.height_q4.max);
  EXPECT_LT(low, 100 - 2900);
  EXPECT_GT(high, 100 + 2900);
}

}  // namespace
}  // namespace terrane::worldgen
