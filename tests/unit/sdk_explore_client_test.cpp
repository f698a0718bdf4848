#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "explore_checks.h"
#include "explore_client.h"
#include "sdk_explore_talk.h"
#include "terrane/explore_limits.h"

/// What an Explorer says to the server, and when.
namespace terrane::client {
namespace {

using namespace testing;
using std::chrono::milliseconds;

TEST(explore_client, only_the_newest_of_several_moves_goes_out) {
  Talk talk;
  talk.go(0, 0);
  talk.open();
  EXPECT_FALSE(talk.next()) << "the hello has said it";
  talk.go(1, 0);
  talk.go(2, 0);
  const auto message = talk.next();
  ASSERT_TRUE(message && message->has_move());
  EXPECT_EQ(message->move().x(), in_chunk(2, 0).x);
  EXPECT_FALSE(talk.next());
  talk.go(2, 0);
  EXPECT_FALSE(talk.next()) << "standing still is not worth saying";
}

TEST(explore_client, acknowledges_the_newest_batch_only_and_says_what_a_chunk_takes) {
  Talk talk;
  talk.go(0, 0);
  talk.open();
  ASSERT_TRUE(talk.send_chunks({kHere}));
  ASSERT_TRUE(talk.send_chunks({kBeside}));
  const auto message = talk.next();
  ASSERT_TRUE(message && message->has_ack());
  EXPECT_EQ(message->ack().batch(), 2u);
  EXPECT_EQ(message->ack().chunk_ns(), 1000u);
  EXPECT_FALSE(talk.next());
}

TEST(explore_client, moves_do_not_starve_acknowledgements) {
  Talk talk;
  talk.go(0, 0);
  talk.open();
  for (int i = 1; i <= 3; ++i) {
    ASSERT_TRUE(talk.send_chunks({{0, {i, 0}}}));
    talk.go(i, 0);
    EXPECT_TRUE(talk.next()->has_move()) << "the move is the more urgent";
    talk.go(i, 1);
    EXPECT_EQ(talk.next()->ack().batch(), static_cast<std::uint64_t>(i));
  }
}

TEST(explore_client, withholds_acknowledgements_until_a_poll_has_made_room) {
  ExploreOptions narrow = two_levels();
  narrow.max_waiting = 1;
  Talk talk(narrow);
  talk.go(0, 0);
  talk.open();
  ASSERT_TRUE(talk.send_chunks({kHere}));
  EXPECT_EQ(talk.next()->ack().batch(), 1u);
  ASSERT_TRUE(talk.send_chunks({kBeside}));
  EXPECT_FALSE(talk.next()) << "two chunks wait, one may";
  EXPECT_EQ(talk.client.stats().waiting, 2u);
  EXPECT_EQ(talk.poll().arrived.size(), 2u);
  EXPECT_EQ(talk.next()->ack().batch(), 2u);
}

TEST(explore_client, a_new_stream_is_told_what_is_at_hand_and_in_range) {
  Talk talk;
  talk.go(0, 0);
  EXPECT_EQ(talk.open().move().have_size(), 0);
  ASSERT_TRUE(talk.send_chunks({kHere, kBeside, kBelow, {0, {4, 0}}}));
  EXPECT_EQ(talk.poll().arrived.size(), 4u);
  talk.go(-4, 0);  // while nobody is there to take note
  const v1::Hello hello = talk.open();
  EXPECT_EQ(tiles_of(hello.move().have()), (std::vector<Tile>{kHere, kBeside, kBelow}))
      << "(4, 0) is eight chunks away now";
  EXPECT_EQ(hello.move().have_size(), 2) << "neighbours share a block";
  EXPECT_EQ(talk.poll().out_of_range, (std::vector<Tile>{{0, {4, 0}}}));
  EXPECT_TRUE(hello.world().has_fingerprint()) << "later streams pin what the first one served";
}

TEST(explore_client, the_widest_view_held_as_a_checkerboard_is_said_in_one_hello) {
  ExploreOptions wide = two_levels();
  wide.view_distances.assign(kMaxLod + 1, kMaxViewDistance);
  wide.max_waiting = 1'000'000;
  Talk talk(wide);
  talk.go(0, 0);
  talk.open();
  std::set<Tile> held;
  for (Lod lod = 0; lod <= kMaxLod; ++lod) {
    for (std::int64_t y = -64; y <= 64; ++y) {
      std::vector<Tile> row;
      for (std::int64_t x = -64; x <= 64; ++x) {
        if (((x + y) & 1) == 0 && x * x + y * y <= 64 * 64) row.push_back({lod, {x, y}});
      }
      held.insert(row.begin(), row.end());
      v1::ExploreResponse response;
      response.set_batch(++talk.batches);
      for (const Tile& tile : row) {
        v1::Chunk& chunk = *response.add_chunks();
        chunk.set_lod(tile.lod);
        chunk.mutable_coord()->set_x(tile.coord.x);
        chunk.mutable_coord()->set_y(tile.coord.y);
      }
      ASSERT_TRUE(talk.send(response));
    }
  }
  EXPECT_GT(held.size(), 100'000u);
  const v1::Hello hello = talk.open();
  EXPECT_LT(hello.ByteSizeLong(), 65'536u);
  const auto said = tiles_of(hello.move().have());
  EXPECT_EQ(said.size(), held.size());
  EXPECT_EQ((std::set<Tile>{said.begin(), said.end()}), held);
}

TEST(explore_client, who_was_cut_off_for_being_slow_comes_back) {
  Talk talk;
  talk.go(0, 0);
  talk.open();
  talk.client.end_stream({ErrorCode::kDeadlineExceeded, "batch 1 has not been acknowledged"}, {},
                         talk.now, 0);
  EXPECT_EQ(talk.client.state(), ExploreState::kConnecting);
  EXPECT_EQ(talk.poll().error->message, "batch 1 has not been acknowledged");
  EXPECT_TRUE(talk.client.is_stream_due(talk.now + milliseconds(1000)));
}

TEST(explore_client, tells_how_long_the_chunk_underfoot_took_after_a_jump) {
  Talk talk;
  talk.go(0, 0);
  talk.open();
  talk.now += milliseconds(20);
  ASSERT_TRUE(talk.send_chunks({kBeside}));
  EXPECT_EQ(talk.client.stats().first.count(), 0) << "that was not the one";
  talk.now += milliseconds(20);
  ASSERT_TRUE(talk.send_chunks({kHere}));
  EXPECT_EQ(talk.client.stats().first, milliseconds(40));

  talk.now += milliseconds(1000);
  talk.go(1, 1);
  talk.now += milliseconds(5);
  ASSERT_TRUE(talk.send_chunks({{0, {1, 1}}}));
  EXPECT_EQ(talk.client.stats().first, milliseconds(40)) << "a step is no jump";

  talk.go(1000, 1000);
  EXPECT_EQ(talk.client.stats().first.count(), 0);
  talk.now += milliseconds(7);
  talk.go(1001, 1000);
  talk.now += milliseconds(7);
  ASSERT_TRUE(talk.send_chunks({{0, {1001, 1000}}}));
  EXPECT_EQ(talk.client.stats().first, milliseconds(14)) << "walking on does not start it again";
}

TEST(explore_client, a_move_that_makes_no_sense_leaves_the_viewer_where_it_was) {
  Talk talk;
  talk.go(0, 0);
  talk.open();
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  const auto code = [&](const Pose& pose) {
    const auto moved = talk.client.move(pose, talk.now);
    return moved ? std::optional<ErrorCode>() : moved.error().code;
  };
  EXPECT_EQ(code({.x = nan}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code({.direction_y = infinity}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code({.velocity_y = -2e6}), ErrorCode::kOutOfRange);
  EXPECT_EQ(code({.x = 0x1p45}), ErrorCode::kOutOfRange) << "chunks of this world have 16 samples";
  EXPECT_FALSE(talk.next());
  EXPECT_EQ(code({.x = -0x1p44, .y = 0x1p44}), std::nullopt) << "the corner of the world";
}

TEST(explore_client, options_that_make_no_sense_are_refused_by_name) {
  EXPECT_TRUE(check(two_levels()));
  const auto refuses = [](const char* name, auto&& change) {
    ExploreOptions wrong = two_levels();
    change(wrong);
    const auto checked = check(wrong);
    EXPECT_TRUE(!checked && checked.error().code == ErrorCode::kInvalidArgument &&
                checked.error().message.starts_with(name))
        << name << ": " << (checked ? "accepted" : checked.error().message);
  };
  refuses("view_distances", [](ExploreOptions& wrong) { wrong.view_distances = {}; });
  refuses("view_distances", [](ExploreOptions& wrong) { wrong.view_distances = {0, 0}; });
  refuses("view_distances", [](ExploreOptions& wrong) { wrong.view_distances = {65}; });
  refuses("view_distances", [](ExploreOptions& wrong) { wrong.view_distances = {8, -1}; });
  refuses("view_distances", [](ExploreOptions& wrong) { wrong.view_distances.assign(18, 1); });
  refuses("layers", [](ExploreOptions& wrong) { wrong.layers = 0; });
  refuses("world", [](ExploreOptions& wrong) { wrong.world.name.clear(); });
  refuses("max_waiting", [](ExploreOptions& wrong) { wrong.max_waiting = 0; });
}

}  // namespace
}  // namespace terrane::client
