// What is to be drawn of the chunks at hand, by the C interface.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>

#include "unit/core_land_rig.h"

namespace terrane::core::test {
namespace {

bool same(const Built& a, const Built& b) {
  const auto equal = [](const auto& x, const auto& y) {
    return x.size() == y.size() &&
           (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof x[0]) == 0);
  };
  return equal(a.vertices, b.vertices) && equal(a.indices, b.indices) &&
         equal(a.water_vertices, b.water_vertices) && equal(a.water_indices, b.water_indices);
}

/// What a game draws: it follows the changes, one after the other.
struct Picture {
  std::map<Tile, Built> meshes;

  void follow(const Game& game, const terrane_change& change) {
    const Tile tile = tile_of(change.tile);
    if (change.kind == TERRANE_HIDE) {
      EXPECT_EQ(meshes.erase(tile), 1u) << "what was not drawn is not hidden";
    } else {
      meshes[tile] = game.build(tile);
    }
  }
  [[nodiscard]] bool has(BlockPos block) const {
    for (Lod lod = 0; lod <= 8; ++lod) {
      const Tile tile{lod, chunk_of(block, kSize, lod)};
      const auto found = meshes.find(tile);
      if (found == meshes.end()) continue;
      const BlockPos origin = chunk_origin(tile.coord, kSize, lod);
      const std::int64_t half = std::int64_t{kSize / 2} << lod;
      const int quarter = (block.x - origin.x < half ? 0 : 1) + (block.y - origin.y < half ? 0 : 2);
      if ((found->second.quarters >> quarter & 1) != 0) return true;
    }
    return false;
  }
};

/// A step of a game's life: chunks come and go, mostly come.
void change_land(Game& game, const std::vector<Tile>& tiles, std::mt19937& random) {
  const Tile& tile = tiles[random() % tiles.size()];
  if (game.at_hand().contains(tile) && random() % 2 == 0) {
    game.remove(tile);
  } else {
    EXPECT_EQ(game.put(rough_chunk(tile)), TERRANE_OK);
  }
}

TEST(land_changes, who_follows_them_never_has_a_hole_where_there_was_none) {
  const std::vector<Tile> tiles = view({-5, 3}, kSize, {2, 1, 1, 1});
  for (unsigned seed = 1; seed <= 6; ++seed) {
    std::mt19937 random(seed);
    Game game;
    Picture picture;
    std::set<std::pair<int, int>> seen;
    const auto check = [&] {
      for (int y = -70; y < 70; y += 8) {
        for (int x = -70; x < 70; x += 8) {
          if (game.finest({x, y}) == nullptr) {
            seen.erase({x, y});
          } else if (picture.has({x, y})) {
            seen.insert({x, y});
          } else {
            ASSERT_FALSE(seen.contains({x, y})) << "a hole at " << x << ", " << y;
          }
        }
      }
    };
    for (int step = 0; step < 150; ++step) {
      for (auto k = random() % 5; k > 0; --k) change_land(game, tiles, random);
      for (const terrane_change& change : game.changes(random() % 4)) {
        picture.follow(game, change);
        check();
        if (HasFatalFailure()) FAIL() << seed << ", step " << step;
      }
    }
    for (const terrane_change& change : game.changes()) picture.follow(game, change);
    for (int y = -150; y < 150; y += 8) {
      for (int x = -150; x < 150; x += 8)
        EXPECT_EQ(picture.has({x, y}), game.finest({x, y}) != nullptr) << x << ", " << y;
    }
    EXPECT_TRUE(game.changes().empty());
  }
}

TEST(land_changes, meshes_that_are_not_told_of_are_as_they_were) {
  const std::vector<std::vector<int>> views{{2, 1, 1, 1}, {1, 1, 0, 0, 1, 1, 1, 1}, {2}};
  int told = 0, needless = 0;
  for (unsigned seed = 1; seed <= 9; ++seed) {
    std::mt19937 random(seed);
    const std::vector<Tile> tiles = view({-5, 3}, kSize, views[seed % views.size()]);
    Game game;
    Picture picture;
    for (int step = 0; step < 100; ++step) {
      change_land(game, tiles, random);
      for (const terrane_change& change : game.changes()) {
        const Built before = picture.meshes[tile_of(change.tile)];
        picture.follow(game, change);
        if (change.kind == TERRANE_HIDE) continue;
        ++told;
        needless += same(before, picture.meshes[tile_of(change.tile)]) ? 1 : 0;
      }
      for (const auto& [tile, mesh] : picture.meshes) {
        ASSERT_TRUE(same(mesh, game.build(tile)))
            << "lod " << int{tile.lod} << " " << tile.coord.x << ", " << tile.coord.y << ", seed "
            << seed << ", step " << step;
      }
    }
  }
  std::printf("check changes: %d of %d meshes were as before\n", needless, told);
  EXPECT_LT(needless, told / 5) << "as may be by chance: another neighbour with a like edge";
}

TEST(land_changes, the_finest_are_drawn_first_and_hidden_last) {
  Game game;
  for (const Tile& tile : view({0, 0}, kSize, {1, 1, 1})) game.put(rough_chunk(tile));
  std::vector<terrane_change> all;
  while (true) {
    const auto some = game.changes(3);
    all.insert(all.end(), some.begin(), some.end());
    if (some.size() < 3) break;
  }
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end(),
                             [](const auto& a, const auto& b) { return a.tile.lod < b.tile.lod; }));
  for (const auto& change : all) EXPECT_EQ(change.kind, std::uint32_t{TERRANE_DRAW});
  game.remove({0, {0, 0}});
  const auto changes = game.changes();
  ASSERT_GE(changes.size(), 2u);
  EXPECT_EQ(changes.back().kind, std::uint32_t{TERRANE_HIDE});
  EXPECT_EQ(tile_of(changes.back().tile), (Tile{0, {0, 0}}));
}

TEST(land_changes, what_comes_and_goes_between_two_looks_is_none) {
  Game game;
  const auto chunk = rough_chunk({0, {0, 0}});
  game.put(chunk);
  game.remove({0, {0, 0}});
  EXPECT_TRUE(game.changes().empty());
  game.put(chunk);
  game.put(rough_chunk({0, {1, 0}}));
  EXPECT_EQ(game.changes().size(), 2u);
  game.remove({0, {0, 0}});
  game.put(chunk);
  game.put(rough_chunk({0, {0, 0}}));
  EXPECT_TRUE(game.changes().empty()) << "the same samples, from another chunk";
  game.put(hand_made({0, {0, 0}}, kSize, [](std::int64_t, std::int64_t) { return 7; }));
  EXPECT_EQ(game.changes().size(), 2u) << "another land, and the neighbour that meets it";
}

TEST(land_changes, a_mesh_built_late_leaves_nothing_out_that_was_not_told) {
  Game game;
  game.put(rough_chunk({1, {0, 0}}));
  EXPECT_EQ(game.changes().size(), 1u);
  game.put(rough_chunk({0, {0, 0}}));
  EXPECT_EQ(game.build({1, {0, 0}}).quarters, 15) << "the finer one is not drawn yet";
  EXPECT_EQ(game.changes().size(), 2u);
  EXPECT_EQ(game.build({1, {0, 0}}).quarters, 14);
}

}  // namespace
}  // namespace terrane::core::test
