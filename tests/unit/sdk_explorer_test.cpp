#include <gtest/gtest.h>

#include <latch>

#include "sdk_explore_script.h"
#include "terrane/client.h"

namespace terrane {
namespace {

using namespace testing;

/// A viewer who sees four chunks far.
ExploreOptions options() {
  ExploreOptions options;
  options.world = {"classic", 1, {}};
  options.view_distances = {4};
  return options;
}

Explorer explore(const ScriptedServer& server, const ExploreOptions& wanted = options()) {
  auto explorer = Client::connect({.address = server.address()})->explore(wanted);
  EXPECT_TRUE(explorer) << explorer.error().message;
  return *std::move(explorer);
}

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
  Explorer explorer = explore(server);
  EXPECT_TRUE(explorer.poll().arrived.empty()) << "nothing is asked for before the first move";
  ASSERT_TRUE(explorer.move({.x = 3, .y = 4, .velocity_x = 1, .direction_y = 1}));
  const ExploreNews news = poll_chunks(explorer, 2);
  acknowledged.wait();
  EXPECT_EQ(news.state, ExploreState::kStreaming);
  ASSERT_EQ(news.arrived.size(), 2u);
  EXPECT_EQ(*news.arrived[0].chunk, example_chunk({0, 0}));
  EXPECT_EQ(explorer.chunk({0, {1, 0}}), news.arrived[1].chunk);
  EXPECT_EQ(explorer.chunk({0, {2, 0}}), nullptr);
  EXPECT_EQ(hello.world().world(), "classic");
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

}  // namespace
}  // namespace terrane
