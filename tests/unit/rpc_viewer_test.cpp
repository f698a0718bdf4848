// What one viewer is sent, and when, on virtual time.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "rpc/streams/viewer.h"
#include "rpc_explore_rig.h"
#include "terrane/explore_limits.h"

namespace terrane::rpc {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kChunkBytes = 1000;
constexpr std::size_t kMaxRequestBytes = 262'144;

std::set<Tile> tiles_of(const v1::ExploreResponse& response) {
  const auto blocks = check(response.out_of_range(), "out_of_range");
  EXPECT_TRUE(blocks);
  std::set<Tile> tiles;
  explore::for_each_tile(*blocks, [&](const Tile& tile) { tiles.insert(tile); });
  return tiles;
}

class viewer : public testing::Test {
 protected:
  void start(std::uint32_t distance) {
    viewer_.emplace(*check(right_hello(distance), builtin()), pace_, kMaxRequestBytes, 1, now_);
    ASSERT_TRUE(move(0, 0));
  }

  bool move(double x, double y, const std::vector<Tile>& have = {}) {
    v1::Move message;
    message.set_number(++moves_);
    message.set_x(x);
    message.set_y(y);
    add_blocks(have, *message.mutable_have());
    if (viewer_->has_much_to_tell()) return false;
    auto stops = viewer_->move(*check(message, *builtin().at("perlin")), message.number(), now_);
    for (auto& stop : stops) stop.request_stop();
    return take({TileList::Kind::kHave, message.have()}) > 0;
  }

  /// @return in how many slices; 0: it was refused
  int take(TileList list) {
    int slices = 1;
    for (; !list.is_done(); ++slices) {
      auto stops = viewer_->take_slice(list);
      if (!stops) return 0;
      for (auto& stop : *stops) stop.request_stop();
    }
    return slices;
  }

  std::vector<Viewer::Ask> ask() { return viewer_->asks(now_); }

  void answer(const Viewer::Ask& ask, std::size_t bytes = kChunkBytes) {
    viewer_->answer(ask.id, std::make_shared<const std::string>(bytes, 'x'), now_);
  }
  void refuse(const Viewer::Ask& ask, ErrorCode code) {
    viewer_->answer(ask.id, tl::unexpected<Error>(Error{code, "no"}), now_);
  }

  v1::ExploreResponse write() {
    const Viewer::Batch batch = viewer_->take_batch(now_);
    v1::ExploreResponse response;
    EXPECT_TRUE(response.ParseFromString(batch.wire));
    EXPECT_EQ(static_cast<std::size_t>(response.chunks_size()), batch.chunks);
    return response;
  }

  void acknowledge(const v1::ExploreResponse& response) {
    if (response.batch() == 0) return;
    v1::Ack ack;
    ack.set_batch(response.batch());
    EXPECT_TRUE(viewer_->acknowledge(ack, now_));
  }

  /// Answers, writes and acknowledges until nothing is left to do; what came, in order.
  std::vector<Tile> run() {
    std::vector<Tile> came;
    for (;;) {
      const auto asks = ask();
      for (const auto& one : asks) answer(one);
      if (asks.empty() && !viewer_->worth_a_write(now_)) return came;
      if (!viewer_->worth_a_write(now_)) continue;
      const auto response = write();
      for (const auto& chunk : response.chunks())
        came.push_back({static_cast<Lod>(chunk.lod()), {chunk.coord().x(), chunk.coord().y()}});
      now_ += 1ms;
      acknowledge(response);
    }
  }

  ExplorePace pace_;
  Viewer::Clock::time_point now_{};
  std::optional<Viewer> viewer_;
  std::uint64_t moves_ = 0;
};

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

TEST_F(viewer, where_the_server_is_overloaded_it_asks_for_less_and_later) {
  start(8);
  write();
  const auto asks = ask();
  EXPECT_EQ(asks.size(), pace_.min_in_flight);
  for (const auto& one : asks) refuse(one, ErrorCode::kResourceExhausted);
  EXPECT_TRUE(ask().empty());
  EXPECT_FALSE(viewer_->worth_a_write(now_)) << "the client is not told: it comes in time";
  const auto later = viewer_->look_again_at(now_);
  EXPECT_GE(later, now_ + 50ms);
  EXPECT_LE(later, now_ + 250ms);
  now_ = later;
  const auto again = ask();
  ASSERT_EQ(again.size(), 1u);
  EXPECT_EQ(again[0].tile, (Tile{0, {0, 0}}));
  answer(again[0]);
  acknowledge(write());
  EXPECT_EQ(ask().size(), 2u);
}

TEST_F(viewer,
       while_it_waits_for_an_overloaded_server_a_jump_asks_for_the_chunk_underfoot_at_once) {
  start(8);
  write();
  for (const auto& one : ask()) refuse(one, ErrorCode::kResourceExhausted);
  ASSERT_TRUE(move(6400, 0));
  const auto asks = ask();
  ASSERT_EQ(asks.size(), 1u);
  EXPECT_EQ(asks[0].tile, (Tile{0, {100, 0}}));
  EXPECT_EQ(asks[0].priority, schedule::Priority::kPlayerWaits);
  EXPECT_TRUE(ask().empty()) << "the rest waits";
  refuse(asks[0], ErrorCode::kResourceExhausted);
  EXPECT_TRUE(ask().empty()) << "and so does that one when it is refused";
  ASSERT_TRUE(move(6410, 0));
  EXPECT_EQ(ask().size(), 1u);
}

TEST_F(viewer, a_lone_chunk_waits_two_milliseconds_for_company_but_a_near_one_does_not) {
  start(16);
  ASSERT_TRUE(move(32, 32));
  write();
  std::vector<Viewer::Ask> far;
  while (far.empty()) {
    for (const auto& one : ask()) {
      const auto [x, y] = one.tile.coord;
      if (x * x + y * y > 4) {
        far.push_back(one);
      } else {
        answer(one);
        EXPECT_TRUE(viewer_->worth_a_write(now_));
        acknowledge(write());
      }
    }
  }
  answer(far.front(), 10);
  EXPECT_FALSE(viewer_->worth_a_write(now_));
  EXPECT_EQ(viewer_->look_again_at(now_), now_ + 2ms);
  now_ += 2ms;
  EXPECT_TRUE(viewer_->worth_a_write(now_));
}

TEST_F(viewer, a_silent_while_ends_with_a_sign_of_life) {
  start(1);
  run();
  EXPECT_FALSE(viewer_->worth_a_write(now_));
  now_ = viewer_->look_again_at(now_);
  ASSERT_TRUE(viewer_->worth_a_write(now_));
  EXPECT_EQ(write().chunks_size(), 0);
  EXPECT_FALSE(viewer_->worth_a_write(now_));
}

TEST_F(viewer, who_owes_an_acknowledgement_for_half_a_minute_is_too_slow) {
  start(1);
  write();
  for (const auto& one : ask()) answer(one);
  const auto sent = now_;
  write();
  now_ = sent + pace_.slow_client - 1ms;
  EXPECT_TRUE(viewer_->check_acknowledged(now_));
  now_ += 1ms;
  const auto acknowledged = viewer_->check_acknowledged(now_);
  ASSERT_FALSE(acknowledged);
  EXPECT_EQ(acknowledged.error().code, ErrorCode::kDeadlineExceeded);
  for (const char* word : {"batch 1 ", "30000 ms", "ack_deadline_ms"})
    EXPECT_NE(acknowledged.error().message.find(word), std::string::npos)
        << acknowledged.error().message;
}

TEST_F(viewer, an_acknowledgement_of_what_was_never_sent_is_refused) {
  start(1);
  v1::Ack ack;
  ack.set_batch(5);
  const auto done = viewer_->acknowledge(ack, now_);
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("ack.batch = 5"), std::string::npos) << done.error().message;
}

}  // namespace
}  // namespace terrane::rpc
