// C++ Explorers that make their land themselves and have a real server judge it.
#include <terrane/web_socket.h>

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core_explorer.h"
#include "e2e/running_server.h"
#include "support/http_connection.h"
#include "support/time_scale.h"
#include "world_handle.h"

namespace terrane::e2e {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr const char* kLand = "continents";

std::string body_of(const RunningServer& server, const std::string& path) {
  return test::Connection(server.process.http_address())
      .ask(test::get(path))
      .value_or(test::Answer())
      .body;
}

/// A number of the server's metrics.
double metric(const RunningServer& server, const std::string& line) {
  const std::string page = body_of(server, "/metrics");
  const std::size_t at = page.find("\n" + line + " ");
  return at == std::string::npos ? -1 : std::stod(page.substr(at + line.size() + 2));
}

LocalLand land_of(const RunningServer& server, const std::string& world) {
  const std::string bytes = body_of(server, "/v1/worlds/" + world + "/file");
  const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
  return {.world_file = {first, first + bytes.size()}, .threads = 2};
}

WebSocketOptions at(const RunningServer& server) {
  return {.urls = {"ws://" + server.process.http_address()}};
}

ExploreOptions sees(std::vector<int> distances) {
  return {.world = {.name = kLand, .seed = kSeed}, .view_distances = std::move(distances)};
}

/// One whose generator has gone wrong, and does not know it: a hill that the server does not have.
Explorer wrong_near(const RunningServer& server, std::int64_t x, ExploreOptions options) {
  const auto opened = connection::open_world(land_of(server, kLand), options).value();
  worldgen::World wrong = *opened->generated;
  worldgen::Stamp hill;
  hill.from = hill.to = {x, 32};
  hill.radius = 20;
  hill.falloff = 8;
  hill.raise_q4 = 40;
  wrong.stamps = worldgen::Stamps({hill}, wrong.ranges.height_q4);
  EXPECT_TRUE(worldgen::build_biome_tables(wrong));
  auto servers =
      connection::check_servers(at(server).urls.front(), "", nullptr, false, 10s).value();
  return connection::make_explorer(std::make_unique<terrane_explorer>(
                                       std::in_place_type<core::JudgedViewer>,
                                       std::make_shared<const worldgen::World>(std::move(wrong)),
                                       std::move(options), connection::now),
                                   2, std::move(servers))
      .value();
}

/// A game, and what it knows of the land.
class Game {
 public:
  explicit Game(Explorer made) : explorer(std::move(made)) {}

  void frame(double x) {
    EXPECT_TRUE(explorer.move({.x = x, .y = 32}));
    ExploreNews news = explorer.poll();
    for (const Tile& tile : news.out_of_range) at_hand.erase(tile);
    for (ArrivedChunk& arrived : news.arrived)
      at_hand.insert_or_assign(arrived.tile, std::move(arrived.chunk));
    if (news.differs) differs = news.differs;
    state = news.state;
    error = std::move(news.error);
    explorer.wait(10ms);
  }

  /// Whether all at hand is the server's.
  [[nodiscard]] bool is_right(RunningServer& server) const {
    for (const auto& [tile, chunk] : at_hand) {
      v1::GetChunkRequest request = chunk_request(tile.coord, tile.lod);
      *request.mutable_world() = world_ref(kLand);
      if (decoded(server.client.chunk(request), tile.coord) != *chunk) return false;
      EXPECT_EQ(*explorer.chunk(tile), *chunk);
    }
    return true;
  }

  Explorer explorer;
  std::map<Tile, std::shared_ptr<const Chunk>> at_hand;
  std::optional<Tile> differs;
  std::optional<Error> error;
  ExploreState state = ExploreState::kConnecting;
};

TEST(explorer_judged, land_that_is_right_costs_the_server_no_chunk) {
  const TempDirectory data;
  RunningServer server(data);
  {
    Game game(connect_explorer(at(server), land_of(server, kLand), sees({4, 2})).value());
    const auto start = Clock::now();
    double x = 20;
    while (metric(server, "terrane_judged_chunks_total{result=\"same\"}") < 3) {
      ASSERT_LT(Clock::now() - start, 60s);
      game.frame(x += 2);
    }
    EXPECT_EQ(metric(server, "terrane_sent_chunks_total{clients=\"strangers\"}"), 0);
    EXPECT_EQ(game.state, ExploreState::kStreaming);
    EXPECT_FALSE(game.differs);
    EXPECT_GE(game.at_hand.size(), 40u);
    EXPECT_TRUE(game.is_right(server));
    const ExploreStats stats = game.explorer.stats();
    EXPECT_GE(stats.chunks, game.at_hand.size());
    EXPECT_EQ(stats.bytes, 0u);
    EXPECT_GT(stats.first.count(), 0);
  }
  EXPECT_EQ(metric(server, "terrane_judged_chunks_total{result=\"other\"}"), 0);
  server.stop_cleanly();
}

TEST(explorer_judged, land_that_is_wrong_is_noticed_within_a_second_and_healed) {
  const TempDirectory data;
  RunningServer server(data);
  {
    Game game(wrong_near(server, 416, sees({4})));
    const auto start = Clock::now();
    double x = 20;
    for (; x < 384; x += 1.5) game.frame(x);
    const auto reached = Clock::now();
    while (!game.differs) {
      ASSERT_LT(Clock::now() - start, 60s);
      game.frame(x);
    }
    EXPECT_EQ(*game.differs, (Tile{0, {6, 0}}));
    EXPECT_LT(Clock::now() - reached, 1s * time_scale());
    while (!game.is_right(server)) {
      ASSERT_LT(Clock::now() - start, 60s) << "it is healed by streaming";
      game.frame(x);
    }
    EXPECT_GE(game.at_hand.size(), 40u);
    EXPECT_GT(game.explorer.stats().bytes, 0u);
  }
  EXPECT_EQ(metric(server, "terrane_judged_chunks_total{result=\"other\"}"), 1);
  server.stop_cleanly();
}

TEST(explorer_judged, a_server_with_another_world_of_that_name_ends_it) {
  const TempDirectory data;
  RunningServer server(data);
  Game game(connect_explorer(at(server), land_of(server, "perlin"), sees({4})).value());
  const auto start = Clock::now();
  while (game.state != ExploreState::kEnded) {
    ASSERT_LT(Clock::now() - start, 60s);
    game.frame(20);
  }
  EXPECT_EQ(game.error->code, ErrorCode::kFailedPrecondition) << game.error->message;
  EXPECT_FALSE(game.differs);
  server.stop_cleanly();
}

}  // namespace
}  // namespace terrane::e2e
