#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "rpc/unary/locate_target.h"
#include "rpc/unary/nearest_search.h"

namespace terrane::rpc {
namespace {

constexpr std::int64_t kFar = std::int64_t{1} << 46;

/// Looks at all squares of a search, those of a ring in an order that `seed` decides, as if workers
/// raced.
std::optional<Hit> run(NearestSearch& search,
                       const std::function<std::optional<Hit>(const SearchSquare&)>& look,
                       unsigned seed) {
  std::mt19937 random(seed);
  std::vector<SearchSquare> under_way;
  while (!search.over()) {
    while (const auto square = search.next()) {
      under_way.push_back(*square);
      if (random() % 3 == 0) break;
    }
    if (under_way.empty()) continue;
    const auto at = under_way.begin() + static_cast<std::ptrdiff_t>(random() % under_way.size());
    const SearchSquare square = *at;
    under_way.erase(at);
    const std::int64_t before = search.searched();
    search.report(look(square));
    EXPECT_GE(search.searched(), before);
  }
  return search.best();
}

TEST(nearest_search, it_finds_what_looking_at_every_point_finds_whoever_is_first) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < 60; ++round) {
    std::uniform_int_distribution<std::int64_t> block(-3000, 3000);
    const BlockPos origin{block(random), block(random)};
    std::vector<BlockPos> points(random() % 30);
    for (BlockPos& point : points) point = {block(random), block(random)};
    const std::int64_t radius = 100 + block(random) / 2 + 1500;
    std::optional<BlockPos> expected;
    for (const BlockPos point : points) {
      if (squared_distance(origin, point) > radius * radius) continue;
      if (!expected || is_nearer(origin, point, *expected)) expected = point;
    }
    NearestSearch search({.origin = origin,
                          .radius = radius,
                          .edge = 128,
                          .first_block = -kFar,
                          .last_block = kFar});
    const auto best = run(
        search,
        [&](const SearchSquare& square) {
          std::optional<Hit> hit;
          for (const BlockPos point : points) {
            const bool inside = point.x >= square.first.x && point.x <= square.last.x &&
                                point.y >= square.first.y && point.y <= square.last.y;
            if (!inside || squared_distance(origin, point) > radius * radius) continue;
            if (!hit || is_nearer(origin, point, hit->block))
              hit = Hit{.block = point, .structure = {}};
          }
          return hit;
        },
        round);
    EXPECT_EQ(best.has_value(), expected.has_value());
    if (best && expected) {
      EXPECT_EQ(best->block, *expected);
    }
    EXPECT_EQ(search.searched(), radius);
  }
}

TEST(nearest_search, no_square_outside_of_the_world_or_the_radius_is_looked_at_and_none_twice) {
  NearestSearch search(
      {.origin = {990, 0}, .radius = 500, .edge = 64, .first_block = -1000, .last_block = 1000});
  std::vector<BlockPos> seen;
  run(
      search,
      [&](const SearchSquare& square) -> std::optional<Hit> {
        EXPECT_LE(square.first.x, 1000);
        EXPECT_GE(square.last.x, 990 - 500);
        seen.push_back(square.first);
        return std::nullopt;
      },
      1);
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
  EXPECT_GT(seen.size(), 100u);
}

TEST(nearest_search, a_hit_at_hand_ends_it_soon) {
  NearestSearch search({.origin = {100, 100},
                        .radius = 65536,
                        .edge = 64,
                        .first_block = -kFar,
                        .last_block = kFar});
  int squares = 0;
  const auto best = run(
      search,
      [&](const SearchSquare&) {
        ++squares;
        return Hit{.block = {103, 100}, .structure = {}};
      },
      1);
  EXPECT_TRUE(best);
  EXPECT_LE(squares, 9);
}

/// Terrain whose biome is 7 in a disc and on one block that is no multiple of 32, else 0.
TerrainQueries disc_terrain(BlockPos middle, std::int64_t reach) {
  TerrainQueries terrain;
  terrain.biomes = [=](const worldgen::World& world, std::uint64_t, ChunkCoord coord, Lod lod,
                       const worldgen::Abandon&) {
    const BlockPos origin = chunk_origin(coord, world.chunk_size, lod);
    std::vector<std::uint8_t> biomes;
    for (std::int64_t y = 0; y < world.chunk_size; ++y) {
      for (std::int64_t x = 0; x < world.chunk_size; ++x) {
        const BlockPos block{origin.x + (x << lod), origin.y + (y << lod)};
        biomes.push_back(
            squared_distance(block, middle) <= reach * reach || block == BlockPos{1, 1} ? 7 : 0);
      }
    }
    return biomes;
  };
  terrain.structures = [](const worldgen::World&, std::uint64_t, BlockPos from, BlockPos to,
                          const worldgen::Abandon&) {
    std::vector<Structure> structures;
    for (const auto& [anchor, kind] :
         {std::pair{BlockPos{-700, 40}, 1}, {BlockPos{40, 9000}, 0}, {BlockPos{9000, 40}, 0}}) {
      Structure structure;
      structure.anchor = anchor;
      structure.kind = static_cast<std::uint8_t>(kind);
      const BlockPos at = structure.anchor;
      if (at.x >= from.x && at.x <= to.x && at.y >= from.y && at.y <= to.y)
        structures.push_back(structure);
    }
    return structures;
  };
  return terrain;
}

LocateQuery query_for(std::uint8_t id, bool structures, Lod max_lod = 8) {
  worldgen::World world;
  world.max_lod = max_lod;
  LocateQuery query{.world = std::make_shared<const worldgen::World>(world),
                    .origin = {5, 3},
                    .radius = 20000,
                    .wanted = {}};
  query.for_structures = structures;
  query.wanted[id] = true;
  return query;
}

std::optional<Hit> locate(const LocateQuery& query, const TerrainQueries& terrain) {
  const LocateTarget target(query, terrain);
  NearestSearch search(target.area());
  const auto best = run(
      search, [&](const SearchSquare& square) { return target.look(square, {}); }, 4);
  return best ? std::optional(target.refined(*best, {})) : std::nullopt;
}

TEST(locate, a_biome_is_found_at_its_nearest_block_and_what_no_multiple_of_32_hits_is_not) {
  const auto hit = locate(query_for(7, false), disc_terrain({5000, 3}, 300));
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->block, (BlockPos{4700, 3}));
  EXPECT_EQ(hit->biome, 7);
  EXPECT_FALSE(locate(query_for(7, false), disc_terrain({50000, 3}, 300))) << "beyond the radius";
}

TEST(locate, a_world_without_coarse_levels_is_searched_block_by_block) {
  LocateQuery query = query_for(7, false, 0);
  query.radius = 1000;
  const auto hit = locate(query, disc_terrain({5000, 3}, 300));
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->block, (BlockPos{1, 1}));
}

TEST(locate, a_structure_of_the_kind_is_found_and_ties_go_to_the_smaller_y) {
  LocateQuery query = query_for(0, true);
  query.origin = {0, 0};
  const auto hit = locate(query, disc_terrain({}, 1));
  ASSERT_TRUE(hit && hit->structure);
  EXPECT_EQ(hit->block, (BlockPos{9000, 40})) << "both are as far away";
  EXPECT_FALSE(locate(query_for(3, true), disc_terrain({}, 1)));
}

}  // namespace
}  // namespace terrane::rpc
