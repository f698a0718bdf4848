// What one viewer is sent, and when, on virtual time.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "rpc_viewer_rig.h"
#include "terrane/explore_limits.h"

namespace terrane::rpc {
namespace {

std::set<Tile> tiles_of(const v1::ExploreResponse& response) {
  const auto blocks = check(response.out_of_range(), "out_of_range");
  EXPECT_TRUE(blocks);
  std::set<Tile> tiles;
  explore::for_each_tile(*blocks, [&](const Tile& tile) { tiles.insert(tile); });
  return tiles;
}

TEST_F(viewer, is_welcomed_and_gets_every_chunk_of_the_view_once_the_one_underfoot_first) {
  start(4);
  const auto first = write();
  EXPECT_EQ(first.welcome().fingerprint(), builtin().at("perlin")->fingerprint);
  EXPECT_EQ(first.welcome().format(), 2u);
  EXPECT_EQ(first.welcome().formats_size(), 1);
  EXPECT_EQ(first.welcome().max_request_bytes(), kMaxRequestBytes);
  EXPECT_EQ(first.welcome().max_tiles_per_message(), explore::kMaxTilesInMessage);
  EXPECT_EQ(first.welcome().max_block_edge(), 64u);
  EXPECT_EQ(first.welcome().max_view_distance(), 64u);
  EXPECT_EQ(first.welcome().max_velocity(), 1e6);
  EXPECT_EQ(first.welcome().max_window_bytes(), 262'144u);
  EXPECT_EQ(first.welcome().hello_deadline_ms(), 30'000u);
  EXPECT_EQ(first.welcome().ack_deadline_ms(), 30'000u);
  EXPECT_EQ(first.welcome().write_deadline_ms(), 30'000u);
  EXPECT_EQ(first.welcome().min_move_interval_ms(), 10u);
  EXPECT_EQ(first.move(), 1u);
  const auto came = run();
  EXPECT_EQ(came.front(), (Tile{0, {0, 0}}));
  EXPECT_EQ(std::set(came.begin(), came.end()).size(), came.size());
  EXPECT_EQ(came.size(), 49u) << "of a disc of radius 4";
  EXPECT_FALSE(viewer_->worth_a_write(now_));
}

TEST_F(viewer, asks_for_the_chunk_underfoot_as_what_a_player_waits_for) {
  start(4);
  const auto asks = ask();
  ASSERT_GE(asks.size(), 2u);
  EXPECT_EQ(asks[0].tile, (Tile{0, {0, 0}}));
  EXPECT_EQ(asks[0].priority, schedule::Priority::kPlayerWaits);
  for (std::size_t i = 1; i < asks.size(); ++i)
    EXPECT_EQ(asks[i].priority, schedule::Priority::kView);
}

TEST_F(viewer, how_long_it_stood_on_nothing_is_told_once_for_each_jump) {
  start(4);
  now_ += 30ms;
  run();
  using Waits = std::vector<Viewer::Clock::duration>;
  EXPECT_EQ(waits_, Waits{30ms});
  ASSERT_TRUE(move(70, 10));
  run();
  EXPECT_EQ(waits_, Waits{30ms}) << "it has that chunk";
  ASSERT_TRUE(move(50'000, 10));
  now_ += 100ms;
  ASSERT_TRUE(move(50'010, 10));
  now_ += 50ms;
  run();
  EXPECT_EQ(waits_, (Waits{30ms, 150ms})) << "since the first of both moves";
}

TEST_F(viewer, a_chunk_on_its_way_becomes_urgent_when_the_viewer_steps_onto_it) {
  start(4);
  const auto asks = ask();
  EXPECT_FALSE(viewer_->more_urgent());
  const BlockPos onto = chunk_origin(asks[1].tile.coord, 64, 0);
  ASSERT_TRUE(move(static_cast<double>(onto.x + 32), static_cast<double>(onto.y + 32)));
  EXPECT_EQ(viewer_->more_urgent(), asks[1].tile);
  EXPECT_FALSE(viewer_->more_urgent()) << "once is enough";
}

TEST_F(viewer, sends_no_more_than_the_window_and_goes_on_when_it_is_acknowledged) {
  start(16);
  write();
  for (const auto& one : ask()) answer(one);
  const auto first = write();
  EXPECT_GE(first.chunks_size(), 1);
  while (viewer_->worth_a_write(now_)) write();
  EXPECT_LE(viewer_->outstanding(), 4096u) << "nothing is known of the link yet";
  EXPECT_GT(viewer_->unsent(), 0u);
  now_ += 20ms;
  acknowledge(first);
  EXPECT_TRUE(viewer_->worth_a_write(now_));
}

TEST_F(viewer, a_chunk_larger_than_the_window_is_sent_when_nothing_else_is_on_its_way) {
  start(4);
  write();
  const auto asks = ask();
  answer(asks[0], 300'000);
  answer(asks[1], 300'000);
  ASSERT_TRUE(viewer_->worth_a_write(now_));
  const auto first = write();
  EXPECT_EQ(first.chunks_size(), 1);
  EXPECT_FALSE(viewer_->worth_a_write(now_));
  acknowledge(first);
  EXPECT_TRUE(viewer_->worth_a_write(now_));
}

TEST_F(viewer, a_jump_stops_what_is_on_its_way_and_throws_away_what_was_not_sent) {
  start(4);
  write();
  const auto asks = ask();
  answer(asks[2]);
  answer(asks[3]);
  ASSERT_TRUE(move(1e6, 0));
  EXPECT_TRUE(asks[0].stop.stop_requested());
  EXPECT_TRUE(asks[1].stop.stop_requested());
  EXPECT_EQ(viewer_->unsent(), 0u);
  answer(asks[0]);  // too late to be stopped
  EXPECT_EQ(viewer_->wasted(), 3u);
  const auto came = run();
  EXPECT_EQ(came.front(), (Tile{0, {1'000'000 / 64, 0}}));
  for (const Tile& tile : came) EXPECT_GT(tile.coord.x, 10'000);
}

TEST_F(viewer, what_is_left_behind_is_reported_and_sent_again_on_return) {
  start(4);
  const auto first = run();
  ASSERT_TRUE(move(1e6, 0));
  EXPECT_FALSE(viewer_->worth_a_write(now_)) << "nobody waits for that";
  const auto asks = ask();
  answer(asks[0]);
  const auto underfoot = write();
  EXPECT_EQ(underfoot.chunks_size(), 1);
  EXPECT_EQ(underfoot.out_of_range_size(), 0);
  acknowledge(underfoot);
  now_ = viewer_->look_again_at(now_);
  ASSERT_TRUE(viewer_->worth_a_write(now_));
  const auto response = write();
  EXPECT_EQ(tiles_of(response).size(), first.size());
  EXPECT_EQ(response.move(), 2u);
  for (std::size_t i = 1; i < asks.size(); ++i) answer(asks[i]);
  run();
  ASSERT_TRUE(move(0, 0));
  EXPECT_EQ(run().size(), first.size());
}

TEST_F(viewer, a_chunk_sent_again_after_a_jump_away_and_back_is_not_called_out_of_range) {
  start(4);
  run();
  ASSERT_TRUE(move(1e6, 0));
  ASSERT_TRUE(move(0, 0));
  for (const auto& one : ask()) answer(one);
  acknowledge(write());
  now_ += 50ms;
  const std::set<Tile> said = tiles_of(write());
  EXPECT_EQ(said.count({0, {0, 0}}), 0u);
  EXPECT_GT(said.size(), 0u);
}

TEST_F(viewer, who_jumps_about_and_never_reads_has_to_read_before_that_fills_the_memory) {
  start(64);
  std::vector<Tile> places[2];
  for (std::int64_t y = -60; y < 60; ++y) {
    for (std::int64_t x = -20; x < 20; ++x) {
      places[0].push_back({0, {x, y}});
      places[1].push_back({0, {x + 15'625, y}});
    }
  }
  int jumps = 0;
  while (jumps < 1000 && move(jumps % 2 * 1e6, 0, places[jumps % 2])) ++jumps;
  EXPECT_GT(jumps, 10);
  EXPECT_LT(jumps, 100);
}

TEST_F(viewer, who_comes_back_with_every_other_chunk_of_the_widest_view_is_sent_the_rest_alone) {
  start(kMaxViewDistance);
  std::vector<Tile> have;
  for (std::int64_t y = -66; y <= 66; ++y) {
    for (std::int64_t x = -66; x <= 66; ++x) {
      if (((x + y) & 1) == 0 && x * x + y * y <= 66 * 66) have.push_back({0, {x, y}});
    }
  }
  ASSERT_TRUE(move(1, 1, have));
  const auto came = run();
  EXPECT_EQ(came.size(), 6416u) << "half of the disc of radius 64";
  for (const Tile& tile : came) ASSERT_NE((tile.coord.x + tile.coord.y) & 1, 0);
}

TEST_F(viewer, more_out_of_range_than_a_message_may_name_is_said_in_several) {
  start(64);
  std::vector<Tile> places[2];
  for (std::int64_t i = 0; i < 120 * 90; ++i) {
    places[0].push_back({0, {i % 120 - 60, i / 120 - 45}});
    places[1].push_back({0, {i % 120 - 60 + 15'625, i / 120 - 45}});
  }
  int jumps = 0;
  while (jumps < 1000 && move(jumps % 2 * 1e6, 0, places[jumps % 2])) ++jumps;
  now_ += 50ms;
  int messages = 0;
  while (viewer_->worth_a_write(now_) && messages < 10) {
    const auto response = write();
    EXPECT_TRUE(check(response.out_of_range(), "out_of_range"));
    ++messages;
  }
  EXPECT_LT(messages, 10);
}

TEST_F(viewer, what_the_client_has_is_not_sent_and_what_it_forgets_is_sent_again) {
  start(4);
  const Tile had{0, {1, 0}}, on_its_way{0, {0, 1}};
  const auto asks = ask();
  ASSERT_TRUE(move(1, 1, {had, on_its_way, {0, {900, 900}}}));
  for (const auto& one : asks) {
    EXPECT_EQ(one.stop.stop_requested(), one.tile == on_its_way || one.tile == had);
    answer(one);
  }
  auto came = run();
  EXPECT_EQ(came.size(), 47u);
  v1::Forget forget;
  add_blocks({had}, *forget.mutable_tiles());
  ASSERT_TRUE(take({TileList::Kind::kForget, forget.tiles()}));
  EXPECT_EQ(run(), std::vector<Tile>{had});
}

TEST_F(viewer, a_chunk_that_failed_is_reported_and_not_tried_again_until_it_was_out_of_sight) {
  start(1);
  write();
  const auto asks = ask();
  refuse(asks[0], ErrorCode::kInternal);
  for (std::size_t i = 1; i < asks.size(); ++i) answer(asks[i]);
  const auto response = write();
  ASSERT_EQ(response.failures_size(), 1);
  EXPECT_EQ(response.failures(0).code(), 13);
  EXPECT_TRUE(ask().empty());
  ASSERT_TRUE(move(1e6, 0));
  run();
  ASSERT_TRUE(move(0, 0));
  EXPECT_EQ(run().size(), 5u);
}

TEST_F(viewer, of_a_client_that_makes_chunks_sends_what_it_has_made_differently) {
  v1::Hello hello = right_hello();
  hello.set_makes_chunks(true);
  viewer_.emplace(*check(hello, builtin()), pace_, kMaxRequestBytes, 1, now_);
  ASSERT_TRUE(move(0, 0));
  EXPECT_TRUE(ask().empty()) << "nothing of the view";
  EXPECT_FALSE(viewer_->wants_turn(now_));
  EXPECT_TRUE(write().has_welcome());
  EXPECT_FALSE(viewer_->worth_a_write(now_));

  viewer_->judge({{0, {5, 6}}, 17});
  auto asks = ask();
  ASSERT_EQ(asks.size(), 1u);
  EXPECT_EQ(asks[0].tile, (Tile{0, {5, 6}}));
  EXPECT_EQ(asks[0].made, 17u);
  viewer_->answer(asks[0].id, nullptr, now_);
  EXPECT_FALSE(viewer_->worth_a_write(now_)) << "it is the same";

  viewer_->judge({{1, {500, -6}}, 18});
  asks = ask();
  ASSERT_EQ(asks.size(), 1u);
  answer(asks[0]);
  ASSERT_TRUE(viewer_->worth_a_write(now_ + pace_.linger));
  const auto response = write();
  ASSERT_EQ(response.chunks_size(), 1);
  EXPECT_EQ(response.chunks(0).lod(), 1u);
  EXPECT_EQ(response.chunks(0).coord().x(), 500);
  acknowledge(response);
  EXPECT_EQ(viewer_->outstanding(), 0u);
}

TEST_F(viewer, judges_the_latest_few_of_what_comes_too_fast) {
  v1::Hello hello = right_hello();
  hello.set_makes_chunks(true);
  viewer_.emplace(*check(hello, builtin()), pace_, kMaxRequestBytes, 1, now_);
  ASSERT_TRUE(move(0, 0));
  for (int i = 0; i < 1000; ++i) viewer_->judge({{0, {i, 0}}, 0});
  const std::size_t bytes = viewer_->bytes();
  EXPECT_LT(bytes, 10'000u);
  const auto asks = ask();
  ASSERT_EQ(asks.size(), 4u);
  EXPECT_EQ(asks.front().tile.coord.x, 996);
  EXPECT_EQ(asks.back().tile.coord.x, 999);
  refuse(asks[0], ErrorCode::kResourceExhausted);
  viewer_->judge({{0, {0, 0}}, 0});
  EXPECT_TRUE(ask().empty()) << "the server has too much to do";
}

}  // namespace
}  // namespace terrane::rpc
