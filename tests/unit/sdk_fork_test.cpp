#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <latch>
#include <optional>
#include <thread>

#include "sdk_explore_script.h"

/// A child that fork() made of a program with a Client.
namespace terrane {
namespace {

using namespace testing;

bool refuses(const auto& result) {
  return !result && result.error().code == ErrorCode::kFailedPrecondition &&
         result.error().message.find("fork") != std::string::npos;
}

/// @return 0 when all calls are refused and all destructors end, else which did not
int in_the_child(std::optional<Client>& client, std::optional<Explorer>& explorer,
                 std::optional<ChunkStream>& stream, std::optional<PendingSamples>& samples) {
  alarm(30);  // kills a child that hangs
  const WorldRef world{"classic", 1, {}};
  if (!refuses(client->worlds())) return 1;
  if (!refuses(client->chunk(world, {0, 0}))) return 2;
  if (!refuses(client->locate({.world = world, .target = BiomeNamed{"desert"}}))) return 3;
  if (!refuses(client->chunks({.world = world, .area = ChunkRectangle{}}).next())) return 4;
  if (!refuses(Client::connect({}))) return 5;
  if (!refuses(stream->next())) return 6;
  stream->cancel();
  if (!refuses(explorer->move({}))) return 7;
  if (!explorer->wait(kLong)) return 8;
  const ExploreNews news = explorer->poll();
  if (news.state != ExploreState::kEnded || !news.error) return 9;
  if (explorer->chunk({0, {0, 0}}) || explorer->stats().chunks != 0) return 10;
  {
    auto other = client->explore(four_chunks());
    if (!other || !refuses(other->move({}))) return 11;
    explorer = *std::move(other);
  }
  if (!refuses(*samples->poll()) || samples->poll()) return 12;
  if (!refuses(*client->sample_async(world, {{0, 0}}).poll())) return 13;
  samples.reset();
  stream.reset();
  explorer.reset();
  client.reset();
  return 0;
}

TEST(fork, a_child_is_refused_and_never_hangs_and_the_parent_goes_on) {
  std::latch done(1);
  ScriptedServer server;
  server.get_chunks = [&](grpc::ServerContext&, const v1::GetChunksRequest&,
                          ScriptedServer::ChunksWriter& writer) {
    v1::GetChunksResponse response;
    fill(*response.add_chunks(), {0, 0});
    writer.Write(response);
    done.wait();
    response.Clear();
    fill(*response.add_chunks(), {1, 0});
    writer.Write(response);
    return grpc::Status::OK;
  };
  server.sample_points = [&](grpc::ServerContext&, const v1::SamplePointsRequest&,
                             v1::SamplePointsResponse&) {
    done.wait();
    return grpc::Status(grpc::StatusCode::NOT_FOUND, "no such world");
  };
  server.explore = [](grpc::ServerContext&, Stream& stream) {
    stream.Write(welcome());
    stream.Write(batch(1, {{0, {0, 0}}}));
    return listen(stream);
  };
  std::optional<Client> client(*Client::connect({.address = server.address()}));
  std::optional<Explorer> explorer(*client->explore(four_chunks()));
  std::optional<ChunkStream> stream(
      client->chunks({.world = {"classic", 1, {}}, .area = ChunkRectangle{{0, 0}, {1, 0}}}));
  ASSERT_TRUE(stream->next());
  ASSERT_TRUE(explorer->move(in_chunk(0, 0)));
  EXPECT_EQ(poll_chunks(*explorer, 1).arrived.size(), 1u);

  std::optional<PendingSamples> samples(client->sample_async({"classic", 1, {}}, {{0, 0}}));
  ASSERT_FALSE(samples->poll());

  const pid_t child = fork();
  if (child == 0) _exit(in_the_child(client, explorer, stream, samples));
  int ended = -1;
  ASSERT_EQ(waitpid(child, &ended, 0), child);
  EXPECT_TRUE(WIFEXITED(ended)) << "it hung";
  EXPECT_EQ(WEXITSTATUS(ended), 0);

  done.count_down();
  EXPECT_TRUE(stream->next());
  std::optional<Result<std::vector<PointSample>>> sampled;
  while (!(sampled = samples->poll())) std::this_thread::yield();
  EXPECT_EQ(sampled->error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(client->worlds());
  EXPECT_EQ(explorer->poll().state, ExploreState::kStreaming);
}

}  // namespace
}  // namespace terrane
