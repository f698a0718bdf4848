#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <mutex>
#include <set>

#include "sdk_explore_script.h"

namespace terrane {
namespace {

using namespace testing;

TEST(explorer, says_where_the_viewer_is_and_gets_the_chunks_around_it) {
  ScriptedServer server;
  v1::Hello hello;
  std::latch acknowledged(1);
  server.explore = [&](grpc::ServerContext&, Stream& stream) {
    hello = read(stream, v1::ExploreRequest::kHello)->hello();
    stream.Write(welcome());
    stream.Write(batch(1, {{0, {0, 0}}, {0, {1, 0}}}));
    const auto ack = read(stream, v1::ExploreRequest::kAck);
    EXPECT_EQ(ack->ack().batch(), 1u);
    EXPECT_GT(ack->ack().chunk_ns(), 0u);
    acknowledged.count_down();
    return listen(stream);
  };
  Explorer explorer = open_explorer(server);
  EXPECT_TRUE(explorer.poll().arrived.empty()) << "nothing is asked for before the first move";
  ASSERT_TRUE(explorer.move({.x = 3, .y = 4, .velocity_x = 1, .direction_y = 1}));
  const ExploreNews news = poll_chunks(explorer, 2);
  acknowledged.wait();
  EXPECT_EQ(news.state, ExploreState::kStreaming);
  ASSERT_EQ(news.arrived.size(), 2u);
  EXPECT_EQ(*news.arrived[0].chunk, example_chunk({0, 0}));
  EXPECT_EQ(explorer.chunk({0, {1, 0}}), news.arrived[1].chunk);
  EXPECT_EQ(explorer.chunk({0, {2, 0}}), nullptr);
  EXPECT_EQ(hello.world().name(), "classic");
  EXPECT_EQ(hello.view_distances_size(), 1);
  EXPECT_EQ(hello.formats(0), 2u);
  EXPECT_EQ(hello.move().x(), 3);
  EXPECT_EQ(hello.move().direction_y(), 1);
  const ExploreStats stats = explorer.stats();
  EXPECT_EQ(stats.chunks, 2u);
  EXPECT_EQ(stats.in_range, 2u);
  EXPECT_EQ(stats.waiting, 0u);
  EXPECT_GT(stats.bytes, 0u);
  EXPECT_GT(stats.first.count(), 0);
}

TEST(explorer, a_damaged_chunk_is_a_failure_of_its_own) {
  ScriptedServer server;
  std::latch acknowledged(1);
  server.explore = [&](grpc::ServerContext&, Stream& stream) {
    v1::ExploreResponse response = batch(1, {{0, {0, 0}}, {0, {1, 0}}, {0, {2, 0}}});
    response.mutable_chunks(0)->mutable_encoded()->back() ^= 1;
    fill(*response.mutable_chunks(1), {1, 0}, 1);
    response.mutable_chunks(1)->set_lod(0);
    stream.Write(welcome());
    stream.Write(response);
    EXPECT_TRUE(read(stream, v1::ExploreRequest::kAck)) << "it has been dealt with all the same";
    acknowledged.count_down();
    return listen(stream);
  };
  Explorer explorer = open_explorer(server);
  ASSERT_TRUE(explorer.move({}));
  const ExploreNews news = poll_until(explorer, [](const ExploreNews& so_far) {
    return so_far.arrived.size() + so_far.failed.size() == 3;
  });
  acknowledged.wait();
  ASSERT_EQ(news.failed.size(), 2u);
  EXPECT_EQ(news.failed[0].tile, (Tile{0, {0, 0}}));
  EXPECT_EQ(news.failed[0].error.code, ErrorCode::kDataLoss);
  EXPECT_EQ(news.failed[1].error.code, ErrorCode::kDataLoss) << "the bytes of another lod";
  EXPECT_EQ(news.arrived.size(), 1u);
  EXPECT_EQ(explorer.chunk({0, {0, 0}}), nullptr);
}

TEST(explorer, passes_on_what_the_server_says_of_chunks_and_of_the_world) {
  ScriptedServer server;
  server.explore = [](grpc::ServerContext&, Stream& stream) {
    stream.Write(welcome());
    v1::ExploreResponse response;
    v1::ChunkFailure& failure = *response.add_failures();
    failure.set_code(grpc::StatusCode::INTERNAL);
    failure.set_message("no luck");
    response.mutable_world_changed()->set_fingerprint(8);
    stream.Write(response);
    return listen(stream);
  };
  Explorer explorer = open_explorer(server);
  ASSERT_TRUE(explorer.move({}));
  const ExploreNews news =
      poll_until(explorer, [](const ExploreNews& so_far) { return so_far.world_changed; });
  EXPECT_TRUE(news.world_changed);
  EXPECT_EQ(news.state, ExploreState::kStreaming) << "the stream goes on with the old world";
  ASSERT_EQ(news.failed.size(), 1u);
  EXPECT_EQ(news.failed[0].error, (Error{ErrorCode::kInternal, "no luck"}));
  EXPECT_FALSE(explorer.poll().world_changed) << "said once";
}

TEST(explorer, hands_out_the_servers_bytes_undecoded) {
  ScriptedServer server;
  server.explore = [](grpc::ServerContext&, Stream& stream) {
    stream.Write(welcome());
    stream.Write(batch(1, {{0, {3, 0}}}));
    return listen(stream);
  };
  ExploreOptions options = four_chunks();
  options.decode = false;
  Explorer explorer = open_explorer(server, options);
  ASSERT_TRUE(explorer.move({}));
  const ExploreNews news = poll_chunks(explorer, 1);
  ASSERT_EQ(news.arrived.size(), 1u);
  EXPECT_EQ(news.arrived[0].chunk, nullptr);
  EXPECT_EQ(*decode({{3, 0}, *news.arrived[0].encoded}), example_chunk({3, 0}));
}

TEST(explorer, a_server_that_is_made_to_wait_hears_no_acknowledgement_until_a_poll) {
  ScriptedServer server;
  std::latch owing(1), acknowledged(1);
  std::atomic<bool> polled = false;
  server.explore = [&](grpc::ServerContext&, Stream& stream) {
    stream.Write(welcome());
    stream.Write(batch(1, {{0, {0, 0}}, {0, {1, 0}}}));
    (void)read(stream, v1::ExploreRequest::kMove);  // sent after the batch had come
    owing.count_down();
    EXPECT_TRUE(read(stream, v1::ExploreRequest::kAck));
    EXPECT_TRUE(polled);
    acknowledged.count_down();
    return listen(stream);
  };
  ExploreOptions options = four_chunks();
  options.max_waiting = 1;
  Explorer explorer = open_explorer(server, options);
  ASSERT_TRUE(explorer.move({}));
  while (explorer.stats().waiting < 2) explorer.wait(kLong);
  ASSERT_TRUE(explorer.move(in_chunk(1, 0)));
  owing.wait();
  polled = true;
  EXPECT_EQ(explorer.poll().arrived.size(), 2u);
  acknowledged.wait();
}

TEST(explorer, what_the_server_takes_back_is_kept_and_returns_without_it) {
  ScriptedServer server;
  std::vector<Tile> have;
  std::latch said(1);
  server.explore = [&](grpc::ServerContext&, Stream& stream) {
    stream.Write(welcome());
    stream.Write(batch(1, {{0, {0, 0}}}));
    (void)read(stream, v1::ExploreRequest::kMove);
    stream.Write(out_of_range({{0, {0, 0}}}));
    have = tiles_of(read(stream, v1::ExploreRequest::kMove)->move().have());
    said.count_down();
    return listen(stream);
  };
  Explorer explorer = open_explorer(server);
  ASSERT_TRUE(explorer.move(in_chunk(0, 0)));
  EXPECT_EQ(poll_chunks(explorer, 1).arrived.size(), 1u);
  ASSERT_TRUE(explorer.move(in_chunk(20, 0)));
  const ExploreNews left =
      poll_until(explorer, [](const ExploreNews& news) { return !news.out_of_range.empty(); });
  EXPECT_EQ(left.out_of_range, (std::vector<Tile>{{0, {0, 0}}}));
  ASSERT_TRUE(explorer.move(in_chunk(2, 0)));
  EXPECT_EQ(explorer.poll().arrived.size(), 1u) << "at once";
  said.wait();
  EXPECT_EQ(have, (std::vector<Tile>{{0, {0, 0}}}));
  EXPECT_EQ(explorer.stats().kept, 1u);
}

TEST(explorer, many_viewers_share_one_connection) {
  ScriptedServer server;
  std::mutex mutex;
  std::set<std::string> peers;
  server.explore = [&](grpc::ServerContext& context, Stream& stream) {
    const v1::Move move = read(stream, v1::ExploreRequest::kHello)->hello().move();
    {
      const std::lock_guard lock(mutex);
      peers.insert(context.peer());
    }
    stream.Write(welcome());
    stream.Write(batch(1, {{0, {static_cast<std::int64_t>(move.x()) / 16, 0}}}));
    return listen(stream);
  };
  const auto client = Client::connect({.address = server.address()});
  std::vector<Explorer> viewers;
  for (int i = 0; i < 32; ++i) {
    viewers.push_back(*client->explore(four_chunks()));
    ASSERT_TRUE(viewers.back().move(in_chunk(i, 0)));
  }
  for (std::size_t i = 0; i < viewers.size(); ++i) {
    const ExploreNews news = poll_chunks(viewers[i], 1);
    ASSERT_EQ(news.arrived.size(), 1u);
    EXPECT_EQ(news.arrived[0].tile.coord.x, static_cast<std::int64_t>(i));
  }
  EXPECT_EQ(peers.size(), 1u);
}

TEST(explorer, destroying_it_in_the_middle_ends_the_stream_and_leaves_nothing_behind) {
  ScriptedServer server;
  constexpr int kViewers = 40;
  std::latch ended(kViewers);
  server.explore = [&](grpc::ServerContext&, Stream& stream) {
    stream.Write(welcome());
    std::uint64_t id = 0;
    while (stream.Write(batch(id + 1, {{0, {static_cast<std::int64_t>(id % 4), 0}}}))) ++id;
    ended.count_down();
    return grpc::Status::OK;
  };
  for (int i = 0; i < kViewers; ++i) {
    Explorer explorer = open_explorer(server);
    ASSERT_TRUE(explorer.move({}));
    Explorer moved = std::move(explorer);
    // else the server may never hear of it
    poll_until(moved, [&](const ExploreNews&) { return moved.stats().chunks > 0; });
  }
  ended.wait();
}

}  // namespace
}  // namespace terrane
