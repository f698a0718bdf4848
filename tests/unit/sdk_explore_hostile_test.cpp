#include <gtest/gtest.h>

#include <limits>

#include "explore_book.h"
#include "sdk_explore_script.h"

/// What an Explorer makes of a server that means it harm.
namespace terrane::client {
namespace {

using namespace testing;

constexpr std::int64_t kFarthest = std::numeric_limits<std::int64_t>::max();

ExploreBook asking() {
  ExploreOptions options;
  options.world = {"classic", 1, {}};
  options.view_distances = {2};
  ExploreBook book(options);
  EXPECT_TRUE(book.move({}, {}));
  book.begin_stream();
  EXPECT_TRUE(book.next_message());
  return book;
}

ExploreBook streaming() {
  ExploreBook book = asking();
  EXPECT_TRUE(book.receive(welcome()));
  return book;
}

v1::Chunk bare(const Tile& tile) {
  v1::Chunk chunk;
  chunk.set_lod(tile.lod);
  chunk.mutable_coord()->set_x(tile.coord.x);
  chunk.mutable_coord()->set_y(tile.coord.y);
  return chunk;
}

template <typename T>
void expect_data_loss(const Result<T>& result, const char* what) {
  ASSERT_FALSE(result) << what;
  EXPECT_EQ(result.error().code, ErrorCode::kDataLoss) << what << ": " << result.error().message;
}

TEST(explore_hostile, welcomes_that_no_server_sends_end_the_stream) {
  const auto after = [](auto&& change) {
    v1::ExploreResponse response = welcome();
    change(response);
    return asking().receive(response);
  };
  expect_data_loss(after([](v1::ExploreResponse& response) { response.clear_welcome(); }), "none");
  expect_data_loss(
      after([](v1::ExploreResponse& response) { response.mutable_welcome()->set_chunk_size(0); }),
      "no chunk size");
  expect_data_loss(
      after([](v1::ExploreResponse& response) { response.mutable_welcome()->set_chunk_size(100); }),
      "a size of 100");
  expect_data_loss(after([](v1::ExploreResponse& response) {
                     response.mutable_welcome()->set_chunk_size(1u << 31);
                   }),
                   "huge");
  expect_data_loss(
      after([](v1::ExploreResponse& response) { response.mutable_welcome()->set_format(200); }),
      "format");
  expect_data_loss(streaming().receive(welcome()), "a second one");
}

TEST(explore_hostile, chunks_and_failures_that_cannot_have_been_asked_for_end_the_stream) {
  for (const Tile& tile : {Tile{1, {0, 0}}, Tile{17, {0, 0}}, Tile{255, {0, 0}},
                           Tile{0, {kFarthest, 0}}, Tile{0, {0, -kFarthest - 1}}}) {
    ExploreBook book = streaming();
    expect_data_loss(book.expect(bare(tile)), "chunk");
    v1::ExploreResponse response;
    response.add_failures()->set_lod(tile.lod);
    *response.mutable_failures(0)->mutable_coord() = bare(tile).coord();
    expect_data_loss(book.receive(response), "failure");
  }
  v1::Chunk chunk = bare({0, {0, 0}});
  chunk.set_lod(256);
  expect_data_loss(streaming().expect(chunk), "a lod that is no lod");
}

TEST(explore_hostile, batches_must_grow) {
  ExploreBook book = streaming();
  ASSERT_TRUE(book.receive(batch(5, {{0, {0, 0}}})));
  expect_data_loss(book.receive(batch(5, {{0, {1, 0}}})), "again");
  expect_data_loss(book.receive(batch(4, {{0, {1, 0}}})), "back");
  expect_data_loss(streaming().receive(batch(0, {{0, {1, 0}}})), "none");
}

TEST(explore_hostile, rows_without_end_are_refused_and_unknown_tiles_are_ignored) {
  const auto after = [](const v1::TileRow& row, int times) {
    v1::ExploreResponse response;
    for (int i = 0; i < times; ++i) *response.add_out_of_range() = row;
    return streaming().receive(response);
  };
  EXPECT_TRUE(after(row({0, {900, 900}}, 3), 1));
  expect_data_loss(after(row({0, {0, 0}}, 4097), 1), "too long");
  expect_data_loss(after(row({0, {0, 0}}, 0xffffffff), 1), "far too long");
  expect_data_loss(after(row({0, {0, 0}}, 4096), 100'000), "too many");
  expect_data_loss(after(row({0, {kFarthest - 1, 0}}, 4000), 1), "past the end of numbers");
  expect_data_loss(after(row({0, {max_chunk_coord(0) - 1, 0}}, 4), 1), "past the end of the world");
  expect_data_loss(after(row({200, {0, 0}}, 1), 1), "lod");
}

TEST(explore_hostile, a_flood_of_chunks_is_bounded_whether_or_not_the_game_polls) {
  for (const bool polls : {false, true}) {
    ExploreBook book = streaming();
    constexpr int kFlood = 1'000'000;
    int taken = 0;
    for (; taken < kFlood; ++taken) {
      const Tile tile{0, {taken, 0}};
      if (!book.expect(bare(tile))) break;
      book.arrive({tile, std::make_shared<const Chunk>(), nullptr}, std::chrono::nanoseconds(1),
                  {});
      ExploreNews news;
      if (polls) book.tell(news);
    }
    EXPECT_LT(taken, 20'000) << (polls ? "polled" : "not polled");
  }
}

TEST(explore_hostile, a_flood_of_failures_is_bounded) {
  ExploreBook book = streaming();
  v1::ExploreResponse response;
  for (int i = 0; i < 100'000; ++i) response.add_failures()->set_code(13);
  expect_data_loss(book.receive(response), "failures");
}

}  // namespace
}  // namespace terrane::client
