// Roads along great rivers: walked from bank to bank, and kept clear.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include "worldgen_objects_rig.h"

namespace terrane::worldgen {
namespace {

/// A river 40 blocks wide and more, with a tributary, a ford and a village, for 640 blocks both
/// ways.
constexpr std::uint64_t kRiverSeed = 1;
constexpr BlockPos kRiver{6592, 1984};
constexpr int kHalf = 640;

bool is_of(const World& world, const Chunk& chunk, std::size_t at, FreshWater what) {
  return world.biomes[chunk.biome[at]].water == what;
}

/// The square around kRiver, sample by sample.
struct Valley {
  static constexpr int kSize = 2 * kHalf;
  std::vector<std::int32_t> height_q4, depth_q4;  // depth: 0 on land
  std::vector<char> is_road, is_river;
  std::vector<std::uint8_t> forest_p, rocks_p;

  explicit Valley(const World& world) {
    Chunks chunks(world, kRiverSeed);
    for (int y = 0; y < kSize; ++y) {
      for (int x = 0; x < kSize; ++x) {
        const BlockPos block{kRiver.x - kHalf + x, kRiver.y - kHalf + y};
        const Chunk& chunk = chunks.at(block);
        const std::size_t at = chunks.index(block);
        height_q4.push_back(chunk.height_q4[at]);
        depth_q4.push_back(std::max(chunk.water_q4[at] - chunk.height_q4[at], 0));
        is_road.push_back(is_of(world, chunk, at, FreshWater::kRoad));
        is_river.push_back(is_of(world, chunk, at, FreshWater::kRiver));
        forest_p.push_back(chunk.forest_p[at]);
        rocks_p.push_back(chunk.rocks_p[at]);
      }
    }
  }
  static std::size_t at(int x, int y) {
    return static_cast<std::size_t>(y) * kSize + static_cast<std::size_t>(x);
  }
};

const Valley& valley() {
  static const Valley kValley(default_world());
  return kValley;
}

TEST(roads, are_dry_and_clear_and_lie_near_water) {
  const Valley& land = valley();
  std::size_t roads = 0, far = 0;
  for (int y = 80; y + 80 < Valley::kSize; ++y) {
    for (int x = 80; x + 80 < Valley::kSize; ++x) {
      const std::size_t at = Valley::at(x, y);
      if (!land.is_road[at]) continue;
      ++roads;
      ASSERT_EQ(land.depth_q4[at], 0) << x << "," << y;
      ASSERT_EQ(land.forest_p[at] + land.rocks_p[at], 0) << x << "," << y;
      bool is_near = false;
      for (int j = -60; j <= 60 && !is_near; j += 2) {
        for (int i = -60; i <= 60 && !is_near; i += 2)
          is_near = land.is_river[Valley::at(x + i, y + j)];
      }
      far += !is_near;
    }
  }
  EXPECT_GT(roads, 4000u);
  EXPECT_EQ(far, 0u);
}

/// What can be walked to from a sample, over roads and through water of half a block at most, with
/// no step of more than a block.
std::vector<char> walked_from(const Valley& land, std::size_t start) {
  std::vector<char> seen(land.height_q4.size());
  const auto is_open = [&](std::size_t at) {
    return land.is_road[at] || (land.is_river[at] && land.depth_q4[at] <= 8);
  };
  std::vector<std::size_t> next{start};
  seen[start] = 1;
  while (!next.empty()) {
    const std::size_t at = next.back();
    next.pop_back();
    const int x = static_cast<int>(at % Valley::kSize), y = static_cast<int>(at / Valley::kSize);
    for (const auto& [i, j] : {std::pair{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}}) {
      if (i < 0 || j < 0 || i >= Valley::kSize || j >= Valley::kSize) continue;
      const std::size_t other = Valley::at(i, j);
      const bool is_step = std::abs(land.height_q4[other] - land.height_q4[at]) <= 16;
      if (seen[other] || !is_open(other) || !is_step) continue;
      seen[other] = 1;
      next.push_back(other);
    }
  }
  return seen;
}

TEST(roads, lead_everywhere_along_a_river_and_across_it) {
  const Valley& land = valley();
  std::size_t roads = 0, most = 0;
  std::vector<char> known(land.height_q4.size());
  for (std::size_t at = 0; at < land.height_q4.size(); ++at) {
    if (!land.is_road[at]) continue;
    ++roads;
    if (known[at]) continue;
    const std::vector<char> walked = walked_from(land, at);
    std::size_t reached = 0;
    for (std::size_t k = 0; k < walked.size(); ++k) {
      reached += walked[k] && land.is_road[k];
      known[k] = known[k] || walked[k];
    }
    most = std::max(most, reached);
  }
  std::printf("check roads: %zu samples, %zu of them from one place\n", roads, most);
  EXPECT_GE(most * 100, roads * 95);
}

TEST(roads, are_the_same_at_every_level) {
  const World& world = default_world();
  const Valley& land = valley();
  std::size_t seen = 0;
  for (const Lod lod : {Lod{1}, Lod{3}}) {
    const std::int64_t span = std::int64_t{64} << lod;
    for (std::int64_t y = kRiver.y - kHalf; y < kRiver.y + kHalf; y += span) {
      for (std::int64_t x = kRiver.x - kHalf; x < kRiver.x + kHalf; x += span) {
        const Chunk chunk = make(world, chunk_of({x, y}, world.chunk_size, lod), lod, kRiverSeed);
        const BlockPos origin = chunk_origin(chunk.coord, chunk.size, lod);
        for (std::size_t k = 0; k < chunk.biome.size(); ++k) {
          const auto i = origin.x + (static_cast<std::int64_t>(k % 64) << lod) - kRiver.x + kHalf;
          const auto j = origin.y + (static_cast<std::int64_t>(k / 64) << lod) - kRiver.y + kHalf;
          if (i < 0 || j < 0 || i >= Valley::kSize || j >= Valley::kSize) continue;
          const std::size_t at = Valley::at(static_cast<int>(i), static_cast<int>(j));
          ASSERT_EQ(is_of(world, chunk, k, FreshWater::kRoad), static_cast<bool>(land.is_road[at]));
          ASSERT_EQ(chunk.height_q4[k], land.height_q4[at]);
          seen += land.is_road[at] ? 1u : 0u;
        }
      }
    }
  }
  EXPECT_GT(seen, 500u);
}

TEST(roads, go_through_no_house) {
  const World& world = default_world();
  Chunks chunks(world, kRiverSeed);
  std::size_t roads = 0, houses = 0;
  for (const Structure& house : structures_around(world, kRiver, 3, kRiverSeed)) {
    ++houses;
    for (const Room& room : rooms_of(world, kRiverSeed, house.anchor, fastest())) {
      for (int y = 0; y < depth_of(room, world); ++y) {
        for (int x = 0; x < width_of(room, world); ++x) {
          const BlockPos block{room.corner.x + x, room.corner.y + y};
          roads += is_of(world, chunks.at(block), chunks.index(block), FreshWater::kRoad);
        }
      }
    }
  }
  EXPECT_GT(houses, 8u);
  EXPECT_EQ(roads, 0u);
}

TEST(roads, are_none_where_a_world_wants_none) {
  World world = default_world();
  std::get<ContinentsTerrain>(world.terrain).rivers.roads_from = 0;
  Chunks chunks(world, kRiverSeed);
  for (std::int64_t y = -256; y < 256; y += 64) {
    for (std::int64_t x = -256; x < 256; x += 64) {
      const Chunk& chunk = chunks.at({kRiver.x + x, kRiver.y + y});
      for (std::size_t at = 0; at < chunk.biome.size(); ++at)
        ASSERT_FALSE(is_of(world, chunk, at, FreshWater::kRoad));
    }
  }
}

}  // namespace
}  // namespace terrane::worldgen
