// The laws of what a moving viewer wants: nothing twice, nothing missing, the nearest first.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "explore/view.h"
#include "terrane/explore_limits.h"

namespace terrane::explore {
namespace {

constexpr int kSize = 64;

ViewDistances rings() {
  ViewDistances distances{};
  for (Lod lod = 0; lod <= 5; ++lod) distances[lod] = 8;
  return distances;
}

ViewDistances near_only(std::uint8_t radius) {
  ViewDistances distances{};
  distances[0] = radius;
  return distances;
}

std::vector<Tile> take_all(View& view) { return view.take(std::size_t{1} << 30); }

std::vector<Tile> tiles_of(const std::vector<Octet>& octets) {
  std::vector<Tile> tiles;
  for (const auto& [lod, at, bits] : octets) {
    for (int bit = 0; bit < 64; ++bit) {
      if ((bits >> bit & 1) != 0) tiles.push_back({lod, tile_in_octet(at, bit)});
    }
  }
  return tiles;
}

double middle(std::int64_t coord, Lod lod) {
  return (static_cast<double>(coord) + 0.5) * std::ldexp(kSize, lod);
}

/// Distance of a tile's middle from a place, in blocks.
double distance(const Tile& tile, double x, double y) {
  return std::hypot(middle(tile.coord.x, tile.lod) - x, middle(tile.coord.y, tile.lod) - y);
}

TEST(view, before_the_first_move_nothing_is_wanted) {
  View view(kSize, rings());
  EXPECT_TRUE(take_all(view).empty());
  EXPECT_FALSE(view.wants({0, {0, 0}}));
}

TEST(view, a_viewer_at_rest_is_promised_each_tile_once_and_no_more) {
  View view(kSize, near_only(16));
  view.move({.x = 32, .y = 32});
  const auto tiles = take_all(view);
  EXPECT_EQ(std::set<Tile>(tiles.begin(), tiles.end()).size(), tiles.size());
  EXPECT_EQ(tiles.size(), 797u) << "the disc of radius 16";
  view.move({.x = 32, .y = 32});
  EXPECT_TRUE(take_all(view).empty());
}

TEST(view, six_levels_of_radius_8_reach_256_chunks_with_about_a_thousand_tiles) {
  View view(kSize, rings());
  view.move({.x = 1000, .y = -7000});
  const auto tiles = take_all(view);
  EXPECT_GT(tiles.size(), 700u);
  EXPECT_LT(tiles.size(), 1250u);
  double furthest = 0;
  for (const Tile& tile : tiles) furthest = std::max(furthest, distance(tile, 1000, -7000));
  EXPECT_GT(furthest, 240 * kSize);
}

TEST(view, wherever_the_viewer_is_every_block_in_sight_lies_in_a_wanted_tile) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> far(-1e9, 1e9), turn(0, 6.28), share(0, 1);
  for (int place = 0; place < 50; ++place) {
    View view(kSize, rings());
    const Pose pose{.x = far(random), .y = far(random)};
    view.move(pose);
    for (int k = 0; k < 400; ++k) {
      const double angle = turn(random), reach = 6.5 * 32 * kSize * share(random);
      const BlockPos block{static_cast<std::int64_t>(pose.x + reach * std::cos(angle)),
                           static_cast<std::int64_t>(pose.y + reach * std::sin(angle))};
      bool covered = false;
      for (Lod lod = 0; lod <= 5; ++lod)
        covered = covered || view.wants({lod, chunk_of(block, kSize, lod)});
      ASSERT_TRUE(covered) << block.x << "," << block.y << " from " << pose.x << "," << pose.y;
    }
  }
}

TEST(view, the_two_chunks_around_come_first_and_then_what_lies_ahead) {
  View view(kSize, near_only(16));
  const Pose pose{
      .x = 32, .y = 32, .velocity_x = 0, .velocity_y = 0, .direction_x = 1, .direction_y = 0};
  view.move(pose);
  const auto tiles = take_all(view);
  EXPECT_EQ(tiles.front(), (Tile{0, {0, 0}})) << "underfoot";
  std::size_t near = 0;
  for (const Tile& tile : tiles) near += distance(tile, pose.x, pose.y) <= 2 * kSize;
  for (std::size_t i = 0; i < near; ++i)
    EXPECT_LE(distance(tiles[i], pose.x, pose.y), 2 * kSize) << i;
  const auto place = [&](ChunkCoord coord) {
    return std::find(tiles.begin(), tiles.end(), Tile{0, coord}) - tiles.begin();
  };
  EXPECT_LT(place({12, 0}), place({-4, 0}))
      << "12 chunks ahead come before 4 behind: the bend is (1 + 0.6) / (1 - 0.6)";
  EXPECT_LT(place({4, 0}), place({12, 0}));
}

TEST(view, a_fast_viewer_is_given_the_land_that_it_will_be_over) {
  View view(kSize, near_only(16));
  view.move({.x = 32, .y = 32, .velocity_x = 600, .velocity_y = 0});
  const auto tiles = take_all(view);
  std::size_t ahead = 0;
  for (std::size_t i = 30; i < 130; ++i) ahead += tiles[i].coord.x > 4;
  EXPECT_GT(ahead, 85u);
}

TEST(view, what_was_promised_is_told_when_it_goes_out_of_range) {
  View view(kSize, near_only(4));
  view.move({.x = 32, .y = 32});
  for (const Tile& tile : take_all(view)) {
    if (tile.coord.x >= 0) continue;
    EXPECT_TRUE(view.set(tile, TileState::kHeld));
  }
  const auto left = view.move({.x = 32 + 100 * kSize, .y = 32});
  EXPECT_EQ(tiles_of(left.held).size() + left.asked.size(), 49u) << "the disc of radius 4";
  for (const Tile& tile : tiles_of(left.held)) EXPECT_LT(tile.coord.x, 0);
  for (const Tile& tile : left.asked) EXPECT_GE(tile.coord.x, 0);
  EXPECT_FALSE(view.set({0, {0, 0}}, TileState::kHeld)) << "too late";
}

TEST(view, from_one_end_of_the_world_to_the_other_is_a_move_like_any) {
  View view(kSize, rings());
  const double end = std::ldexp(1.0, 46);
  view.move({.x = -end, .y = end});
  const std::size_t all = take_all(view).size();
  const auto left = view.move({.x = end, .y = -end});
  EXPECT_EQ(left.asked.size(), all);
  EXPECT_EQ(take_all(view).size(), all);
  EXPECT_FALSE(view.set({0, {-(std::int64_t{1} << 40), std::int64_t{1} << 40}}, TileState::kHeld));
}

TEST(view, the_tile_underfoot_comes_first_also_at_its_corner_and_looking_away) {
  View view(kSize, near_only(8));
  for (const auto& [x, y] : {std::pair{0.0, 0.0}, {63.9, 63.9}, {64.0, 0.1}, {-0.1, 128.0}}) {
    view.move({.x = x, .y = y, .velocity_x = 5000, .direction_x = -1, .direction_y = 1});
    const Tile underfoot{0, chunk_of({static_cast<std::int64_t>(std::floor(x)),
                                      static_cast<std::int64_t>(std::floor(y))},
                                     kSize, 0)};
    const auto first = view.take(1);
    ASSERT_EQ(first.size(), 1u);
    EXPECT_EQ(first[0], underfoot);
    view.set(underfoot, TileState::kUnknown);
  }
}

TEST(view, beyond_the_end_of_the_world_nothing_is_wanted) {
  View view(kSize, rings());
  view.move({.x = static_cast<double>(max_block_coord(kSize)),
             .y = static_cast<double>(min_block_coord(kSize))});
  const auto tiles = take_all(view);
  EXPECT_EQ(tiles.front(), (Tile{0, {max_chunk_coord(0), -max_chunk_coord(0)}}));
  for (const Tile& tile : tiles) {
    EXPECT_LE(tile.coord.x, max_chunk_coord(tile.lod));
    EXPECT_GE(tile.coord.y, -max_chunk_coord(tile.lod));
  }
}

TEST(view, a_step_forth_and_back_drops_nothing) {
  View view(kSize, near_only(8));
  view.move({.x = 63, .y = 32});
  for (const Tile& tile : take_all(view)) view.set(tile, TileState::kHeld);
  for (int step = 0; step < 10; ++step) {
    const auto left = view.move({.x = step % 2 == 0 ? 65.0 : 63.0, .y = 32});
    EXPECT_TRUE(left.held.empty());
    for (const Tile& tile : take_all(view)) {
      EXPECT_EQ(step, 0) << "asked for again";
      view.set(tile, TileState::kHeld);
    }
  }
}

TEST(view, what_the_client_has_already_is_not_sent_and_what_it_forgot_is) {
  View view(kSize, near_only(4));
  view.move({.x = 0, .y = 0});
  EXPECT_TRUE(view.set({0, {1, 1}}, TileState::kHeld));
  const auto tiles = take_all(view);
  EXPECT_EQ(std::count(tiles.begin(), tiles.end(), Tile{0, {1, 1}}), 0);
  view.set({0, {1, 1}}, TileState::kUnknown);
  view.move({.x = 0, .y = 0});
  EXPECT_EQ(take_all(view), (std::vector<Tile>{{0, {1, 1}}}));
}

TEST(view, on_any_walk_it_agrees_with_a_set_that_remembers_everything) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<int> step(-300, 300), jump(0, 40), few(0, 60);
  for (const std::int64_t start :
       {std::int64_t{0}, -(std::int64_t{1} << 45), (std::int64_t{1} << 45)}) {
    View view(kSize, rings());
    std::map<Tile, TileState> model;  // of tiles that are not unknown
    Pose pose{.x = static_cast<double>(start), .y = static_cast<double>(-start)};
    for (int k = 0; k < 300; ++k) {
      pose.x += step(random) * (jump(random) == 0 ? 1000 : 1);
      pose.y += step(random) * (jump(random) == 0 ? 1000 : 1);
      const auto left = view.move(pose);
      const std::vector<Tile> held = tiles_of(left.held);
      for (const auto& [tiles, state] :
           {std::pair{&held, TileState::kHeld}, {&left.asked, TileState::kAsked}}) {
        for (const Tile& tile : *tiles) {
          ASSERT_EQ(model.at(tile), state);
          model.erase(tile);
        }
      }
      for (const Tile& tile : view.take(static_cast<std::size_t>(few(random)))) {
        ASSERT_TRUE(view.wants(tile));
        ASSERT_EQ(model.count(tile), 0u) << "promised twice";
        model[tile] = TileState::kAsked;
      }
      for (auto& [tile, state] : model) {
        ASSERT_EQ(view.state(tile), state);
        if (state == TileState::kAsked && few(random) < 30)
          view.set(tile, state = TileState::kHeld);
      }
    }
    EXPECT_GT(model.size(), 20u);
  }
}

ViewDistances largest() {
  ViewDistances distances{};
  distances.fill(kMaxViewDistance);
  return distances;
}

TEST(view, tiles_are_taken_in_the_exact_order_of_their_urgency) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> place(-1e7, 1e7), speed(-2000, 2000), look(-1, 1);
  for (int k = 0; k < 20; ++k) {
    ViewDistances distances{};
    for (Lod lod = 0; lod <= 4; ++lod) distances[lod] = static_cast<std::uint8_t>(7 * k % 30 + 2);
    View view(kSize, distances);
    view.move({place(random), place(random), speed(random), speed(random), look(random),
               k % 4 == 0 ? 0 : look(random)});
    const auto tiles = take_all(view);
    auto sorted = tiles;
    std::sort(sorted.begin(), sorted.end(), [&](const Tile& a, const Tile& b) {
      return std::pair(view.urgency(a), a) < std::pair(view.urgency(b), b);
    });
    ASSERT_TRUE(tiles == sorted) << k;
  }
}

/// Every tile that is wanted and unknown, as the view says of each.
std::set<Tile> missing_tiles(const View& view, const Pose& pose, const ViewDistances& distances) {
  std::set<Tile> missing;
  for (Lod lod = 0; lod <= kMaxLod; ++lod) {
    const ChunkCoord middle = tile_at(pose, kSize, lod);
    const int reach = distances[lod] + 1;
    for (int y = -reach; y <= reach; ++y) {
      for (int x = -reach; x <= reach; ++x) {
        const Tile tile{lod, {middle.x + x, middle.y + y}};
        if (view.wants(tile) && view.state(tile) == TileState::kUnknown) missing.insert(tile);
      }
    }
  }
  return missing;
}

TEST(view, all_that_is_wanted_and_unknown_is_taken) {
  std::mt19937_64 random(11);
  const double end = std::ldexp(1.0, 46);
  for (int k = 0; k < 24; ++k) {
    ViewDistances distances{};
    const auto levels = static_cast<Lod>(1 + random() % (kMaxLod + 1));
    for (Lod lod = 0; lod < levels; ++lod) {
      const std::uint64_t most = k % 6 == 0 ? kMaxViewDistance : 12;
      distances[lod] = static_cast<std::uint8_t>(random() % (most + 1));
    }
    View view(kSize, distances);
    Pose pose{.x = k % 3 == 0 ? end : 1e5 * k, .y = k % 3 == 1 ? -end : -3e4 * k};
    for (int step = 0; step < 4; ++step) {
      view.move(pose);
      const auto missing = missing_tiles(view, pose, distances);
      const auto tiles = take_all(view);
      ASSERT_EQ(std::set<Tile>(tiles.begin(), tiles.end()), missing) << k << ", " << step;
      for (const Tile& tile : tiles) {
        const bool is_held = random() % 4 != 0;
        view.set(tile, is_held ? TileState::kHeld : TileState::kUnknown);
      }
      pose.x += pose.x == end ? -500 : 700;
      pose.y += 300;
    }
  }
}

/// What a Move and the first tiles after it cost, in tiles ranked and squares reckoned with.
std::uint64_t work_of_a_step(View& view, double x) {
  const std::uint64_t before = view.work();
  view.move({.x = x, .y = 32});
  static_cast<void>(view.take(64));
  return view.work() - before;
}

TEST(view, a_step_of_one_chunk_costs_what_it_uncovers_whatever_the_view) {
  View small(kSize, near_only(8)), large(kSize, largest());
  for (View* view : {&small, &large}) {
    view->move({.x = 32, .y = 32});
    for (const Tile& tile : take_all(*view)) view->set(tile, TileState::kHeld);
  }
  const std::uint64_t few = work_of_a_step(small, 32 + kSize),
                      many = work_of_a_step(large, 32 + kSize);
  EXPECT_GT(few, 10u);
  EXPECT_LT(many, 20 * few) << "the view is 700 times as large: its edge 8 times as long";
}

TEST(view, after_a_jump_a_look_at_the_largest_view_costs_little_more_than_at_a_small_one) {
  View small(kSize, near_only(8)), large(kSize, largest());
  for (View* view : {&small, &large}) view->move({.x = 0, .y = 0});
  EXPECT_GT(take_all(large).size(), 100'000u);
  const std::uint64_t few = work_of_a_step(small, 1e9), many = work_of_a_step(large, 1e9);
  EXPECT_GT(few, 100u);
  EXPECT_LT(many, 5 * few) << "17 levels, of which the nearest squares are looked at";
}

TEST(view, rows_claimed_and_forgotten_agree_with_tiles_set_one_by_one) {
  std::mt19937_64 random(5);
  std::uniform_int_distribution<std::int64_t> place(-40, 40);
  View by_row(kSize, near_only(20)), by_tile(kSize, near_only(20));
  for (View* view : {&by_row, &by_tile}) {
    view->move({.x = 500, .y = -500});
    static_cast<void>(view->take(100));
  }
  for (int k = 0; k < 2000; ++k) {
    const Tile first{0, {place(random), place(random)}};
    std::uint64_t bits = random();
    for (int i = 0; i < 2; ++i) bits &= random();
    std::vector<Tile> asked, asked_too;
    if (k % 3 != 0) {
      by_row.claim_row(first, bits, [&](const Tile& tile) { asked.push_back(tile); });
    } else {
      by_row.forget_row(first, bits);
    }
    for (int i = 0; i < 64; ++i) {
      const Tile tile{0, {first.coord.x + i, first.coord.y}};
      if ((bits >> i & 1) == 0) continue;
      if (k % 3 == 0) {
        if (by_tile.state(tile) == TileState::kHeld) by_tile.set(tile, TileState::kUnknown);
        continue;
      }
      if (by_tile.state(tile) == TileState::kAsked) asked_too.push_back(tile);
      by_tile.set(tile, TileState::kHeld);
    }
    ASSERT_EQ(asked, asked_too);
  }
  for (std::int64_t y = -45; y <= 45; ++y) {
    for (std::int64_t x = -45; x <= 45; ++x) {
      const Tile tile{0, {x, y}};
      ASSERT_EQ(by_row.state(tile), by_tile.state(tile));
      const bool held = (by_row.held(0, octet_of(tile.coord)) & bit_in_octet(tile.coord)) != 0;
      ASSERT_EQ(held, by_row.state(tile) == TileState::kHeld);
    }
  }
}

TEST(view, the_largest_takes_12_kib_for_its_first_tiles_and_96_for_all) {
  View view(kSize, largest());
  view.move({.x = 0, .y = 0});
  EXPECT_EQ(view.take(8).size(), 8u);
  EXPECT_LT(view.bytes(), 12u << 10);
  static_cast<void>(take_all(view));
  EXPECT_LT(view.bytes(), 96u << 10);
}

}  // namespace
}  // namespace terrane::explore
