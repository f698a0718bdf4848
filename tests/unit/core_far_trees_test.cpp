// Forests of coarse tiles, which have no placements.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "unit/core_land_rig.h"

namespace terrane::core::test {
namespace {

const terrane_world& continents_world() {
  static const terrane_world opened = as_opened("continents");
  return opened;
}

std::uint8_t biome_of(const std::string& name) {
  const auto& biomes = continents_world().generated->biomes;
  const auto found = std::find_if(biomes.begin(), biomes.end(),
                                  [&](const auto& biome) { return biome.name == name; });
  EXPECT_NE(found, biomes.end());
  return static_cast<std::uint8_t>(found - biomes.begin());
}

/// Hills of one biome. @param forest_p  of the column of samples
std::shared_ptr<Chunk> wooded(const Tile& tile, const std::string& biome,
                              const std::function<int(int)>& forest_p) {
  auto chunk = hand_made(tile, 64, rough);
  chunk->biome.assign(64 * 64, biome_of(biome));
  for (int k = 0; k < 64 * 64; ++k)
    chunk->forest_p.push_back(static_cast<std::uint8_t>(forest_p(k % 64)));
  return chunk;
}

std::vector<terrane_far_tree> trees_of(const Game& game, const Tile& tile,
                                       std::size_t capacity = 1024) {
  std::vector<terrane_far_tree> trees(capacity);
  const terrane_tile c = to_c(tile);
  trees.resize(
      terrane_land_far_trees(game.land(), &continents_world(), &c, trees.data(), capacity));
  return trees;
}

double count_of(const std::vector<terrane_far_tree>& trees) {
  double count = 0;
  for (const terrane_far_tree& tree : trees) count += static_cast<double>(tree.trees);
  return count;
}

TEST(far_trees, stand_on_the_mesh_of_their_tile_and_are_always_the_same) {
  const BlockPos woods = in_woods();
  Game game, other;
  for (const Lod lod : {Lod{1}, Lod{2}, Lod{3}}) {
    const Tile tile{lod, chunk_of(woods, 64, lod)};
    game.put(continents(tile));
    other.put(continents(tile));
    const auto trees = trees_of(game, tile), again = trees_of(other, tile);
    const Built mesh = game.build(tile);
    EXPECT_GT(trees.size(), 50u);
    for (const terrane_far_tree& tree : trees) {
      const double x = static_cast<double>(tree.x), y = static_cast<double>(tree.y);
      EXPECT_TRUE(mesh.has(x + static_cast<double>(mesh.info.origin.x),
                           y + static_cast<double>(mesh.info.origin.y)));
      EXPECT_NEAR(static_cast<double>(tree.z),
                  mesh.height(x + static_cast<double>(mesh.info.origin.x),
                              y + static_cast<double>(mesh.info.origin.y)),
                  1e-3);
      EXPECT_GT(tree.radius, 0);
      EXPECT_GT(tree.height, 1);
      EXPECT_GE(tree.trees, 1);
      EXPECT_LT(tree.kind, 17) << "a boulder";
    }
    ASSERT_EQ(trees.size(), again.size());
    EXPECT_EQ(std::memcmp(trees.data(), again.data(), trees.size() * sizeof trees[0]), 0);
    game.remove(tile);
    other.remove(tile);
  }
}

TEST(far_trees, are_as_many_as_the_forest_is_dense_at_every_level) {
  for (const std::size_t capacity : {std::size_t{256}, std::size_t{1024}, std::size_t{5000}}) {
    for (Lod lod = 1; lod <= 6; ++lod) {
      Game game;
      game.put(wooded({lod, {3, -2}}, "Deciduous Forest", [](int i) { return i < 32 ? 0 : 80; }));
      const auto trees = trees_of(game, {lod, {3, -2}}, capacity);
      EXPECT_LE(trees.size(), capacity);
      const double wide = std::ldexp(64, lod);
      // those of lod 0 have a lattice of 5 blocks, and a distance of 4
      EXPECT_NEAR(count_of(trees) / (0.8 * wide * wide / 2 / 41), 1, 0.15) << int{lod};
      for (const terrane_far_tree& tree : trees)
        EXPECT_GE(static_cast<double>(tree.x), wide / 2 - wide / 64);
    }
  }
}

TEST(far_trees, are_about_as_many_as_stand_in_the_chunks_of_full_detail) {
  const BlockPos woods = in_woods();
  const Tile tile{2, chunk_of(woods, 64, 2)};
  std::size_t standing = 0;
  for (std::int64_t k = 0; k < 16; ++k) {
    const auto chunk = continents({0, {tile.coord.x * 4 + k % 4, tile.coord.y * 4 + k / 4}});
    for (const Placement& each : chunk->placements) {
      const Solid& solid = continents_world().solids.kinds[each.kind];
      standing += solid.part == TERRANE_OBSTACLE_TRUNK ? 1 : 0;
    }
  }
  Game game;
  game.put(continents(tile));
  EXPECT_GT(standing, 200u);
  EXPECT_NEAR(count_of(trees_of(game, tile)) / static_cast<double>(standing), 1, 0.25);
}

TEST(far_trees, stay_in_their_place_where_the_next_level_comes) {
  Game game;
  game.put(wooded({2, {-1, 0}}, "Taiga", [](int) { return 100; }));
  game.put(wooded({3, {-1, 0}}, "Taiga", [](int) { return 100; }));
  std::set<std::pair<float, float>> fine, coarse;
  for (const terrane_far_tree& tree : trees_of(game, {2, {-1, 0}}, 1024))
    fine.emplace(tree.x, tree.y);
  // the fine tile is the north-eastern quarter of the coarse one, which it leaves out
  game.remove({2, {-1, 0}});
  std::size_t stay = 0, all = 0;
  for (const terrane_far_tree& tree : trees_of(game, {3, {-1, 0}}, 1024)) {
    if (tree.x < 256 || tree.y >= 256) continue;
    ++all;
    stay += fine.count({tree.x - 256, tree.y});
  }
  EXPECT_GT(all, 200u);
  EXPECT_GT(static_cast<double>(stay), 0.95 * static_cast<double>(all));
}

TEST(far_trees, are_left_out_where_finer_tiles_are_drawn) {
  Game game;
  game.put(wooded({1, {0, 0}}, "Taiga", [](int) { return 100; }));
  const std::size_t before = trees_of(game, {1, {0, 0}}).size();
  game.put(wooded({0, {1, 0}}, "Taiga", [](int) { return 100; }));
  (void)game.changes();
  const auto trees = trees_of(game, {1, {0, 0}});
  EXPECT_NEAR(static_cast<double>(trees.size()) / static_cast<double>(before), 0.75, 0.05);
  for (const terrane_far_tree& tree : trees) EXPECT_FALSE(tree.x >= 64 && tree.y < 64);
}

TEST(far_trees, stand_on_dry_ground) {
  std::size_t standing = 0, tiles = 0;
  for (std::int64_t k = 0; k < 400 && tiles < 12; ++k) {
    const Tile tile{3, {k % 20, k / 20}};
    const auto chunk = continents(tile);
    std::size_t wet = 0, wooded = 0;
    for (std::size_t at = 0; at < chunk->height_q4.size(); ++at) {
      wet += chunk->water_q4[at] > chunk->height_q4[at] ? 1 : 0;
      wooded += chunk->forest_p[at] > 40 ? 1 : 0;
    }
    if (wet < 40 || wooded < 1500) continue;
    ++tiles;
    Game game;
    game.put(chunk);
    const BlockPos origin = chunk_origin(tile.coord, 64, tile.lod);
    for (const terrane_far_tree& tree : trees_of(game, tile, 4096)) {
      const double place[2] = {static_cast<double>(origin.x) + static_cast<double>(tree.x),
                               static_cast<double>(origin.y) + static_cast<double>(tree.y)};
      terrane_ground ground{};
      terrane_land_ground(game.land(), place, 1, &ground);
      ASSERT_EQ(ground.depth, 0) << place[0] << "," << place[1];
      ++standing;
    }
  }
  EXPECT_EQ(tiles, 12u);
  EXPECT_GT(standing, 5000u);
}

TEST(far_trees, are_none_where_nothing_tells_of_any) {
  Game game;
  EXPECT_TRUE(trees_of(game, {1, {0, 0}}).empty()) << "not at hand";
  game.put(wooded({0, {0, 0}}, "Taiga", [](int) { return 100; }));
  EXPECT_TRUE(trees_of(game, {0, {0, 0}}).empty()) << "placements are there";
  game.put(wooded({1, {1, 0}}, "Taiga", [](int) { return 100; }));
  EXPECT_TRUE(trees_of(game, {1, {1, 0}}, 3).empty()) << "no room";
  EXPECT_FALSE(trees_of(game, {1, {1, 0}}, 4).empty());
  game.put(wooded({1, {2, 0}}, "Ocean", [](int) { return 100; }));
  EXPECT_TRUE(trees_of(game, {1, {2, 0}}).empty()) << "a biome without trees";
  auto bare = hand_made({1, {3, 0}}, 64, rough);
  game.put(bare);
  EXPECT_TRUE(trees_of(game, {1, {3, 0}}).empty()) << "no layers";
  game.put(wooded({1, {4, 0}}, "Steppe", [](int) { return 100; }));
  EXPECT_TRUE(trees_of(game, {1, {4, 0}}).empty()) << "shrubs";
  game.put(wooded({1, {kMaxChunkSize, 0}}, "Taiga", [](int) { return 0; }));
  EXPECT_TRUE(trees_of(game, {1, {kMaxChunkSize, 0}}).empty());
}

}  // namespace
}  // namespace terrane::core::test
