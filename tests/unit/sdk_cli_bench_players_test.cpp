#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "cli/bench/players.h"
#include "cli/bench/scenarios.h"
#include "sdk_explore_script.h"

namespace terrane::cli {
namespace {

using testing::ScriptedServer;
using testing::Stream;

constexpr int kChunkSize = 16;  // of the scripted server's worlds
constexpr std::size_t kInView = 5;

ChunkCoord chunk_at(const v1::Move& move) {
  return chunk_of({static_cast<std::int64_t>(std::floor(move.x())),
                   static_cast<std::int64_t>(std::floor(move.y()))},
                  kChunkSize, 0);
}

/// All that a viewer with view distance 1 sees.
std::vector<Tile> around(ChunkCoord at) {
  return {{0, at},
          {0, {at.x + 1, at.y}},
          {0, {at.x - 1, at.y}},
          {0, {at.x, at.y + 1}},
          {0, {at.x, at.y - 1}}};
}

/// Answers each move with all in view; after the first one, behind a chunk that only the place
/// before had use for.
grpc::Status send_views(Stream& stream) {
  stream.Write(testing::welcome());
  v1::ExploreRequest request;
  std::optional<ChunkCoord> before;
  std::uint64_t batch = 0;
  while (stream.Read(&request)) {
    if (!request.has_hello() && !request.has_move()) continue;
    const ChunkCoord at = chunk_at(request.has_hello() ? request.hello().move() : request.move());
    std::vector<Tile> tiles = around(at);
    if (before) tiles.insert(tiles.begin(), Tile{0, {before->x + 2, before->y}});
    before = at;
    stream.Write(testing::batch(++batch, tiles));
  }
  return grpc::Status::OK;
}

double figure(const BenchReport& report, std::string_view name) {
  const auto at = std::find_if(report.figures.begin(), report.figures.end(),
                               [&](const Figure& f) { return f.name == name; });
  return at == report.figures.end() ? std::nan("") : at->value;
}

class BenchPlayers : public ::testing::Test {
 protected:
  void SetUp() override {
    server_.explore = [](grpc::ServerContext&, Stream& stream) { return send_views(stream); };
    globals_.server = server_.address();
  }

  Session session() {
    auto opened = Session::open(globals_);
    EXPECT_TRUE(opened);
    return *std::move(opened);
  }

  ScriptedServer server_;
  GlobalOptions globals_;
  BenchPlan plan_{.players = 3, .connections = 2, .view_distance = 1, .runs = 2};
};

TEST_F(BenchPlayers, every_join_is_a_viewer_of_its_own_who_gets_all_in_view) {
  const auto report = bench_join(globals_, session(), plan_);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(figure(*report, "joins"), 6);
  EXPECT_EQ(figure(*report, "chunks"), 6 * kInView);
  EXPECT_EQ(figure(*report, "in_vain_chunks"), 0);
  EXPECT_GT(figure(*report, "first_p50_ms"), 0);
  EXPECT_LE(figure(*report, "first_p99_ms"), figure(*report, "full_p99_ms"));
}

TEST_F(BenchPlayers, what_a_teleport_leaves_behind_is_counted_as_stale) {
  const auto report = bench_teleport(globals_, session(), plan_);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(figure(*report, "jumps"), 12);
  EXPECT_EQ(figure(*report, "stale_p50_chunks"), 1);
  EXPECT_EQ(figure(*report, "stale_max_chunks"), 1);
  EXPECT_GT(figure(*report, "stale_max_bytes"), 0);
  EXPECT_EQ(figure(*report, "in_vain_chunks"), 12);
}

TEST_F(BenchPlayers, a_chunk_that_cannot_be_had_ends_the_bench_and_is_named) {
  server_.explore = [](grpc::ServerContext&, Stream& stream) {
    stream.Write(testing::welcome());
    const auto hello = testing::read(stream, v1::ExploreRequest::kHello);
    const ChunkCoord at = chunk_at(hello->hello().move());
    v1::ExploreResponse response;
    v1::ChunkFailure& failure = *response.add_failures();
    failure.mutable_coord()->set_x(at.x);
    failure.mutable_coord()->set_y(at.y);
    failure.set_code(static_cast<std::int32_t>(grpc::StatusCode::INTERNAL));
    failure.set_message("the generator failed");
    stream.Write(response);
    return testing::listen(stream);
  };
  plan_.players = plan_.connections = 1;
  const auto report = bench_join(globals_, session(), plan_);
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().message.find("the generator failed"), std::string::npos)
      << report.error().message;
  EXPECT_EQ(report.error().message.find("chunk "), 0u) << report.error().message;
}

TEST_F(BenchPlayers, a_server_that_sends_nothing_is_not_waited_for_for_ever) {
  server_.explore = [](grpc::ServerContext&, Stream& stream) {
    stream.Write(testing::welcome());
    return testing::listen(stream);
  };
  const Session opened = session();
  globals_.timeout_s = 1;
  const auto report = bench_join(globals_, opened, plan_);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kDeadlineExceeded);
  EXPECT_NE(report.error().message.find("3 of 3 players"), std::string::npos)
      << report.error().message;
}

}  // namespace
}  // namespace terrane::cli
