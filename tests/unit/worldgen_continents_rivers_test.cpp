// What rivers and lakes of `continents` look like from outside: water that lies below its banks,
// falls all the way to the sea, and is level in lakes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <vector>

#include "unit/worldgen_continents_survey.h"

namespace terrane::testing {
namespace {

using worldgen::FreshWater;
using worldgen::noise::SimdTarget;

const SimdTarget kFastest = worldgen::noise::supported_targets().back();

/// A square of lod-0 chunks as one map.
struct Waters {
  int size = 0;
  std::vector<std::int32_t> height_q4, water_q4;
  std::vector<std::uint8_t> biome;

  [[nodiscard]] std::size_t at(int i, int j) const {
    return static_cast<std::size_t>(j * size + i);
  }
  [[nodiscard]] bool is_wet(std::size_t k) const { return water_q4[k] > height_q4[k]; }
};

Waters map_of(const worldgen::World& world, std::uint64_t seed, ChunkCoord first, int chunks) {
  Waters map;
  map.size = 64 * chunks;
  const auto count = static_cast<std::size_t>(map.size) * static_cast<std::size_t>(map.size);
  map.height_q4.resize(count);
  map.water_q4.resize(count);
  map.biome.resize(count);
  for (int y = 0; y < chunks; ++y) {
    for (int x = 0; x < chunks; ++x) {
      const Chunk chunk = worldgen::generate(world, seed, {first.x + x, first.y + y}, 0, kFastest);
      for (int k = 0; k < 64 * 64; ++k) {
        const auto from = static_cast<std::size_t>(k);
        const std::size_t to = map.at(64 * x + k % 64, 64 * y + k / 64);
        map.height_q4[to] = chunk.height_q4[from];
        map.water_q4[to] = chunk.water_q4[from];
        map.biome[to] = chunk.biome[from];
      }
    }
  }
  return map;
}

/// Maps of 1,024 blocks with land in them.
void for_land_maps(int maps,
                   const std::function<void(const worldgen::World&, const Waters&)>& check) {
  const worldgen::World world = continents();
  int seen = 0;
  for (std::uint64_t k = 0; seen < maps; ++k) {
    if (!is_mostly_land(world, k, 1, 4)) continue;
    const ChunkCoord coarse = survey_chunk(k, 4);
    check(world, map_of(world, k, {coarse.x * 16, coarse.y * 16}, 16));
    ++seen;
  }
}

FreshWater water_of(const worldgen::World& world, const Waters& map, std::size_t k) {
  return world.biomes[map.biome[k]].water;
}

TEST(continents_rivers, water_never_stands_above_its_banks) {
  std::size_t edges = 0, above = 0, fresh = 0;
  for_land_maps(40, [&](const worldgen::World&, const Waters& map) {
    for (int j = 0; j + 1 < map.size; ++j) {
      for (int i = 0; i + 1 < map.size; ++i) {
        const std::size_t here = map.at(i, j);
        fresh += map.is_wet(here) && map.water_q4[here] > 0;
        for (const std::size_t there : {map.at(i + 1, j), map.at(i, j + 1)}) {
          if (map.is_wet(here) == map.is_wet(there)) continue;
          const std::size_t wet = map.is_wet(here) ? here : there, dry = wet == here ? there : here;
          ++edges;
          above += map.water_q4[wet] > map.height_q4[dry];
        }
      }
    }
  });
  std::printf(
      "check banks: of %zu places where water meets land, it stands above it at %zu; %zu samples "
      "of fresh water\n",
      edges, above, fresh);
  EXPECT_EQ(above, 0u);
  EXPECT_GT(fresh, 100000u);
}

/// A client's ground, straight between samples, goes through its water where the shore is. It can't
/// where the first dry sample is always as high: slanting banks had teeth.
TEST(continents_rivers, shores_lie_between_samples) {
  std::map<int, std::size_t> rises;  // of the first dry sample above the water, 1/16 block
  std::size_t edges = 0;
  for_land_maps(8, [&](const worldgen::World&, const Waters& map) {
    for (int j = 0; j + 1 < map.size; ++j) {
      for (int i = 0; i + 1 < map.size; ++i) {
        const std::size_t here = map.at(i, j);
        for (const std::size_t there : {map.at(i + 1, j), map.at(i, j + 1)}) {
          if (map.is_wet(here) == map.is_wet(there)) continue;
          const std::size_t wet = map.is_wet(here) ? here : there, dry = wet == here ? there : here;
          if (map.water_q4[wet] <= 0) continue;
          ++rises[map.height_q4[dry] - map.water_q4[wet]];
          ++edges;
        }
      }
    }
  });
  ASSERT_GT(edges, 10000u);
  std::size_t most = 0;
  for (const auto& [rise, count] : rises) most = std::max(most, count);
  const double share = static_cast<double>(most) / static_cast<double>(edges);
  std::printf("check shores: of %zu first dry samples %.1f %% have the most frequent height\n",
              edges, 100 * share);
  EXPECT_LT(share, 0.3);
}

TEST(continents_rivers, where_there_is_water_follows_from_the_heights) {
  for_land_maps(8, [&](const worldgen::World& world, const Waters& map) {
    for (std::size_t k = 0; k < map.height_q4.size(); ++k) {
      if (map.is_wet(k)) {
        ASSERT_GE(map.water_q4[k], 0);
        const FreshWater water = water_of(world, map, k);
        ASSERT_NE(water, FreshWater::kRoad) << "under water";
        ASSERT_EQ(map.water_q4[k] > 0, water != FreshWater::kNone) << "a biome for the wrong water";
      } else {
        ASSERT_EQ(map.water_q4[k], kNoWater);
        ASSERT_GE(map.height_q4[k], 0) << "dry below the sea";
        const FreshWater water = water_of(world, map, k);
        ASSERT_TRUE(water == FreshWater::kNone || water == FreshWater::kRoad);
      }
    }
  });
}

/// Neighbouring samples that `same` says belong together, from one of them.
std::vector<std::size_t> area_around(const Waters& map, std::size_t start, std::vector<bool>& seen,
                                     const std::function<bool(std::size_t, std::size_t)>& same) {
  std::vector<std::size_t> area{start};
  seen[start] = true;
  for (std::size_t next = 0; next < area.size(); ++next) {
    const std::size_t here = area[next];
    const int i = static_cast<int>(here) % map.size, j = static_cast<int>(here) / map.size;
    const auto look = [&](int x, int y) {
      if (x < 0 || y < 0 || x >= map.size || y >= map.size) return;
      const std::size_t there = map.at(x, y);
      if (seen[there] || !same(here, there)) return;
      seen[there] = true;
      area.push_back(there);
    };
    look(i - 1, j);
    look(i + 1, j);
    look(i, j - 1);
    look(i, j + 1);
  }
  return area;
}

TEST(continents_rivers, lakes_are_level) {
  std::size_t lakes = 0, largest = 0;
  for_land_maps(60, [&](const worldgen::World& world, const Waters& map) {
    std::vector<bool> seen(map.height_q4.size());
    for (std::size_t k = 0; k < seen.size(); ++k) {
      if (seen[k] || water_of(world, map, k) != FreshWater::kLake) continue;
      const auto area = area_around(map, k, seen, [&](std::size_t, std::size_t there) {
        return water_of(world, map, there) == FreshWater::kLake;
      });
      ++lakes;
      largest = std::max(largest, area.size());
      std::size_t uneven = 0;
      for (const std::size_t sample : area) uneven += map.water_q4[sample] != map.water_q4[k];
      ASSERT_EQ(uneven, 0u) << "a lake of " << area.size() << " samples";
    }
  });
  std::printf("check lakes: %zu, the largest of %zu samples\n", lakes, largest);
  EXPECT_GT(lakes, 3u);
  EXPECT_GT(largest, 5000u);
}

TEST(continents_rivers, water_flows_on_to_lower_water_or_out_of_sight) {
  // From any fresh water one gets to the sea or to the map's edge over water that never rises by
  // more than a rounded sixteenth.
  std::size_t samples = 0, stuck = 0;
  for_land_maps(40, [&](const worldgen::World&, const Waters& map) {
    std::vector<bool> reached(map.height_q4.size());
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < reached.size(); ++k) {
      if (!map.is_wet(k)) continue;
      const int i = static_cast<int>(k) % map.size, j = static_cast<int>(k) / map.size;
      const bool leaves =
          i == 0 || j == 0 || i + 1 == map.size || j + 1 == map.size || map.water_q4[k] == 0;
      if (leaves) order.push_back(k), reached[k] = true;
    }
    // Upstream from there.
    for (std::size_t next = 0; next < order.size(); ++next) {
      const std::size_t here = order[next];
      const int i = static_cast<int>(here) % map.size, j = static_cast<int>(here) / map.size;
      for (int y = std::max(j - 1, 0); y <= std::min(j + 1, map.size - 1); ++y) {
        for (int x = std::max(i - 1, 0); x <= std::min(i + 1, map.size - 1); ++x) {
          const std::size_t there = map.at(x, y);
          if (!map.is_wet(there) || reached[there] || map.water_q4[there] < map.water_q4[here] - 1)
            continue;
          reached[there] = true;
          order.push_back(there);
        }
      }
    }
    for (std::size_t k = 0; k < reached.size(); ++k) {
      if (!map.is_wet(k) || map.water_q4[k] == 0) continue;
      ++samples;
      stuck += !reached[k];
    }
  });
  std::printf("check flow: %zu samples of fresh water, %.3f %% of them lead nowhere\n", samples,
              percent(stuck, samples));
  EXPECT_EQ(stuck, 0u);
}

TEST(continents_rivers, points_hold_the_water_of_their_chunks) {
  const worldgen::World world = continents();
  for (std::uint64_t k = 0; k < 12; ++k) {
    if (!is_mostly_land(world, k, 1, 4)) continue;
    const ChunkCoord coarse = survey_chunk(k, 4);
    const Waters map = map_of(world, k, {coarse.x * 16, coarse.y * 16}, 16);
    const BlockPos origin{coarse.x * 1024, coarse.y * 1024};
    for (std::size_t at = 0; at < map.height_q4.size(); at += 997) {
      const BlockPos point{origin.x + static_cast<int>(at) % map.size,
                           origin.y + static_cast<int>(at) / map.size};
      // on a thread of its own, which remembers nothing of the chunks
      const PointSample sample = std::async(std::launch::async, [&] {
                                   return worldgen::sample_points(world, k, {&point, 1}, kFastest);
                                 }).get()[0];
      ASSERT_EQ(sample.height_q4, map.height_q4[at]);
      ASSERT_EQ(sample.water_q4, map.water_q4[at]);
      ASSERT_EQ(sample.biome, map.biome[at]);
    }
  }
}

TEST(continents_rivers, a_coarse_tile_holds_the_water_of_the_fine_ones) {
  const worldgen::World world = continents();
  for (std::uint64_t k = 0; k < 12; ++k) {
    const ChunkCoord coarse = survey_chunk(k, 3);
    const Chunk whole = worldgen::generate(world, k, coarse, 3, kFastest);
    const Waters map = map_of(world, k, {coarse.x * 8, coarse.y * 8}, 8);
    for (int j = 0; j < 64; ++j) {
      for (int i = 0; i < 64; ++i) {
        ASSERT_EQ(whole.water_q4[static_cast<std::size_t>(j * 64 + i)],
                  map.water_q4[map.at(8 * i, 8 * j)]);
        ASSERT_EQ(whole.biome[static_cast<std::size_t>(j * 64 + i)],
                  map.biome[map.at(8 * i, 8 * j)]);
      }
    }
  }
}

}  // namespace
}  // namespace terrane::testing
