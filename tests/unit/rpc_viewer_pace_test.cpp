// How fast one viewer is served, and how long it is waited for, on virtual time.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "rpc_viewer_rig.h"

namespace terrane::rpc {
namespace {

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

TEST_F(viewer, waits_longer_each_time_it_is_put_off_until_something_comes) {
  start(8);
  write();
  const auto pause = [&] {
    write();  // a sign of life is not what it waits for
    viewer_->put_off(now_);
    EXPECT_TRUE(ask().empty());
    const auto until = viewer_->look_again_at(now_);
    const auto waited = until - now_;
    now_ = until;
    return waited;
  };
  const auto asked = ask();  // those that are out when the rest is put off
  for (int doublings = 0; doublings < 6; ++doublings) {
    const auto waited = pause();
    EXPECT_GE(waited, 50ms * (1 << std::min(doublings, 3)));
    EXPECT_LE(waited, 250ms * (1 << std::min(doublings, 3)));
  }
  answer(asked[0]);
  EXPECT_LE(pause(), 250ms);
}

TEST_F(viewer, wants_a_turn_when_there_is_something_to_ask_for_and_room) {
  start(8);
  write();
  EXPECT_EQ(viewer_->wants_turn(now_), schedule::Priority::kPlayerWaits) << "the chunk underfoot";
  const auto asks = ask();
  EXPECT_EQ(viewer_->wants_turn(now_), std::nullopt) << "no room for more";
  for (const auto& one : asks) refuse(one, ErrorCode::kResourceExhausted);
  EXPECT_EQ(viewer_->wants_turn(now_), std::nullopt) << "it pauses";
  now_ = viewer_->look_again_at(now_);
  EXPECT_EQ(viewer_->wants_turn(now_), schedule::Priority::kView);
}

TEST_F(viewer, whose_turn_is_put_off_wants_none_at_once_even_where_it_hurries) {
  start(8);
  write();
  ASSERT_EQ(viewer_->wants_turn(now_), schedule::Priority::kPlayerWaits);
  viewer_->put_off(now_);
  EXPECT_EQ(viewer_->wants_turn(now_), std::nullopt);
  EXPECT_EQ(viewer_->look_again_at(now_), now_ + 50ms);
  now_ += 50ms;
  EXPECT_EQ(viewer_->wants_turn(now_), schedule::Priority::kPlayerWaits);
}

TEST_F(viewer, whose_turn_is_put_off_again_and_again_comes_less_often_even_where_it_hurries) {
  start(8);
  write();
  std::vector<Viewer::Clock::duration> pauses;
  for (int i = 0; i < 7; ++i) {
    viewer_->put_off(now_);
    const auto asked = now_;
    while (!viewer_->wants_turn(now_)) now_ += 1ms;
    EXPECT_EQ(viewer_->wants_turn(now_), schedule::Priority::kPlayerWaits);
    pauses.push_back(now_ - asked);
  }
  EXPECT_EQ(pauses, (std::vector<Viewer::Clock::duration>{50ms, 100ms, 200ms, 400ms, 800ms, 1600ms,
                                                          1600ms}));
  answer(ask().at(0));
  ASSERT_TRUE(move(6400, 0));
  viewer_->put_off(now_);
  now_ += 50ms;
  EXPECT_EQ(viewer_->wants_turn(now_), schedule::Priority::kPlayerWaits) << "something has come";
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

TEST_F(viewer, who_jumps_hears_of_it_within_half_a_second_though_no_chunk_is_sent) {
  start(1);
  run();
  write();
  move(1, 0);
  EXPECT_GT(viewer_->look_again_at(now_), now_ + 500ms) << "told of a step";
  move(1e6, 0);
  EXPECT_GT(write().out_of_range_size(), 0);
  move(-1e6, 0);  // from where it had nothing that it could be told to drop
  now_ += 500ms - 1ms;
  EXPECT_FALSE(viewer_->worth_a_write(now_));
  EXPECT_EQ(viewer_->look_again_at(now_), now_ + 1ms);
  now_ += 1ms;
  ASSERT_TRUE(viewer_->worth_a_write(now_));
  EXPECT_EQ(write().move(), 4u);
  EXPECT_FALSE(viewer_->worth_a_write(now_ + 500ms)) << "told twice";
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
