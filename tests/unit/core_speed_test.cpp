// What land and meshes cost a game's frame, on a quiet machine.
#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <random>

#include "support/time_scale.h"
#include "unit/core_land_rig.h"

namespace terrane::core::test {
namespace {

/// Processor time of this thread, which others on the machine disturb least.
double now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) * 1e-3;
}

double microseconds_since(double start) { return now() - start; }

double middle(std::vector<double>& took) {
  std::nth_element(took.begin(), took.begin() + static_cast<std::ptrdiff_t>(took.size() / 2),
                   took.end());
  return took[took.size() / 2];
}

/// Hills without water, so that many tiles are made quickly.
std::shared_ptr<Chunk> hills(const Tile& tile) {
  auto chunk = hand_made(tile, 64, [](std::int64_t x, std::int64_t y) {
    return static_cast<std::int32_t>(200 * std::sin(static_cast<double>(x) / 50) +
                                     150 * std::cos(static_cast<double>(y) / 70));
  });
  chunk->water_q4.assign(4096, kNoWater);
  for (std::size_t k = 0; k < 4096; ++k)
    chunk->biome.push_back(chunk->height_q4[k] > 40 ? std::uint8_t{3} : std::uint8_t{2});
  return chunk;
}

TEST(core_speed, ten_thousand_ground_queries_take_a_millisecond) {
  Game game;
  for (const Tile& tile : view({0, 0}, 64, {8, 8, 8, 8})) game.put(hills(tile));
  std::mt19937 random(1);
  std::vector<double> places;
  places.reserve(20'000);
  for (int k = 0; k < 20'000; ++k)
    places.push_back(std::uniform_real_distribution<double>(-500, 500)(random));
  std::vector<terrane_ground> grounds(10'000);
  std::vector<double> took;
  for (int round = 0; round < 21; ++round) {
    const auto start = now();
    terrane_land_ground(game.land(), places.data(), grounds.size(), grounds.data());
    took.push_back(microseconds_since(start));
  }
  const double least = middle(took);
  std::printf("check ground: %.0f ns a query\n", least / 10);
  EXPECT_LT(least, 1000 * time_scale());
}

/// Of 10,000 bodies on the ground all over 16 x 16 chunks, in microseconds.
double obstacle_queries_take(const Game& game, const terrane_world* world, BlockPos middle_of,
                             const char* what) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> around(-500, 500);
  std::vector<terrane_body> bodies(10'000);
  for (terrane_body& body : bodies) {
    body.x = static_cast<double>(middle_of.x) + around(random);
    body.y = static_cast<double>(middle_of.y) + around(random);
    body.radius = 0.5f;
    body.height = 1.8f;
    const terrane_ground ground = game.ground(body.x, body.y);
    body.bottom = ground.height;
  }
  std::vector<terrane_obstacle> found(bodies.size() * 4);
  std::vector<std::uint32_t> counts(bodies.size());
  std::vector<double> took;
  for (int round = 0; round < 21; ++round) {
    const auto start = now();
    terrane_land_obstacles(game.land(), world, bodies.data(), bodies.size(), found.data(), 4,
                           counts.data());
    took.push_back(microseconds_since(start));
  }
  std::size_t met = 0;
  for (const std::uint32_t count : counts) met += count > 0 ? 1 : 0;
  const double least = middle(took);
  std::printf("check obstacles, %s: %.0f ns a body, %zu of them in something\n", what, least / 10,
              met);
  EXPECT_GT(met, 0u);
  return least;
}

TEST(core_speed, ten_thousand_bodies_learn_what_they_walk_into_in_about_a_millisecond) {
  const terrane_world opened = as_opened("continents");
  Game dense, real;
  for (const Tile& tile : view({0, 0}, 64, {8, 8, 8, 8})) {
    auto chunk = hills(tile);
    if (tile.lod == 0) {  // twelve by twelve oaks
      const BlockPos origin = chunk_origin(tile.coord, 64, 0);
      for (std::int64_t k = 0; k < 144; ++k)
        chunk->placements.push_back(
            {{origin.x + k % 12 * 5 + k % 3, origin.y + k / 12 * 5}, 0, 0, 100});
    }
    dense.put(chunk);
  }
  EXPECT_LT(obstacle_queries_take(dense, &opened, {0, 0}, "close forest"), 1500 * time_scale());
  const BlockPos woods = in_woods();
  for (const Tile& tile : view(woods, 64, {8})) real.put(continents(tile));
  EXPECT_LT(obstacle_queries_take(real, &opened, woods, "real land"), 1500 * time_scale());
}

TEST(core_speed, a_ray_over_land_takes_tens_of_microseconds) {
  Game game;
  for (const Tile& tile : view({0, 0}, 64, {4, 4, 4, 4})) game.put(hills(tile));
  std::vector<double> took;
  terrane_hit hit{};
  hit.struct_size = sizeof hit;
  for (int k = 0; k < 500; ++k) {
    const double from[3] = {0.5, 0.25, 18};  // in the midst of the highest hills
    const double direction[3] = {std::cos(k), std::sin(k), 0.01};
    const auto start = now();
    terrane_land_ray(game.land(), from, direction, 1000, &hit, nullptr);
    took.push_back(microseconds_since(start));
  }
  const double least = middle(took);
  std::printf("check ray: %.1f us over 1,000 blocks\n", least);
  EXPECT_LT(least, 100 * time_scale());
}

TEST(core_speed, a_mesh_takes_sixty_microseconds) {
  Game game;
  std::vector<Tile> land;
  for (const Tile& tile : view({0, 0}, 64, {8, 8, 8, 8})) game.put(hills(tile));
  for (const terrane_change& change : game.changes()) land.push_back(tile_of(change.tile));
  std::vector<double> took;
  for (int round = 0; round < 5; ++round) {
    const auto start = now();
    for (const Tile& tile : land) {
      const terrane_tile c = to_c(tile);
      terrane_land_mesh(game.land(), &c, game.mesh(), nullptr);
    }
    took.push_back(microseconds_since(start) / static_cast<double>(land.size()));
  }
  const double least = middle(took);
  std::printf("check mesh: %.1f us, %zu of them\n", least, land.size());
  EXPECT_LT(least, 60 * time_scale());
}

TEST(core_speed, a_mesh_of_real_land_and_sea_takes_a_hundred_microseconds) {
  Game game;
  const std::vector<Tile> land = view({0, 0}, 64, {3, 3});
  for (const Tile& tile : land) game.put(continents(tile));
  std::vector<double> took;
  for (int round = 0; round < 21; ++round) {
    const auto start = now();
    for (const Tile& tile : land) {
      const terrane_tile c = to_c(tile);
      terrane_land_mesh(game.land(), &c, game.mesh(), nullptr);
    }
    took.push_back(microseconds_since(start) / static_cast<double>(land.size()));
  }
  const double least = middle(took);
  std::printf("check mesh of continents: %.1f us\n", least);
  EXPECT_LT(least, 100 * time_scale());
}

TEST(core_speed, the_forest_of_a_coarse_tile_takes_as_long_as_its_mesh) {
  Game game;
  const terrane_world opened = as_opened("continents");
  const std::vector<Tile> land = view(in_woods(), 64, {0, 2, 2});
  for (const Tile& tile : land) game.put(continents(tile));
  std::vector<terrane_far_tree> trees(1024);
  std::vector<double> took;
  std::size_t count = 0;
  for (int round = 0; round < 21; ++round) {
    const auto start = now();
    for (const Tile& tile : land) {
      const terrane_tile c = to_c(tile);
      count += terrane_land_far_trees(game.land(), &opened, &c, trees.data(), trees.size());
    }
    took.push_back(microseconds_since(start) / static_cast<double>(land.size()));
  }
  const double least = middle(took);
  std::printf("check far trees: %.1f us a tile, %zu trees\n", least, count / 21 / land.size());
  EXPECT_LT(least, 200 * time_scale());
}

TEST(core_speed, a_chunk_that_comes_costs_tens_of_microseconds_with_its_changes) {
  Game game;
  const std::vector<Tile> tiles = view({0, 0}, 64, {8, 8, 8, 8});
  std::vector<terrane_change> changes(10'000);
  std::vector<double> puts, both;
  std::vector<std::shared_ptr<Chunk>> chunks;
  chunks.reserve(tiles.size());
  for (const Tile& tile : tiles) chunks.push_back(hills(tile));
  std::shuffle(chunks.begin(), chunks.end(), std::mt19937(1));
  std::size_t told = 0;
  for (const auto& chunk : chunks) {
    const auto start = now();
    game.put(chunk);
    puts.push_back(microseconds_since(start));
    told += terrane_land_take_changes(game.land(), changes.data(), changes.size());
    both.push_back(microseconds_since(start));
  }
  const double put = middle(puts), all = middle(both);
  std::printf("check land: %.1f us a put, %.1f us with its changes; %.1f changes a put\n", put, all,
              static_cast<double>(told) / static_cast<double>(chunks.size()));
  EXPECT_LT(all, 50 * time_scale());
  puts.clear(), both.clear();
  for (const Tile& tile : view({0, 0}, 64, {8})) {
    const auto start = now();
    game.remove(tile);
    puts.push_back(microseconds_since(start));
    terrane_land_take_changes(game.land(), changes.data(), changes.size());
    both.push_back(microseconds_since(start));
  }
  const double removed = middle(puts), gone = middle(both);
  std::printf("check land: %.1f us a remove, %.1f us with its changes\n", removed, gone);
  EXPECT_LT(gone, 100 * time_scale());
}

}  // namespace
}  // namespace terrane::core::test
