#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "explore_book.h"
#include "explore_options.h"
#include "sdk_explore_script.h"

/// An Explorer's bookkeeping alone: no connection, and time that passes when told.
namespace terrane::client {
namespace {

using namespace testing;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

ExploreOptions options() {
  ExploreOptions options;
  options.world = {"classic", 1, {}};
  options.view_distances = {4, 4};
  return options;
}

/// A book and the server that it talks to.
class Talk {
 public:
  explicit Talk(const ExploreOptions& wanted = options()) : book(wanted) {}

  void go(std::int64_t x, std::int64_t y) { ASSERT_TRUE(book.move(in_chunk(x, y), now)); }

  /// Starts a stream, and takes what it says first.
  v1::Hello open() {
    book.begin_stream();
    auto message = book.next_message();
    EXPECT_TRUE(message && message->has_hello());
    EXPECT_TRUE(book.receive(welcome()));
    return message->hello();
  }

  Result<void> send(const v1::ExploreResponse& response) {
    if (auto received = book.receive(response); !received) return received;
    for (const v1::Chunk& message : response.chunks()) {
      const auto tile = book.expect(message);
      if (!tile) return tl::unexpected(tile.error());
      if (*tile)
        book.arrive({**tile, std::make_shared<const Chunk>(example_chunk((*tile)->coord, (*tile)->lod)), nullptr}, took, now);
    }
    if (response.chunks_size() > 0) book.finish_batch(response.batch());
    return {};
  }

  Result<void> send_chunks(const std::vector<Tile>& tiles) { return send(batch(++batches, tiles)); }

  /// What the next Move says that the viewer has.
  std::vector<Tile> claimed() {
    while (const auto message = book.next_message()) {
      if (message->has_move()) return tiles_of(message->move().have());
    }
    return {};
  }

  ExploreNews poll() {
    ExploreNews news;
    book.tell(news);
    return news;
  }

  ExploreBook book;
  ExploreBook::TimePoint now{std::chrono::hours(1)};
  nanoseconds took{1000};
  std::uint64_t batches = 0;
};

std::vector<Tile> tiles(const std::vector<ArrivedChunk>& arrived) {
  std::vector<Tile> tiles;
  for (const ArrivedChunk& chunk : arrived) tiles.push_back(chunk.tile);
  return tiles;
}

const Tile kHere{0, {0, 0}};
const Tile kBeside{0, {1, 0}};
const Tile kBelow{1, {0, 0}};

TEST(explore_book, only_the_newest_of_several_moves_goes_out) {
  Talk talk;
  talk.go(0, 0);
  talk.open();
  EXPECT_FALSE(talk.book.next_message()) << "the hello has said it";
  talk.go(1, 0);
  talk.go(2, 0);
  const auto message = talk.book.next_message();
  ASSERT_TRUE(message && message->has_move());
  EXPECT_EQ(message->move().x(), in_chunk(2, 0).x);
  EXPECT_FALSE(talk.book.next_message());
  talk.go(2, 0);
  EXPECT_FALSE(talk.book.next_message()) << "standing still is not worth saying";
}

TEST(explore_book, acknowledges_the_newest_batch_only_and_says_what_a_chunk_takes) {
  Talk talk;
  talk.go(0, 0);
  talk.open();
  ASSERT_TRUE(talk.send_chunks({kHere}));
  ASSERT_TRUE(talk.send_chunks({kBeside}));
  const auto message = talk.book.next_message();
  ASSERT_TRUE(message && message->has_ack());
  EXPECT_EQ(message->ack().batch(), 2u);
  EXPECT_EQ(message->ack().chunk_ns(), 1000u);
  EXPECT_FALSE(talk.book.next_message());
}

TEST(explore_book, moves_do_not_starve_acknowledgements) {
  Talk talk;
  talk.go(0, 0);
  talk.open();
  for (int i = 1; i <= 3; ++i) {
    ASSERT_TRUE(talk.send_chunks({{0, {i, 0}}}));
    talk.go(i, 0);
    EXPECT_TRUE(talk.book.next_message()->has_move()) << "the move is the more urgent";
    talk.go(i, 1);
    EXPECT_EQ(talk.book.next_message()->ack().batch(), static_cast<std::uint64_t>(i));
  }
}

TEST(explore_book, withholds_acknowledgements_until_a_poll_has_made_room) {
  ExploreOptions narrow = options();
  narrow.most_waiting = 1;
  Talk talk(narrow);
  talk.go(0, 0);
  talk.open();
  ASSERT_TRUE(talk.send_chunks({kHere}));
  EXPECT_EQ(talk.book.next_message()->ack().batch(), 1u);
  ASSERT_TRUE(talk.send_chunks({kBeside}));
  EXPECT_FALSE(talk.book.next_message()) << "two chunks wait, one may";
  EXPECT_EQ(talk.book.stats().waiting, 2u);
  EXPECT_EQ(talk.poll().arrived.size(), 2u);
  EXPECT_EQ(talk.book.next_message()->ack().batch(), 2u);
}

TEST(explore_book, a_new_stream_is_told_what_is_at_hand_and_in_range) {
  Talk talk;
  talk.go(0, 0);
  EXPECT_EQ(talk.open().move().have_size(), 0);
  ASSERT_TRUE(talk.send_chunks({kHere, kBeside, kBelow, {0, {4, 0}}}));
  EXPECT_EQ(talk.poll().arrived.size(), 4u);
  talk.go(-4, 0);  // while nobody is there to take note
  const v1::Hello hello = talk.open();
  EXPECT_EQ(tiles_of(hello.move().have()), (std::vector<Tile>{kHere, kBeside, kBelow})) << "(4, 0) is eight chunks away now";
  EXPECT_EQ(hello.move().have_size(), 2) << "neighbours share a row";
  EXPECT_EQ(talk.poll().out_of_range, (std::vector<Tile>{{0, {4, 0}}}));
  EXPECT_TRUE(hello.world().has_fingerprint()) << "later streams pin what the first one served";
}

TEST(explore_book, what_leaves_is_kept_and_comes_back_without_the_server) {
  Talk talk;
  talk.go(0, 0);
  talk.open();
  ASSERT_TRUE(talk.send_chunks({kHere}));
  const auto first = talk.poll().arrived.at(0).chunk;
  talk.go(10, 0);
  ASSERT_TRUE(talk.send(out_of_range({kHere})));
  EXPECT_EQ(talk.poll().out_of_range, std::vector<Tile>{kHere});
  EXPECT_EQ(talk.book.chunk(kHere), first) << "kept";
  EXPECT_EQ(talk.book.stats().in_range, 0u);
  (void)talk.book.next_message();

  talk.go(4, 0);
  const ExploreNews news = talk.poll();
  ASSERT_EQ(tiles(news.arrived), std::vector<Tile>{kHere});
  EXPECT_EQ(news.arrived[0].chunk, first);
  EXPECT_EQ(talk.book.stats().kept, 1u);
  EXPECT_EQ(talk.claimed(), std::vector<Tile>{kHere});
}

TEST(explore_book, what_a_superseded_move_had_to_say_is_said_by_the_next) {
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

TEST(explore_book, the_chunk_that_left_longest_ago_is_the_first_to_be_forgotten) {
  ExploreOptions few = options();
  few.kept_chunks = 2;
  Talk talk(few);
  talk.go(0, 0);
  talk.open();
  ASSERT_TRUE(talk.send_chunks({{0, {1, 0}}, {0, {2, 0}}, {0, {3, 0}}}));
  talk.go(20, 0);
  ASSERT_TRUE(talk.send(out_of_range({{0, {2, 0}}, {0, {1, 0}}, {0, {3, 0}}})));
  EXPECT_EQ(talk.book.chunk({0, {2, 0}}), nullptr);
  EXPECT_NE(talk.book.chunk({0, {1, 0}}), nullptr);
  EXPECT_NE(talk.book.chunk({0, {3, 0}}), nullptr);
}

TEST(explore_book, a_chunk_taken_back_just_as_the_viewer_returns_is_claimed_again) {
  Talk talk;
  talk.go(0, 0);
  talk.open();
  ASSERT_TRUE(talk.send_chunks({kHere}));
  EXPECT_EQ(talk.poll().arrived.size(), 1u);
  talk.go(10, 0);
  (void)talk.book.next_message();
  talk.go(0, 0);
  (void)talk.book.next_message();
  ASSERT_TRUE(talk.send(out_of_range({kHere}))) << "the server's answer to the move before";
  EXPECT_EQ(talk.claimed(), std::vector<Tile>{kHere});
  const ExploreNews news = talk.poll();
  EXPECT_TRUE(news.arrived.empty() && news.out_of_range.empty()) << "the game never lost it";
}

TEST(explore_book, what_left_and_came_back_between_two_polls_is_no_news) {
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

TEST(explore_book, a_chunk_that_comes_twice_is_counted_and_thrown_away) {
  Talk talk;
  talk.go(0, 0);
  talk.open();
  ASSERT_TRUE(talk.send_chunks({kHere, kHere}));
  ASSERT_TRUE(talk.send_chunks({kHere}));
  EXPECT_EQ(talk.poll().arrived.size(), 1u);
  EXPECT_EQ(talk.book.stats().chunks, 3u);
  EXPECT_EQ(talk.book.stats().repeated, 2u);
}

TEST(explore_book, undecoded_chunks_are_handed_out_once_and_never_kept) {
  ExploreOptions raw = options();
  raw.decode = false;
  Talk talk(raw);
  talk.go(0, 0);
  talk.open();
  const v1::ExploreResponse response = batch(1, {kHere});
  ASSERT_TRUE(talk.book.receive(response));
  const auto tile = talk.book.expect(response.chunks(0));
  talk.book.arrive({**tile, nullptr, std::make_shared<const std::string>("bytes")}, nanoseconds(0), talk.now);
  talk.book.finish_batch(1);
  EXPECT_EQ(*talk.poll().arrived.at(0).encoded, "bytes");
  EXPECT_EQ(talk.book.chunk(kHere), nullptr);
  EXPECT_EQ(talk.book.next_message()->ack().chunk_ns(), 0u) << "nothing was measured";
  talk.go(10, 0);
  ASSERT_TRUE(talk.send(out_of_range({kHere})));
  EXPECT_EQ(talk.poll().out_of_range, std::vector<Tile>{kHere});
  talk.go(0, 0);
  EXPECT_TRUE(talk.poll().arrived.empty());
  EXPECT_TRUE(talk.claimed().empty());
}

TEST(explore_book, tells_how_long_the_chunk_underfoot_took_after_a_jump) {
  Talk talk;
  talk.go(0, 0);
  talk.open();
  talk.now += milliseconds(20);
  ASSERT_TRUE(talk.send_chunks({kBeside}));
  EXPECT_EQ(talk.book.stats().first.count(), 0) << "that was not the one";
  talk.now += milliseconds(20);
  ASSERT_TRUE(talk.send_chunks({kHere}));
  EXPECT_EQ(talk.book.stats().first, milliseconds(40));

  talk.now += milliseconds(1000);
  talk.go(1, 1);
  talk.now += milliseconds(5);
  ASSERT_TRUE(talk.send_chunks({{0, {1, 1}}}));
  EXPECT_EQ(talk.book.stats().first, milliseconds(40)) << "a step is no jump";

  talk.go(1000, 1000);
  EXPECT_EQ(talk.book.stats().first.count(), 0);
  talk.now += milliseconds(7);
  talk.go(1001, 1000);
  talk.now += milliseconds(7);
  ASSERT_TRUE(talk.send_chunks({{0, {1001, 1000}}}));
  EXPECT_EQ(talk.book.stats().first, milliseconds(14)) << "walking on does not start it again";
}

TEST(explore_book, a_move_that_makes_no_sense_leaves_the_viewer_where_it_was) {
  Talk talk;
  talk.go(0, 0);
  talk.open();
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const auto code = [&](const Pose& pose) {
    const auto moved = talk.book.move(pose, talk.now);
    return moved ? std::optional<ErrorCode>() : moved.error().code;
  };
  EXPECT_EQ(code({.x = nan}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code({.direction_y = infinity}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code({.velocity_y = -2e6}), ErrorCode::kOutOfRange);
  EXPECT_EQ(code({.x = 0x1p45}), ErrorCode::kOutOfRange) << "chunks of this world have 16 samples";
  EXPECT_FALSE(talk.book.next_message());
  EXPECT_EQ(code({.x = -0x1p44, .y = 0x1p44}), std::nullopt) << "the corner of the world";
}

TEST(explore_book, options_that_make_no_sense_are_refused_by_name) {
  EXPECT_TRUE(check(options()));
  const auto refuses = [](const char* name, auto&& change) {
    ExploreOptions wrong = options();
    change(wrong);
    const auto checked = check(wrong);
    EXPECT_TRUE(!checked && checked.error().code == ErrorCode::kInvalidArgument && checked.error().message.starts_with(name))
        << name << ": " << (checked ? "accepted" : checked.error().message);
  };
  refuses("view_distances", [](ExploreOptions& wrong) { wrong.view_distances = {}; });
  refuses("view_distances", [](ExploreOptions& wrong) { wrong.view_distances = {0, 0}; });
  refuses("view_distances", [](ExploreOptions& wrong) { wrong.view_distances = {65}; });
  refuses("view_distances", [](ExploreOptions& wrong) { wrong.view_distances = {8, -1}; });
  refuses("view_distances", [](ExploreOptions& wrong) { wrong.view_distances.assign(18, 1); });
  refuses("layers", [](ExploreOptions& wrong) { wrong.layers = 0; });
  refuses("world", [](ExploreOptions& wrong) { wrong.world.name.clear(); });
  refuses("most_waiting", [](ExploreOptions& wrong) { wrong.most_waiting = 0; });
}

}  // namespace
}  // namespace terrane::client
