// The chunks at hand, by the C interface: what places, rays and circles meet.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "unit/core_land_rig.h"

namespace terrane::core::test {
namespace {

TEST(land_ground, is_that_of_the_meshes) {
  std::mt19937 random(5);
  Game game;
  std::map<Tile, Built> meshes;
  for (const Tile& tile : view({-5, 3}, kSize, {2, 1, 1, 1})) {
    if (random() % 4 != 0) game.put(rough_chunk(tile));
  }
  for (const Tile& tile : game.at_hand()) meshes[tile] = game.build(tile);
  int known = 0;
  for (int k = 0; k < 20'000; ++k) {
    double x = std::uniform_real_distribution<double>(-150, 150)(random);
    double y = std::uniform_real_distribution<double>(-150, 150)(random);
    if (k % 3 == 0) x = std::floor(x);
    if (k % 5 == 0) y = std::floor(y);
    const BlockPos block{static_cast<std::int64_t>(std::floor(x)),
                         static_cast<std::int64_t>(std::floor(y))};
    const terrane_ground ground = game.ground(x, y);
    const Tile* const finest = game.finest(block);
    ASSERT_EQ(ground.known, finest != nullptr ? 1 : 0);
    if (finest == nullptr) continue;
    ++known;
    ASSERT_EQ(ground.lod, finest->lod);
    ASSERT_NEAR(ground.height, meshes[*finest].height(x, y), 1e-4) << x << ", " << y;
    ASSERT_GE(ground.water, ground.height);
    ASSERT_NEAR(ground.depth, ground.water - ground.height, 1e-5);
    const float* n = ground.normal;
    ASSERT_NEAR(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1, 1e-5);
  }
  EXPECT_GT(known, 10'000);
}

TEST(land_ground, has_the_slope_the_water_and_the_biome_of_its_place) {
  Game game;
  auto chunk = hand_made({2, {-1, 0}}, kSize, [](std::int64_t x, std::int64_t y) {
    return static_cast<std::int32_t>(16 * x + 32 * y);
  });
  chunk->water_q4.assign(kSize * kSize, 16 * 10);
  for (int k = 0; k < kSize * kSize; ++k) chunk->biome.push_back(static_cast<std::uint8_t>(k % 16));
  game.put(chunk);
  const terrane_ground ground = game.ground(-30.5, 20.25);
  EXPECT_EQ(ground.known, 1);
  EXPECT_EQ(ground.lod, 2);
  EXPECT_DOUBLE_EQ(ground.height, -30.5 + 40.5);
  EXPECT_EQ(ground.biome, 8) << "33.5 blocks east of the edge, 8.4 samples";
  const float length = std::sqrt(6.0f);
  EXPECT_FLOAT_EQ(ground.normal[0], -1 / length);
  EXPECT_FLOAT_EQ(ground.normal[1], -2 / length);
  EXPECT_FLOAT_EQ(ground.normal[2], 1 / length);
  EXPECT_DOUBLE_EQ(ground.water, 10);
  EXPECT_EQ(game.ground(-60, 1).depth, 10 + 60 - 2);
  EXPECT_EQ(game.ground(-6, 50).depth, 0);
  EXPECT_EQ(game.ground(-6, 50).water, 94);
}

/// A ray's way in steps far smaller than a cell.
double brute_force(const Game& game, const double from[3], const double unit[3], double distance) {
  constexpr double kStep = 1.0 / 64;
  double high = 1;
  for (double t = 0; t <= distance; t += kStep) {
    const terrane_ground ground = game.ground(from[0] + t * unit[0], from[1] + t * unit[1]);
    if (ground.known == 0) continue;
    const double next = from[2] + t * unit[2] - ground.height;
    if (next <= 0) return t == 0 ? 0 : t - kStep * (next / (next - high));
    high = next;
  }
  return -1;
}

TEST(land_ray, meets_the_ground_where_small_steps_do) {
  std::mt19937 random(9);
  Game game;
  for (const Tile& tile : view({-5, 3}, kSize, {2, 2, 1})) game.put(rough_chunk(tile));
  int hits = 0, close = 0;
  for (int k = 0; k < 400; ++k) {
    std::uniform_real_distribution<double> place(-60, 60), way(-1, 1);
    const double from[3] = {place(random), k % 7 == 0 ? std::floor(place(random)) : place(random),
                            16 + place(random) / 4};
    double unit[3] = {way(random), k % 5 == 0 ? 0 : way(random), way(random) * 0.3};
    if (k % 11 == 0) unit[0] = unit[1] = 0, unit[2] = -1;
    const double length = std::sqrt(unit[0] * unit[0] + unit[1] * unit[1] + unit[2] * unit[2]);
    double direction[3];
    for (int d = 0; d < 3; ++d) direction[d] = unit[d] * 1e-200, unit[d] /= length;
    terrane_hit hit{};
    hit.struct_size = sizeof hit;
    ASSERT_EQ(terrane_land_ray(game.land(), from, direction, 100, &hit, nullptr), TERRANE_OK);
    const double expected = brute_force(game, from, unit, 100);
    // Small steps pass peaks by that are smaller still, so they may come later.
    ASSERT_EQ(hit.hit != 0 || expected < 0, true) << k;
    if (hit.hit == 0) continue;
    ++hits;
    if (expected >= 0) {
      ASSERT_LE(hit.distance, expected + 0.05) << k;
    }
    if (std::abs(hit.distance - expected) < 0.05) ++close;
    const terrane_ground ground = game.ground(hit.x, hit.y);
    if (hit.distance > 0) {
      ASSERT_NEAR(hit.height, ground.height, 1e-6) << k;
    }
    ASSERT_NEAR(hit.height, from[2] + hit.distance * unit[2], 1e-9);
  }
  EXPECT_GT(hits, 200);
  EXPECT_GT(close, hits * 19 / 20);
}

TEST(land_ray, comes_from_above_far_away_and_stops_below_the_ground_at_once) {
  Game game;
  const std::int64_t far = max_chunk_coord(0);
  game.put(hand_made({0, {far, -far}}, kSize, [](std::int64_t, std::int64_t) { return 32; }));
  const auto x = static_cast<double>(far * kSize), y = -x;
  terrane_hit hit{};
  hit.struct_size = sizeof hit;
  const double from[3] = {x - 500'000, y + 8, 500'002}, direction[3] = {1, 0, -0.999995};
  ASSERT_EQ(terrane_land_ray(game.land(), from, direction, 1e6, &hit, nullptr), TERRANE_OK);
  EXPECT_EQ(hit.hit, 1u);
  EXPECT_NEAR(hit.height, 2, 1e-6);
  EXPECT_NEAR(hit.x, x + 2.5, 0.1);
  EXPECT_EQ(hit.normal[2], 1);
  ASSERT_EQ(terrane_land_ray(game.land(), from, direction, 1000, &hit, nullptr), TERRANE_OK);
  EXPECT_EQ(hit.hit, 0u) << "out of reach";
  const double below[3] = {x + 3, y + 3, 1}, up[3] = {0, 0, 5};
  ASSERT_EQ(terrane_land_ray(game.land(), below, up, 10, &hit, nullptr), TERRANE_OK);
  EXPECT_EQ(hit.hit, 1u);
  EXPECT_EQ(hit.distance, 0);
}

TEST(land_placements, are_those_within_the_radius_the_nearest_first) {
  std::mt19937 random(2);
  Game game;
  std::vector<BlockPos> anchors;
  for (const Tile& tile : view({-5, 3}, kSize, {2, 1})) {
    auto chunk = rough_chunk(tile);
    const BlockPos origin = chunk_origin(tile.coord, kSize, tile.lod);
    for (int k = 0; k < 20 && tile.lod == 0; ++k) {
      const BlockPos anchor{origin.x + static_cast<int>(random() % kSize),
                            origin.y + static_cast<int>(random() % kSize)};
      if (std::count(anchors.begin(), anchors.end(), anchor) > 0) continue;
      anchors.push_back(anchor);
      chunk->placements.push_back({anchor, 1, 2, 100});
    }
    game.put(chunk);
  }
  for (const double radius : {0.0, 3.0, 17.5, 40.0, 1e12, 1e300}) {
    const double x = -7.25, y = 4.5;
    std::vector<double> expected;
    for (const BlockPos& anchor : anchors) {
      const double far =
          std::hypot(static_cast<double>(anchor.x) - x, static_cast<double>(anchor.y) - y);
      if (far <= radius) expected.push_back(far);
    }
    std::sort(expected.begin(), expected.end());
    for (const std::size_t capacity : {0u, 1u, 7u, 1000u}) {
      std::vector<terrane_placement> found(capacity);
      ASSERT_EQ(terrane_land_placements(game.land(), x, y, radius, found.data(), capacity),
                expected.size());
      for (std::size_t k = 0; k < std::min(capacity, expected.size()); ++k)
        ASSERT_DOUBLE_EQ(std::hypot(static_cast<double>(found[k].anchor.x) - x,
                                    static_cast<double>(found[k].anchor.y) - y),
                         expected[k]);
    }
  }
}

TEST(land_hostile, arguments_that_make_no_sense_do_no_harm) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), most = 1.7e308;
  Game game;
  EXPECT_EQ(game.ground(0, 0).known, 0) << "nothing is at hand";
  game.put(rough_chunk({0, {0, 0}}));
  for (const double x : {nan, most, -most, 1e19, -1e16, 9.2233720368547758e18, HUGE_VAL}) {
    EXPECT_EQ(game.ground(x, 1).known, 0);
    EXPECT_EQ(game.ground(1, x).known, 0);
    EXPECT_EQ(terrane_land_placements(game.land(), x, 1, 5, nullptr, 0), 0u);
  }
  EXPECT_EQ(terrane_land_placements(game.land(), 1, 1, nan, nullptr, 9), 0u);
  terrane_hit hit{};
  hit.struct_size = sizeof hit;
  const auto ray = [&](double from, double to, double distance) {
    const double begin[3] = {1, from, 100}, way[3] = {0, to, 0};
    return terrane_land_ray(game.land(), begin, way, distance, &hit, nullptr);
  };
  EXPECT_EQ(ray(nan, 1, 5), TERRANE_INVALID_ARGUMENT);
  EXPECT_EQ(ray(1, nan, 5), TERRANE_INVALID_ARGUMENT);
  EXPECT_EQ(ray(1, 0, 5), TERRANE_INVALID_ARGUMENT);
  EXPECT_EQ(ray(1, 1, -1), TERRANE_INVALID_ARGUMENT);
  EXPECT_EQ(ray(1, 1, 1'000'001), TERRANE_INVALID_ARGUMENT);
  EXPECT_EQ(ray(most, 1, 5), TERRANE_OK);
  EXPECT_EQ(ray(1, 5e-324, 5), TERRANE_OK);
  EXPECT_EQ(ray(-most, most, 5), TERRANE_OK);
  EXPECT_EQ(hit.hit, 0u);
  for (const terrane_tile tile : {terrane_tile{INT64_MIN, INT64_MAX, 0, 0},
                                  {INT64_MAX, 0, 16, 0},
                                  {0, 0, 17, 0},
                                  {0, 0, ~0u, 0}}) {
    terrane_land_remove(game.land(), &tile);
    EXPECT_EQ(terrane_land_mesh(game.land(), &tile, game.mesh(), nullptr), TERRANE_NOT_FOUND);
  }
  EXPECT_EQ(terrane_land_count(game.land()), 1u);
}

TEST(land_hostile, chunks_that_do_not_fit_are_refused_by_name) {
  Game game;
  game.put(rough_chunk({0, {0, 0}}));
  auto bare = std::make_shared<Chunk>(*rough_chunk({0, {1, 0}}));
  bare->height_q4.clear();
  EXPECT_EQ(game.put(bare), TERRANE_INVALID_ARGUMENT);
  EXPECT_EQ(game.put(hand_made({0, {1, 0}}, 32, rough)), TERRANE_INVALID_ARGUMENT);
  EXPECT_EQ(game.put(hand_made({3, {max_chunk_coord(3) + 1, 0}}, kSize, rough)),
            TERRANE_INVALID_ARGUMENT);
  terrane_chunk handle(bare);
  terrane_error error{};
  error.struct_size = sizeof error;
  EXPECT_EQ(terrane_land_put(game.land(), &handle, &error), TERRANE_INVALID_ARGUMENT);
  EXPECT_STREQ(error.message, "the chunk (1, 0) of lod 0 has no heights");
  EXPECT_EQ(terrane_land_put(game.land(), nullptr, nullptr), TERRANE_INVALID_ARGUMENT);
  EXPECT_EQ(terrane_land_put(nullptr, &handle, nullptr), TERRANE_INVALID_ARGUMENT);
  EXPECT_EQ(terrane_land_count(game.land()), 1u);
  game.remove({0, {0, 0}});
  EXPECT_EQ(game.put(hand_made({0, {1, 0}}, 32, rough)), TERRANE_OK) << "once the others are gone";
}

TEST(land_hostile, nothing_where_something_should_be_is_refused) {
  terrane_land* land = nullptr;
  terrane_mesh* mesh = nullptr;
  EXPECT_EQ(terrane_land_create(TERRANE_ABI_VERSION + 1, &land, nullptr), TERRANE_INVALID_ARGUMENT);
  EXPECT_EQ(terrane_land_create(TERRANE_ABI_VERSION, nullptr, nullptr), TERRANE_INVALID_ARGUMENT);
  EXPECT_EQ(terrane_mesh_create(0, &mesh, nullptr), TERRANE_INVALID_ARGUMENT);
  EXPECT_EQ(land, nullptr);
  terrane_land_destroy(nullptr);
  terrane_mesh_destroy(nullptr);
  EXPECT_EQ(terrane_land_count(nullptr), 0u);
  EXPECT_EQ(terrane_land_take_changes(nullptr, nullptr, 1), 0u);
  const terrane_tile tile{};
  EXPECT_EQ(terrane_land_mesh(nullptr, &tile, nullptr, nullptr), TERRANE_INVALID_ARGUMENT);
  Game game;
  const Built none = game.built();
  EXPECT_EQ(none.vertices.size() + none.indices.size(), 0u);
}

}  // namespace
}  // namespace terrane::core::test
