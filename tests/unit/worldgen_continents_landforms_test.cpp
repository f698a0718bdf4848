// Tablelands and dunes: what is particular about them, and that nothing else is changed by them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "unit/worldgen_continents_survey.h"

namespace terrane::testing {
namespace {

using worldgen::ContinentsTerrain;
using worldgen::World;

/// A world all of whose dry country is tablelands, or all of it dunes: the noise that says which is
/// above no threshold, or below each.
World all_of_it(bool tables) {
  World world = continents(64);
  auto& terrain = std::get<ContinentsTerrain>(world.terrain);
  // everywhere is dry and warm
  terrain.climate.humidity_high = terrain.climate.humidity_low = 0;
  terrain.climate.coast_humidity = terrain.climate.rain_shadow = 0;
  terrain.climate.temperature_low = terrain.climate.temperature_high = 30;
  terrain.landforms.humidity = 100;
  terrain.landforms.threshold = 0;
  (tables ? terrain.landforms.dune_height : terrain.landforms.table_height) = 0;
  return world;
}

World without_landforms(World world) {
  auto& landforms = std::get<ContinentsTerrain>(world.terrain).landforms;
  landforms.table_height = landforms.dune_height = 0;
  return world;
}

/// Visits maps of a world, 512 blocks wide, that are land all over and low enough for no mountains.
template <typename Visit>
void for_low_land(const World& world, int maps, const Visit& visit) {
  int seen = 0;
  for (std::uint64_t k = 0; k < 2000 && seen < maps; ++k) {
    const Map coarse = survey_map(world, k, 1, 3);
    bool all = true;
    for (std::size_t i = 0; i < coarse.height.size() && all; ++i)
      all = coarse.height[i] > 12 && coarse.height[i] < 130;
    if (!all) continue;
    ChunkCoord first = survey_chunk(k, 3);
    first.x *= 8;
    first.y *= 8;
    visit(k, first);
    ++seen;
  }
  EXPECT_EQ(seen, maps) << "there is not as much land";
}

/// Of the samples of a map: shares that lie in the lower and in the upper third of a layer of rock.
struct Thirds {
  std::size_t lower = 0, upper = 0, all = 0;

  void add(const Map& map, float layer) {
    for (const float height : map.height) {
      const float up = height / layer - std::floor(height / layer);
      lower += up < 1.0f / 3;
      upper += up > 2.0f / 3;
      ++all;
    }
  }
  [[nodiscard]] double lower_share() const {
    return static_cast<double>(lower) / static_cast<double>(all);
  }
  [[nodiscard]] double upper_share() const {
    return static_cast<double>(upper) / static_cast<double>(all);
  }
};

TEST(continents_landforms, tablelands_are_benches_above_cliffs) {
  const World tables = all_of_it(true), plain = without_landforms(tables);
  const float layer = std::get<ContinentsTerrain>(tables.terrain).landforms.layer;
  Thirds with, without;
  int whole = 0;
  for_low_land(plain, 24, [&](std::uint64_t seed, ChunkCoord first) {
    const Map before = map_from(plain, seed, first, 8, 0),
              after = map_from(tables, seed, first, 8, 0);
    std::size_t raised = 0;
    for (std::size_t k = 0; k < after.height.size(); ++k)
      raised += after.height[k] > before.height[k];
    if (raised < after.height.size() / 2) return;
    ++whole;
    with.add(after, layer);
    without.add(before, layer);
  });
  ASSERT_GT(whole, 4);
  std::printf(
      "check layers: %.2f of the ground in their lower third, %.2f in their upper one; "
      "%.2f and %.2f without them\n",
      with.lower_share(), with.upper_share(), without.lower_share(), without.upper_share());
  EXPECT_LT(with.lower_share(), 0.8 * without.lower_share());
  EXPECT_GT(with.upper_share(), 1.2 * without.upper_share());
}

TEST(continents_landforms, dunes_are_steep_on_the_side_that_the_wind_blows_to) {
  const World dunes = all_of_it(false), plain = without_landforms(dunes);
  std::size_t falling = 0, rising = 0;
  for_low_land(plain, 12, [&](std::uint64_t seed, ChunkCoord first) {
    const Map with = map_from(dunes, seed, first, 8, 0),
              before = map_from(plain, seed, first, 8, 0);
    const auto sand = [&](int i, int j) {
      return with.height[with.at(i, j)] - before.height[with.at(i, j)];
    };
    for (int j = 0; j < with.size; j += 4) {
      for (int i = 8; i < with.size; ++i) {
        const float rise = sand(i, j) - sand(i - 8, j);
        falling += rise < -1.5f;
        rising += rise > 1.5f;
      }
    }
  });
  std::printf(
      "check dunes: of samples 8 blocks apart, %zu have 1.5 blocks less sand on them further on "
      "along the wind, and %zu more\n",
      falling, rising);
  EXPECT_GT(falling, 2 * rising);
}

TEST(continents_landforms, leave_other_land_and_all_rivers_as_they_are) {
  const World world = continents(64), plain = without_landforms(world);
  const auto fastest = worldgen::noise::supported_targets().back();
  std::size_t same = 0, other = 0, water = 0;
  for (std::uint64_t k = 0; k < 300; ++k) {
    const ChunkCoord coord = survey_chunk(k, 2);
    const Chunk with = worldgen::generate(world, k, coord, 2, fastest);
    const Chunk without = worldgen::generate(plain, k, coord, 2, fastest);
    (with.height_q4 == without.height_q4 ? same : other) += 1;
    for (std::size_t i = 0; i < with.water_q4.size(); ++i) {
      if (without.water_q4[i] <= 0 || without.water_q4[i] <= without.height_q4[i]) continue;
      ++water;
      ASSERT_EQ(with.water_q4[i], without.water_q4[i]) << "chunk " << k << ", sample " << i;
    }
  }
  std::printf("check landforms: %zu of %zu chunks are another's; %zu samples of fresh water\n",
              other, same + other, water);
  EXPECT_GT(same, other);
  EXPECT_GT(other, 0u);
  EXPECT_GT(water, 1000u);
}

}  // namespace
}  // namespace terrane::testing
