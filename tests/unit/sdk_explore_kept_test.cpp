#include <gtest/gtest.h>

#include <random>

#include "out_of_range_chunks.h"
#include "sdk_explore_talk.h"

/// Chunks that leave, are kept, and come back; and what the game hears of it.
namespace terrane::client {
namespace {

using namespace testing;

TEST(explore_kept, what_leaves_is_kept_and_comes_back_without_the_server) {
  Talk talk;
  talk.go(0, 0);
  talk.open();
  ASSERT_TRUE(talk.send_chunks({kHere}));
  const auto first = talk.poll().arrived.at(0).chunk;
  talk.go(10, 0);
  ASSERT_TRUE(talk.send(out_of_range({kHere})));
  EXPECT_EQ(talk.poll().out_of_range, std::vector<Tile>{kHere});
  EXPECT_EQ(talk.client.chunk(kHere), first) << "kept";
  EXPECT_EQ(talk.client.stats().in_range, 0u);
  (void)talk.next();

  talk.go(4, 0);
  const ExploreNews news = talk.poll();
  ASSERT_EQ(tiles(news.arrived), std::vector<Tile>{kHere});
  EXPECT_EQ(news.arrived[0].chunk, first);
  EXPECT_EQ(talk.client.stats().kept, 1u);
  EXPECT_EQ(talk.claimed(), std::vector<Tile>{kHere});
}

TEST(explore_kept, what_a_superseded_move_had_to_say_is_said_by_the_next) {
  Talk talk;
  talk.go(0, 0);
  talk.open();
  ASSERT_TRUE(talk.send_chunks({kHere}));
  talk.go(10, 0);
  ASSERT_TRUE(talk.send(out_of_range({kHere})));
  talk.go(4, 0);
  talk.go(4, 1);
  EXPECT_EQ(talk.claimed(), std::vector<Tile>{kHere});
}

TEST(explore_kept, the_chunk_that_left_longest_ago_is_the_first_to_be_forgotten) {
  ExploreOptions few = two_levels();
  few.kept_chunks = 2;
  Talk talk(few);
  talk.go(0, 0);
  talk.open();
  ASSERT_TRUE(talk.send_chunks({{0, {1, 0}}, {0, {2, 0}}, {0, {3, 0}}}));
  talk.go(20, 0);
  ASSERT_TRUE(talk.send(out_of_range({{0, {2, 0}}, {0, {1, 0}}, {0, {3, 0}}})));
  EXPECT_EQ(talk.client.chunk({0, {2, 0}}), nullptr);
  EXPECT_NE(talk.client.chunk({0, {1, 0}}), nullptr);
  EXPECT_NE(talk.client.chunk({0, {3, 0}}), nullptr);
}

TEST(explore_kept, a_chunk_taken_back_just_as_the_viewer_returns_is_claimed_again) {
  Talk talk;
  talk.go(0, 0);
  talk.open();
  ASSERT_TRUE(talk.send_chunks({kHere}));
  EXPECT_EQ(talk.poll().arrived.size(), 1u);
  talk.go(10, 0);
  (void)talk.next();
  talk.go(0, 0);
  (void)talk.next();
  ASSERT_TRUE(talk.send(out_of_range({kHere}))) << "the server's answer to the move before";
  EXPECT_EQ(talk.claimed(), std::vector<Tile>{kHere});
  const ExploreNews news = talk.poll();
  EXPECT_TRUE(news.arrived.empty() && news.out_of_range.empty()) << "the game never lost it";
}

TEST(explore_kept, what_left_and_came_back_between_two_polls_is_no_news) {
  Talk talk;
  talk.go(0, 0);
  talk.open();
  ASSERT_TRUE(talk.send_chunks({kHere}));
  EXPECT_EQ(talk.poll().arrived.size(), 1u);
  talk.go(10, 0);
  ASSERT_TRUE(talk.send(out_of_range({kHere})));
  talk.go(0, 0);
  const ExploreNews back = talk.poll();
  EXPECT_TRUE(back.arrived.empty() && back.out_of_range.empty());

  ASSERT_TRUE(talk.send_chunks({kBeside}));
  talk.go(10, 0);
  ASSERT_TRUE(talk.send(out_of_range({kBeside})));
  const ExploreNews gone = talk.poll();
  EXPECT_TRUE(gone.arrived.empty() && gone.out_of_range.empty()) << "the game never had it";
}

TEST(explore_kept, what_came_back_and_left_before_that_could_be_said_is_not_held_for_ever) {
  Talk talk;
  talk.go(0, 0);
  talk.open();
  ASSERT_TRUE(talk.send_chunks({kHere}));
  talk.go(10, 0);
  ASSERT_TRUE(talk.send(out_of_range({kHere})));
  (void)talk.next();
  talk.go(4, 0);
  talk.go(20, 0);
  EXPECT_TRUE(talk.claimed().empty()) << "the server would take no notice";
  EXPECT_EQ(talk.client.stats().in_range, 0u) << "nor would it ever take it back";
  EXPECT_NE(talk.client.chunk(kHere), nullptr) << "kept";
}

TEST(explore_kept, a_chunk_that_comes_twice_is_counted_and_thrown_away) {
  Talk talk;
  talk.go(0, 0);
  talk.open();
  ASSERT_TRUE(talk.send_chunks({kHere, kHere}));
  ASSERT_TRUE(talk.send_chunks({kHere}));
  EXPECT_EQ(talk.poll().arrived.size(), 1u);
  EXPECT_EQ(talk.client.stats().chunks, 3u);
  EXPECT_EQ(talk.client.stats().repeated, 2u);
}

TEST(explore_kept, undecoded_chunks_are_handed_out_once_and_never_kept) {
  ExploreOptions raw = two_levels();
  raw.decode = false;
  Talk talk(raw);
  talk.go(0, 0);
  talk.open();
  const std::string message = batch(1, {kHere}).SerializeAsString();
  const auto chunks = talk.client.receive(message, talk.now);
  ASSERT_TRUE(chunks);
  talk.client.arrive({chunks->at(0).tile, nullptr, std::make_shared<const std::string>("bytes")},
                     std::chrono::nanoseconds(0), talk.now);
  talk.client.finish_message();
  EXPECT_EQ(*talk.poll().arrived.at(0).encoded, "bytes");
  EXPECT_EQ(talk.client.chunk(kHere), nullptr);
  EXPECT_EQ(talk.next()->ack().chunk_ns(), 0u) << "nothing was measured";
  talk.go(10, 0);
  ASSERT_TRUE(talk.send(out_of_range({kHere})));
  EXPECT_EQ(talk.poll().out_of_range, std::vector<Tile>{kHere});
  talk.go(0, 0);
  EXPECT_TRUE(talk.poll().arrived.empty());
  EXPECT_TRUE(talk.claimed().empty());
}

TEST(explore_kept, what_is_in_view_of_all_that_is_kept_is_found_wherever_the_viewer_is) {
  std::minstd_rand random(1);
  const auto anywhere = [&] {
    return Tile{static_cast<Lod>(random() % 2),
                {static_cast<std::int64_t>(random() % 60) - 30,
                 static_cast<std::int64_t>(random() % 60) - 30}};
  };
  OutOfRangeChunks kept(100);
  std::vector<Tile> left;  // the last to leave last
  explore::ViewRange range({5, 3});
  range.set_chunk_size(16);
  const auto chunk = std::make_shared<const Chunk>();
  std::size_t found = 0;
  for (int step = 0; step < 2000; ++step) {
    const Tile tile = anywhere();
    std::erase(left, tile);
    if (step % 3 == 0) {
      kept.put(tile, chunk);
      left.push_back(tile);
      if (left.size() > 100) left.erase(left.begin());
    } else {
      (void)kept.take(tile);
    }
    range.set_pose({.x = static_cast<double>(random() % 1000) - 500,
                    .y = static_cast<double>(random() % 1000) - 500});
    std::vector<Tile> expected;
    for (auto at = left.rbegin(); at != left.rend(); ++at) {
      if (range.is_in_view(*at)) expected.push_back(*at);
    }
    ASSERT_EQ(kept.in_view(range), expected) << step;
    ASSERT_EQ(kept.size(), left.size());
    found += expected.size();
  }
  EXPECT_GT(found, 1000u);
}

}  // namespace
}  // namespace terrane::client
