// What players do to the land: dug ground, holes, felled trees.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <set>

#include "unit/core_land_rig.h"

namespace terrane::core::test {
namespace {

terrane_patch height_at(std::int64_t x, std::int64_t y, std::int32_t height_q4) {
  return {{x, y}, height_q4, TERRANE_PATCH_HEIGHT};
}
terrane_patch hole_at(std::int64_t x, std::int64_t y) { return {{x, y}, 0, TERRANE_PATCH_HOLE}; }
terrane_patch nothing_at(std::int64_t x, std::int64_t y) { return {{x, y}, 0, 0}; }

void patch(Game& game, const std::vector<terrane_patch>& patches) {
  ASSERT_EQ(terrane_land_patch(game.land(), patches.data(), patches.size(), nullptr), TERRANE_OK);
}

std::set<Tile> to_draw(Game& game) {
  std::set<Tile> tiles;
  for (const terrane_change& change : game.changes()) {
    if (change.kind == TERRANE_DRAW) tiles.insert(tile_of(change.tile));
  }
  return tiles;
}

void expect_equal(const Built& a, const Built& b) {
  ASSERT_EQ(a.vertices.size(), b.vertices.size());
  EXPECT_EQ(
      std::memcmp(a.vertices.data(), b.vertices.data(), a.vertices.size() * sizeof a.vertices[0]),
      0);
  EXPECT_EQ(a.indices, b.indices);
  EXPECT_EQ(a.info.holes, b.info.holes);
}

/// Two tiles of lod 0 side by side, and what lies around.
void put_some(Game& game) {
  for (const Tile& tile : view({8, 8}, kSize, {2, 2})) game.put(rough_chunk(tile));
}

TEST(land_patch, of_a_height_is_in_meshes_and_queries_and_where_tiles_meet) {
  Game game;
  put_some(game);
  (void)game.changes();
  patch(game, {height_at(5, 6, 16 * 90), height_at(16, 9, -16 * 40)});  // within, and on an edge
  EXPECT_EQ(game.ground(5, 6).height, 90);
  EXPECT_EQ(game.ground(16, 9).height, -40);
  const std::set<Tile> redrawn = to_draw(game);
  EXPECT_TRUE(redrawn.contains({0, {0, 0}}));
  EXPECT_TRUE(redrawn.contains({0, {1, 0}}));
  EXPECT_LT(redrawn.size(), 20u);
  const Built west = game.build({0, {0, 0}}), east = game.build({0, {1, 0}});
  EXPECT_EQ(west.z(5, 6), 90);
  EXPECT_EQ(west.z(16, 9), -40);
  EXPECT_EQ(east.z(0, 9), -40);
}

TEST(land_patch, of_a_height_is_in_coarser_tiles_that_have_the_sample) {
  Game game;
  for (const Lod lod : {Lod{1}, Lod{2}}) game.put(rough_chunk({lod, {0, 0}}));
  patch(game, {height_at(8, 12, 16 * 90), height_at(6, 10, 16 * 80), height_at(7, 8, 16 * 70)});
  const Built fine = game.build({1, {0, 0}}), coarse = game.build({2, {0, 0}});
  EXPECT_EQ(fine.z(4, 6), 90);
  EXPECT_EQ(fine.z(3, 5), 80);
  EXPECT_EQ(coarse.z(2, 3), 90);
  int high = 0;
  for (const terrane_vertex& vertex : fine.vertices) high += vertex.z > 60 ? 1 : 0;
  EXPECT_EQ(high, 2) << "(7, 8) is no sample of lod 1";
}

TEST(land_patch, makes_what_the_same_heights_make) {
  std::mt19937 random(3);
  Game patched, made;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int32_t> heights;
  std::vector<terrane_patch> patches;
  for (int k = 0; k < 300; ++k) {
    const std::int64_t x = static_cast<std::int64_t>(random() % 96) - 40,
                       y = static_cast<std::int64_t>(random() % 96) - 40;
    heights[{x, y}] = static_cast<std::int32_t>(random() % 3000) - 1500;
    patches.push_back(height_at(x, y, heights[{x, y}]));
  }
  std::size_t given = 0;
  const auto tiles = view({0, 0}, kSize, {2, 2, 1});
  for (const Tile& tile : tiles) {  // some patches come before a tile, some after it
    patched.put(rough_chunk(tile));
    const std::size_t next = std::min(patches.size(), given + 7);
    patch(patched, {patches.begin() + static_cast<std::ptrdiff_t>(given),
                    patches.begin() + static_cast<std::ptrdiff_t>(next)});
    given = next;
    auto chunk = rough_chunk(tile);
    const BlockPos origin = chunk_origin(tile.coord, kSize, tile.lod);
    for (std::size_t at = 0; at < chunk->height_q4.size(); ++at) {
      const auto i = static_cast<std::int64_t>(at) % kSize,
                 j = static_cast<std::int64_t>(at) / kSize;
      const auto found = heights.find({origin.x + (i << tile.lod), origin.y + (j << tile.lod)});
      if (found != heights.end()) chunk->height_q4[at] = found->second;
    }
    made.put(chunk);
  }
  patch(patched, {patches.begin() + static_cast<std::ptrdiff_t>(given), patches.end()});
  for (const Tile& tile : tiles) expect_equal(patched.build(tile), made.build(tile));
}

TEST(land_patch, outlasts_its_chunk_and_can_be_undone) {
  Game game;
  put_some(game);
  const Built before = game.build({0, {0, 0}});
  patch(game, {height_at(5, 6, 16 * 90), hole_at(7, 7)});
  const Built after = game.build({0, {0, 0}});
  game.remove({0, {0, 0}});
  (void)game.changes();
  game.put(rough_chunk({0, {0, 0}}));
  EXPECT_TRUE(to_draw(game).contains({0, {0, 0}}));
  expect_equal(game.build({0, {0, 0}}), after);
  game.put(rough_chunk({0, {0, 0}}));  // the same again is no change
  EXPECT_TRUE(to_draw(game).empty());
  patch(game, {nothing_at(5, 6), nothing_at(7, 7), nothing_at(100, 100)});
  EXPECT_TRUE(to_draw(game).contains({0, {0, 0}}));
  expect_equal(game.build({0, {0, 0}}), before);
  EXPECT_EQ(game.ground(7.5, 7.5).hole, 0);
}

TEST(land_patch, takes_the_ground_away) {
  Game game;
  put_some(game);
  const Built before = game.build({0, {0, 0}}), other = game.build({0, {1, 0}});
  patch(game, {hole_at(3, 4), hole_at(15, 15)});
  const Built after = game.build({0, {0, 0}});
  EXPECT_EQ(after.info.holes, 2u);
  EXPECT_EQ(after.ground.size(), before.ground.size() - 12);
  for (std::size_t k = 0; k < after.ground.size(); k += 3) {
    const terrane_vertex &a = after.vertices[after.ground[k]],
                         &b = after.vertices[after.ground[k + 1]],
                         &c = after.vertices[after.ground[k + 2]];
    const float x = (a.x + b.x + c.x) / 3, y = (a.y + b.y + c.y) / 3;
    EXPECT_FALSE(x > 3 && x < 4 && y > 4 && y < 5);
  }
  expect_equal(game.build({0, {1, 0}}), other);  // with all its triangles, after one without
  EXPECT_EQ(game.ground(3.5, 4.5).hole, 1);
  EXPECT_EQ(game.ground(3.5, 4.5).known, 1);
  EXPECT_EQ(game.ground(4.5, 4.5).hole, 0);

  const double down[3] = {0, 0, -1};
  const auto falls = [&](double x, double y) {
    const double from[3] = {x, y, 500};
    terrane_hit hit{};
    hit.struct_size = sizeof hit;
    EXPECT_EQ(terrane_land_ray(game.land(), from, down, 10'000, &hit, nullptr), TERRANE_OK);
    return hit.hit == 0;
  };
  EXPECT_TRUE(falls(3.5, 4.25));
  EXPECT_TRUE(falls(15.5, 15.5));
  EXPECT_FALSE(falls(4.5, 4.5));
}

TEST(land_patch, fells_what_stands) {
  Game game;
  auto chunk = rough_chunk({0, {0, 0}});
  chunk->placements = {{{3, 3}, 1, 0, 100}, {{9, 3}, 1, 0, 100}};
  game.put(chunk);
  terrane_placement found[4];
  EXPECT_EQ(terrane_land_placements(game.land(), 5, 5, 20, found, 4), 2u);
  patch(game, {{{3, 3}, 0, TERRANE_PATCH_NO_PLACEMENT}});
  ASSERT_EQ(terrane_land_placements(game.land(), 5, 5, 20, found, 4), 1u);
  EXPECT_EQ(found[0].anchor.x, 9);
  patch(game, {nothing_at(3, 3)});
  EXPECT_EQ(terrane_land_placements(game.land(), 5, 5, 20, found, 4), 2u);
}

TEST(land_patch, that_cannot_be_is_refused_and_nothing_of_it_counts) {
  Game game;
  game.put(rough_chunk({0, {0, 0}}));
  const double before = game.ground(1, 1).height;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  const struct {
    terrane_patch patch;
    terrane_code code;
  } cases[] = {{{{1, 1}, 0, 8}, TERRANE_INVALID_ARGUMENT},
               {height_at(kMost, 0, 0), TERRANE_OUT_OF_RANGE},
               {height_at(0, kLeast, 0), TERRANE_OUT_OF_RANGE},
               {height_at(0, 0, std::numeric_limits<std::int32_t>::min()), TERRANE_OUT_OF_RANGE}};
  for (const auto& [wrong, code] : cases) {
    const terrane_patch both[2] = {height_at(1, 1, 16 * 99), wrong};
    terrane_error error{};
    error.struct_size = sizeof error;
    EXPECT_EQ(terrane_land_patch(game.land(), both, 2, &error), code);
    EXPECT_NE(std::string(error.message).find("patches[1]"), std::string::npos) << error.message;
    EXPECT_EQ(game.ground(1, 1).height, before);
  }
  EXPECT_EQ(terrane_land_patch(game.land(), nullptr, 0, nullptr), TERRANE_OK);
  EXPECT_EQ(terrane_land_patch(game.land(), nullptr, 1, nullptr), TERRANE_INVALID_ARGUMENT);
  EXPECT_EQ(terrane_land_patch(nullptr, nullptr, 0, nullptr), TERRANE_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace terrane::core::test
