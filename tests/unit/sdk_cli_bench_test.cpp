#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <set>
#include <vector>

#include "cli/bench/account.h"
#include "cli/bench/places.h"
#include "cli/bench/report.h"
#include "cli/bench/run.h"
#include "cli/bench/walk.h"

namespace terrane::cli {
namespace {

using namespace std::chrono_literals;

constexpr int kChunkSize = 64;
constexpr ViewAccount::Time kStart{};

/// In the middle of a chunk.
Pose inside(ChunkCoord chunk) {
  return {.x = static_cast<double>(chunk.x * kChunkSize) + 32,
          .y = static_cast<double>(chunk.y * kChunkSize) + 32};
}

TEST(cli_bench, squares_never_share_a_chunk) {
  constexpr std::int64_t kEdge = 4;
  std::set<ChunkCoord> seen;
  for (const std::uint64_t index : {0u, 1u, 2u, 1023u, 1024u, 1025u, 1u << 20}) {
    const ChunkRectangle square = bench_square(index, kEdge);
    for (std::int64_t y = square.first.y; y <= square.last.y; ++y) {
      for (std::int64_t x = square.first.x; x <= square.last.x; ++x)
        EXPECT_TRUE(seen.insert({x, y}).second) << index;
    }
  }
  EXPECT_EQ(seen.size(), 7u * kEdge * kEdge);
}

TEST(cli_bench, quantiles_are_values_that_occurred) {
  const std::vector<double> values{5, 1, 4, 2, 3};
  EXPECT_EQ(quantile(values, 0), 1);
  EXPECT_EQ(quantile(values, 0.5), 3);
  EXPECT_EQ(quantile(values, 0.99), 5) << "of a few values the 99th percentile is the worst";
  EXPECT_EQ(quantile(values, 1), 5);
  EXPECT_EQ(quantile({}, 0.5), 0);
}

TEST(cli_bench, chunks_that_do_not_decode_are_an_error_and_no_figure) {
  EXPECT_EQ(decoding_us({{{0, 0}, "damaged"}}).error().code, ErrorCode::kDataLoss);
}

TEST(cli_bench, fresh_places_are_in_the_world_and_far_from_each_other) {
  for (const int chunk_size : {16, 64, 128}) {
    FreshPlaces places(7, chunk_size);
    std::set<ChunkCoord> squares;
    for (int i = 0; i < 100'000; ++i) {
      const ChunkCoord chunk = chunk_of(places.next(), chunk_size, 0);
      ASSERT_LT(std::abs(chunk.x), max_chunk_coord(0));
      ASSERT_LT(std::abs(chunk.y), max_chunk_coord(0));
      constexpr std::int64_t kCell = FreshPlaces::kCellChunks;
      ASSERT_TRUE(squares.insert({floor_div(chunk.x, kCell), floor_div(chunk.y, kCell)}).second);
      ASSERT_EQ(std::abs(chunk.x % kCell), kCell / 2) << "in the middle of its square";
    }
  }
}

TEST(cli_bench, a_place_seed_gives_the_same_places_again_and_another_one_gives_others) {
  FreshPlaces places(1, kChunkSize), same(1, kChunkSize), other(2, kChunkSize);
  std::set<BlockPos> seen, elsewhere;
  for (int i = 0; i < 1000; ++i) {
    const BlockPos place = places.next();
    EXPECT_EQ(place, same.next());
    seen.insert(place);
    elsewhere.insert(other.next());
  }
  for (const BlockPos& place : elsewhere) EXPECT_FALSE(seen.contains(place));
}

TEST(cli_bench, a_flight_goes_straight_ahead_at_its_speed_and_says_so) {
  const Pose pose = flying_east({100, -5}, 300, 2);
  EXPECT_EQ(pose.x, 700);
  EXPECT_EQ(pose.y, -5);
  EXPECT_EQ(pose.velocity_x, 300);
  EXPECT_GT(pose.direction_x, 0);
}

TEST(cli_bench, who_wanders_keeps_its_speed_and_stays_within_the_square_for_ever) {
  constexpr std::int64_t kSpread = 700;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Wanderer wanderer({1'000'000, -50}, kSpread, 40, seed);
    Pose before = wanderer.after(0);
    for (int second = 1; second <= 1000; ++second) {
      const Pose pose = wanderer.after(second);
      ASSERT_LE(std::abs(pose.x - 1'000'000), kSpread + 1e-6);
      ASSERT_LE(std::abs(pose.y + 50), kSpread + 1e-6);
      ASSERT_NEAR(std::hypot(pose.velocity_x, pose.velocity_y), 40, 1e-6);
      ASSERT_LE(std::abs(pose.x - before.x) + std::abs(pose.y - before.y), 40 + 1e-6);
      ASSERT_NE(std::abs(pose.x - before.x) + std::abs(pose.y - before.y), 0);
      before = pose;
    }
  }
}

TEST(cli_bench, two_who_wander_do_not_go_the_same_way) {
  Wanderer one({0, 0}, 4096, 30, 1), other({0, 0}, 4096, 30, 2), again({0, 0}, 4096, 30, 1);
  const Pose pose = one.after(100);
  EXPECT_NE(pose.x, other.after(100).x);
  EXPECT_EQ(pose.x, again.after(100).x);
}

TEST(cli_bench, milestones_are_counted_from_the_jump) {
  ViewAccount account(2, kChunkSize);
  account.jump(inside({10, 10}), kStart);
  EXPECT_EQ(account.in_view(), 13u);
  EXPECT_FALSE(account.milestones().first_ms);
  EXPECT_TRUE(account.arrive({11, 10}, kStart + 3ms));
  EXPECT_FALSE(account.milestones().first_ms) << "the chunk next to it is not the one underfoot";
  account.arrive({10, 10}, kStart + 5ms);
  EXPECT_EQ(account.milestones().first_ms, 5);
  for (std::int64_t y = 9; y <= 11; ++y) {
    for (std::int64_t x = 9; x <= 11; ++x) account.arrive({x, y}, kStart + 8ms);
  }
  EXPECT_EQ(account.milestones().near_ms, 8);
  EXPECT_FALSE(account.full());
  for (const ChunkCoord tip : {ChunkCoord{8, 10}, {12, 10}, {10, 8}, {10, 12}})
    account.arrive(tip, kStart + 9ms);
  EXPECT_TRUE(account.full());
  EXPECT_EQ(account.milestones().full_ms, 9);

  account.jump(inside({-500, 3}), kStart + 20ms);
  EXPECT_FALSE(account.milestones().first_ms);
  account.arrive({-500, 3}, kStart + 27ms);
  EXPECT_EQ(account.milestones().first_ms, 7);
}

TEST(cli_bench, a_wait_begins_with_the_move_that_brought_the_chunk_into_view) {
  ViewAccount account(1, kChunkSize);
  account.jump(inside({0, 0}), kStart);
  for (const ChunkCoord chunk : {ChunkCoord{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}})
    account.arrive(chunk, kStart + 1ms);
  EXPECT_EQ(account.take_counts().served, 5u);

  account.move(inside({1, 0}), kStart + 100ms);
  account.move(inside({1, 0}), kStart + 150ms);  // another step within the chunk brings nothing new
  EXPECT_EQ(account.waiting(), 3u);
  EXPECT_TRUE(account.arrive({2, 0}, kStart + 160ms));
  const ArrivalCounts counts = account.take_counts();
  EXPECT_EQ(counts.wanted, 3u);
  EXPECT_EQ(counts.served, 1u);
  ASSERT_EQ(counts.waits_ms.size(), 1u);
  EXPECT_EQ(counts.waits_ms[0], 60);
}

TEST(cli_bench, chunks_that_come_too_late_or_twice_are_not_counted_as_served) {
  ViewAccount account(1, kChunkSize);
  account.jump(inside({0, 0}), kStart);
  EXPECT_TRUE(account.arrive({0, 0}, kStart + 1ms));
  EXPECT_FALSE(account.arrive({0, 0}, kStart + 2ms));
  account.jump(inside({1000, 0}), kStart + 3ms);
  EXPECT_FALSE(account.arrive({1, 0}, kStart + 4ms)) << "of the old place";
  const ArrivalCounts counts = account.take_counts();
  EXPECT_EQ(counts.served, 1u);
  EXPECT_EQ(counts.missed, 4u) << "of the old place, they never came in time";
  EXPECT_EQ(counts.wanted, 10u);
}

TEST(cli_bench, what_the_viewer_had_to_drop_is_wanted_again_when_it_comes_back) {
  ViewAccount account(1, kChunkSize);
  account.jump(inside({0, 0}), kStart);
  account.arrive({0, 0}, kStart);
  account.move(inside({2, 0}), kStart + 1ms);
  account.move(inside({1, 0}), kStart + 2ms);
  EXPECT_FALSE(account.arrive({0, 0}, kStart + 2ms)) << "still at hand";
  account.leave({0, 0}, kStart + 3ms);
  EXPECT_TRUE(account.arrive({0, 0}, kStart + 5ms));
}

TEST(cli_bench, a_viewer_outruns_the_terrain_from_the_step_into_nothing_until_the_chunk_comes) {
  ViewAccount account(2, kChunkSize);
  account.jump(inside({0, 0}), kStart);
  EXPECT_EQ(account.longest_outran_ms(kStart + 50ms), 0) << "that is the jump's, not a flight's";
  account.arrive({0, 0}, kStart + 50ms);
  EXPECT_TRUE(account.on_land());

  account.move(inside({1, 0}), kStart + 100ms);
  EXPECT_FALSE(account.on_land());
  account.move(inside({2, 0}), kStart + 110ms);  // still none
  EXPECT_EQ(account.longest_outran_ms(kStart + 130ms), 30);
  account.arrive({2, 0}, kStart + 140ms);
  EXPECT_TRUE(account.on_land());
  EXPECT_EQ(account.longest_outran_ms(kStart + 900ms), 40);
}

TEST(cli_bench, terrain_ahead_reaches_up_to_the_first_gap) {
  ViewAccount account(4, kChunkSize);
  account.jump(inside({0, 0}), kStart);
  account.arrive({1, 0}, kStart);
  EXPECT_EQ(account.reach_east(), 0) << "nothing underfoot";
  account.arrive({0, 0}, kStart);
  account.arrive({2, 0}, kStart);
  account.arrive({4, 0}, kStart);
  EXPECT_EQ(account.reach_east(), 2);
  account.arrive({3, 0}, kStart);
  EXPECT_EQ(account.reach_east(), 4);
}

}  // namespace
}  // namespace terrane::cli
