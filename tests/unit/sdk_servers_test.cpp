#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>
#include <set>

#include "addresses.h"
#include "sdk_explore_script.h"

/// Several servers behind one Client, and streams that go on when one is lost.
namespace terrane {
namespace {

using namespace testing;
using client::grpc_target;

const WorldRef kWorld{"classic", 1, {}};
const ChunkRectangle kSquare{{-1, -1}, {1, 1}};

TEST(addresses, are_as_grpc_names_them) {
  EXPECT_EQ(grpc_target("localhost:4150"), "localhost:4150");
  EXPECT_EQ(grpc_target("[::1]:4150"), "[::1]:4150");
  EXPECT_EQ(grpc_target("unix:/run/a,b"), "unix:/run/a,b");
  EXPECT_EQ(grpc_target("10.0.0.1:1,10.0.0.2:2"), "ipv4:10.0.0.1:1,10.0.0.2:2");
  EXPECT_EQ(grpc_target("[::1]:1, [fd00::2]:2"), "ipv6:[::1]:1,[fd00::2]:2");
  EXPECT_EQ(grpc_target("10.0.0.1:1,[::1]:2"), "ipv6:[::ffff:10.0.0.1]:1,[::1]:2");
}

TEST(addresses, that_cannot_work_are_named) {
  for (const char* bad :
       {"", "localhost", "10.0.0.1:", "10.0.0.1:1,", ",10.0.0.1:1", "10.0.0.1:1,world.example:2",
        "10.0.0.1:1,10.0.0.2", "10.0.0.1:1,[::1:2", "10.0.0.1:1,10.0.0.2:0",
        "10.0.0.1:1,10.0.0.2:65536", "10.0.0.1:1,10.0.0.2:1x", "10.0.0.1:1,[10.0.0.2]:1"}) {
    const auto target = grpc_target(bad);
    ASSERT_FALSE(target) << bad;
    EXPECT_EQ(target.error().code, ErrorCode::kInvalidArgument);
  }
  EXPECT_NE(grpc_target("10.0.0.1:1,world.example:2").error().message.find("world.example:2"),
            std::string::npos);
  std::string many = "10.0.0.1:1";
  for (int i = 0; i < 64; ++i) many += ",10.0.0.1:1";
  EXPECT_FALSE(grpc_target(many));
}

void write(ScriptedServer::ChunksWriter& writer, const v1::GetChunksRequest& request) {
  v1::GetChunksResponse response;
  for (const auto& coord : request.list().coords())
    fill(*response.add_chunks(), {coord.x(), coord.y()});
  writer.Write(response);
}

/// How often each chunk came, until the stream's end or error.
std::multiset<ChunkCoord> read_all(ChunkStream& stream, std::optional<Error>& error) {
  std::multiset<ChunkCoord> chunks;
  for (;;) {
    auto item = stream.next();
    if (!item) error = item.error();
    if (!item || !*item) return chunks;
    if (**item) chunks.insert((***item).coord);
  }
}

TEST(servers, a_chunk_stream_tries_for_as_long_as_its_deadline_lasts) {
  ScriptedServer server;
  int calls = 0;
  server.get_chunks = [&](grpc::ServerContext&, const v1::GetChunksRequest&,
                          ScriptedServer::ChunksWriter& writer) {
    if (++calls <= 6) return grpc::Status(grpc::StatusCode::UNAVAILABLE, "starting");
    v1::GetChunksResponse response;
    for (int x = -1; x <= 1; ++x) {
      for (int y = -1; y <= 1; ++y) fill(*response.add_chunks(), {x, y});
    }
    writer.Write(response);
    return grpc::Status::OK;
  };
  const auto client = Client::connect({.address = server.address(), .max_attempts = 3});
  auto stream = client->chunks({.world = kWorld, .area = kSquare});
  std::optional<Error> error;
  EXPECT_EQ(read_all(stream, error).size(), 9u);
  EXPECT_FALSE(error) << error->message;
  EXPECT_EQ(calls, 7);
}

TEST(servers, a_chunk_stream_whose_deadline_ends_says_how_many_chunks_are_missing) {
  ScriptedServer server;
  server.get_chunks = [](grpc::ServerContext& context, const v1::GetChunksRequest&,
                         ScriptedServer::ChunksWriter& writer) {
    v1::GetChunksResponse response;
    for (int x = -1; x <= 1; ++x) fill(*response.add_chunks(), {x, 0});
    writer.Write(response);
    while (!context.IsCancelled()) std::this_thread::yield();
    return grpc::Status::CANCELLED;
  };
  const auto client =
      Client::connect({.address = server.address(), .deadline = std::chrono::seconds(1)});
  auto stream = client->chunks({.world = kWorld, .area = kSquare});
  std::optional<Error> error;
  EXPECT_EQ(read_all(stream, error).size(), 3u);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, ErrorCode::kDeadlineExceeded);
  EXPECT_NE(error->message.find("6 of 9 chunks"), std::string::npos) << error->message;
}

TEST(servers, when_one_dies_streams_go_on_at_the_other_and_nothing_comes_twice) {
  std::latch dying(1);
  auto first = std::make_unique<ScriptedServer>();
  ScriptedServer second;
  first->get_chunks = [&](grpc::ServerContext&, const v1::GetChunksRequest&,
                          ScriptedServer::ChunksWriter& writer) {
    v1::GetChunksResponse response;
    for (int x = -1; x <= 1; ++x) fill(*response.add_chunks(), {x, 0});
    writer.Write(response);
    dying.wait();
    return grpc::Status(grpc::StatusCode::UNAVAILABLE, "draining");
  };
  first->explore = [&](grpc::ServerContext&, Stream& stream) {
    stream.Write(welcome());
    stream.Write(batch(1, {{0, {0, 0}}}));
    dying.wait();
    return grpc::Status(grpc::StatusCode::UNAVAILABLE, "draining");
  };
  std::vector<Tile> have;
  second.get_chunks = [](grpc::ServerContext&, const v1::GetChunksRequest& request,
                         ScriptedServer::ChunksWriter& writer) {
    write(writer, request);
    return grpc::Status::OK;
  };
  second.explore = [&](grpc::ServerContext&, Stream& stream) {
    have = tiles_of(read(stream, v1::ExploreRequest::kHello)->hello().move().have());
    stream.Write(welcome());
    stream.Write(batch(1, {{0, {1, 0}}}));
    return listen(stream);
  };
  const auto client = Client::connect({.address = first->address() + "," + second.address()});
  ASSERT_TRUE(client) << client.error().message;
  Explorer explorer = *client->explore(four_chunks());
  ASSERT_TRUE(explorer.move(in_chunk(0, 0)));
  EXPECT_EQ(poll_chunks(explorer, 1).arrived.size(), 1u);
  auto stream = client->chunks({.world = kWorld, .area = kSquare});
  ASSERT_TRUE(stream.next());

  dying.count_down();
  first.reset();
  std::optional<Error> error;
  const auto chunks = read_all(stream, error);
  EXPECT_FALSE(error) << error->message;
  EXPECT_EQ(chunks.size(), 8u) << "and the one from before";
  EXPECT_EQ(std::set(chunks.begin(), chunks.end()).size(), 8u);
  EXPECT_EQ(poll_chunks(explorer, 1).arrived.size(), 1u);
  EXPECT_EQ(have, (std::vector<Tile>{{0, {0, 0}}}));
  EXPECT_EQ(explorer.stats().repeated, 0u);
}

/// A server that counts the chunks it is asked for.
struct CountingServer {
  CountingServer() {
    server.get_chunk = [this](grpc::ServerContext&, const v1::GetChunkRequest&,
                              v1::GetChunkResponse& response) {
      ++calls;
      fill(*response.mutable_chunk(), {0, 0});
      return grpc::Status::OK;
    };
  }
  std::atomic<int> calls = 0;
  ScriptedServer server;
};

TEST(servers, the_first_is_asked_unless_all_are_to_be_asked_in_turn) {
  CountingServer one, two;
  const std::string addresses = one.server.address() + "," + two.server.address();
  const auto first = Client::connect({.address = addresses});
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(first->chunk(kWorld, {0, 0}));
  EXPECT_EQ(one.calls, 20);
  EXPECT_EQ(two.calls, 0);

  const auto in_turn = Client::connect({.address = addresses, .balancing = Balancing::kRoundRobin});
  const auto end = std::chrono::steady_clock::now() + kLong;
  while (two.calls < 20 && std::chrono::steady_clock::now() < end)
    ASSERT_TRUE(in_turn->chunk(kWorld, {0, 0}));
  EXPECT_GE(two.calls, 20);
  EXPECT_GE(one.calls, 20 + 10) << "in turn, once both are connected";
}

TEST(servers, one_that_calls_itself_unhealthy_is_passed_over_in_turn) {
  grpc::EnableDefaultHealthCheckService(true);
  CountingServer sick, well;
  grpc::EnableDefaultHealthCheckService(false);
  sick.server.set_serving(false);
  const auto client =
      Client::connect({.address = sick.server.address() + "," + well.server.address(),
                       .balancing = Balancing::kRoundRobin});
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(client->chunk(kWorld, {0, 0}));
  EXPECT_EQ(sick.calls, 0);
  EXPECT_EQ(well.calls, 20);
  sick.server.set_serving(true);
  const auto end = std::chrono::steady_clock::now() + kLong;
  while (sick.calls == 0 && std::chrono::steady_clock::now() < end)
    ASSERT_TRUE(client->chunk(kWorld, {0, 0}));
  EXPECT_GT(sick.calls, 0) << "it is well again";
}

}  // namespace
}  // namespace terrane
