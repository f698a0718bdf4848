#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "sdk_explore_talk.h"

/// What an Explorer makes of a server that means it harm.
namespace terrane::client {
namespace {

using namespace testing;

constexpr std::int64_t kFarthest = std::numeric_limits<std::int64_t>::max();

ExploreClient asking() {
  ExploreOptions options;
  options.world = {"classic", 1, {}};
  options.view_distances = {2};
  ExploreClient client(options);
  EXPECT_TRUE(client.move({}, {}));
  client.open_stream();
  EXPECT_TRUE(client.next_message({}));
  return client;
}

/// @return how many chunks are to be decoded
Result<std::size_t> receive(ExploreClient& client, const v1::ExploreResponse& response) {
  const std::string bytes = response.SerializeAsString();
  const auto received = client.receive(bytes, {});
  if (!received) {
    EXPECT_EQ(client.state(), ExploreState::kEnded);
    return tl::unexpected(received.error());
  }
  client.finish_message();
  return received->size();
}
Result<std::size_t> receive(ExploreClient&& client, const v1::ExploreResponse& response) {
  return receive(client, response);
}

ExploreClient streaming() {
  ExploreClient client = asking();
  EXPECT_TRUE(receive(client, welcome()));
  return client;
}

v1::ExploreResponse with(const v1::Chunk& chunk) {
  v1::ExploreResponse response;
  response.set_batch(1);
  *response.add_chunks() = chunk;
  return response;
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

TEST(explore_hostile, an_empty_message_in_a_servers_place_is_no_reason_to_give_up) {
  ExploreClient client = asking();
  EXPECT_TRUE(client.receive("", {})) << "which gRPC makes of a proxy's own page";
  client.end_stream({ErrorCode::kUnavailable, "503"}, std::nullopt, {}, 0);
  EXPECT_EQ(client.state(), ExploreState::kConnecting);
  client.open_stream();
  EXPECT_TRUE(client.next_message({}));
  EXPECT_TRUE(receive(client, welcome()));
  EXPECT_EQ(client.state(), ExploreState::kStreaming);
}

TEST(explore_hostile, welcomes_that_no_server_sends_end_the_stream) {
  const auto after = [](auto&& change) {
    v1::ExploreResponse response = welcome();
    change(response);
    return receive(asking(), response);
  };
  expect_data_loss(after([](v1::ExploreResponse& response) {
                     response.clear_welcome();
                     response.set_move(1);
                   }),
                   "none");
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
  expect_data_loss(receive(streaming(), welcome()), "a second one");
}

TEST(explore_hostile, chunks_and_failures_that_cannot_have_been_asked_for_end_the_stream) {
  for (const Tile& tile : {Tile{1, {0, 0}}, Tile{17, {0, 0}}, Tile{255, {0, 0}},
                           Tile{0, {kFarthest, 0}}, Tile{0, {0, -kFarthest - 1}}}) {
    expect_data_loss(receive(streaming(), with(bare(tile))), "chunk");
    v1::ExploreResponse response;
    response.add_failures()->set_lod(tile.lod);
    *response.mutable_failures(0)->mutable_coord() = bare(tile).coord();
    expect_data_loss(receive(streaming(), response), "failure");
  }
  v1::Chunk chunk = bare({0, {0, 0}});
  chunk.set_lod(256);
  expect_data_loss(receive(streaming(), with(chunk)), "a lod that is no lod");
}

TEST(explore_hostile, batches_must_grow) {
  for (const std::uint64_t second : {5u, 4u}) {
    ExploreClient client = streaming();
    ASSERT_TRUE(receive(client, batch(5, {{0, {0, 0}}})));
    expect_data_loss(receive(client, batch(second, {{0, {1, 0}}})), "again, or back");
  }
  expect_data_loss(receive(streaming(), batch(0, {{0, {1, 0}}})), "none");
}

TEST(explore_hostile, blocks_without_end_are_refused_and_unknown_tiles_are_ignored) {
  const auto after = [](const v1::TileBlock& block, int times = 1) {
    v1::ExploreResponse response;
    for (int i = 0; i < times; ++i) *response.add_out_of_range() = block;
    return receive(streaming(), response);
  };
  EXPECT_TRUE(after(block({0, {900, 900}}, 3)));
  expect_data_loss(after(block({0, {0, 0}}, 65)), "too wide");
  expect_data_loss(after(block({0, {0, 0}}, 1, 0xffffffff)), "far too high");
  expect_data_loss(after(block({0, {0, 0}}, 64, 64), 100'000), "too many");
  expect_data_loss(after(block({0, {kFarthest - 1, 0}}, 40)), "past the end of numbers");
  expect_data_loss(after(block({0, {max_chunk_coord(0) - 1, 0}}, 4)), "past the end of the world");
  expect_data_loss(after(block({200, {0, 0}})), "lod");
  v1::TileBlock bits = block({0, {0, 0}}, 3, 3);
  bits.set_bits("x");
  expect_data_loss(after(bits), "too few bits");
}

TEST(explore_hostile, a_flood_of_chunks_is_bounded_whether_or_not_the_game_polls) {
  for (const bool polls : {false, true}) {
    ExploreClient client = streaming();
    constexpr int kFlood = 1'000'000;
    int taken = 0;
    for (; taken < kFlood; ++taken) {
      const Tile tile{0, {taken, 0}};
      v1::ExploreResponse response = with(bare(tile));
      response.set_batch(static_cast<std::uint64_t>(taken) + 1);
      if (!receive(client, response)) break;
      client.arrive({tile, std::make_shared<const Chunk>(), nullptr}, std::chrono::nanoseconds(1),
                    {});
      if (polls) (void)client.take_news();
    }
    EXPECT_LT(taken, 20'000) << (polls ? "polled" : "not polled");
  }
}

TEST(explore_hostile, a_flood_of_chunks_or_failures_in_one_message_is_bounded) {
  v1::ExploreResponse failures, chunks;
  chunks.set_batch(1);
  for (int i = 0; i < 100'000; ++i) {
    failures.add_failures()->set_code(13);
    *chunks.add_chunks() = bare({0, {i, 0}});
  }
  expect_data_loss(receive(streaming(), failures), "failures");
  expect_data_loss(receive(streaming(), chunks), "chunks");
  failures.mutable_failures()->DeleteSubrange(0, 50'000);
  expect_data_loss(receive(streaming(), failures), "fewer failures");
}

TEST(explore_hostile, bytes_that_are_no_message_end_the_stream_and_harm_nobody) {
  v1::ExploreResponse everything = batch(1, {{0, {1, 0}}, {0, {0, -2}}});
  everything.add_failures()->set_message("no luck");
  *everything.add_out_of_range() = block({0, {-3, 4}}, 2, 2);
  everything.mutable_go_away()->set_resume_after_ms(7);
  everything.mutable_world_changed()->set_fingerprint(9);
  const std::string whole = everything.SerializeAsString();
  std::minstd_rand random(5);
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string damaged = whole.substr(0, round % 2 == 0 ? whole.size() : random() % whole.size());
    for (int i = 0; i < 1 + round % 4 && !damaged.empty(); ++i)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    ExploreClient client = streaming();
    const auto received = client.receive(damaged, {});
    if (received) continue;
    ++refused;
    ASSERT_EQ(received.error().code, ErrorCode::kDataLoss) << received.error().message;
  }
  EXPECT_GT(refused, 5000);
}

}  // namespace
}  // namespace terrane::client
