// Explorers against the real server, behind networks that are slow or break: the same games
// whatever carries their bytes.
#include <terrane/client.h>
#include <terrane/web_socket.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "codec/chunk_codec.h"
#include "e2e/explore_client.h"
#include "e2e/running_server.h"
#include "support/simulated_link.h"

namespace terrane::e2e {
namespace {

using namespace std::chrono_literals;
using test::plain_link;
using test::SimulatedLink;

enum class Carrier : std::uint8_t { kGrpc, kWebSocket };

/// An Explorer of servers at these addresses: of their gRPC ports, or of their HTTP ports.
Explorer make_explorer(Carrier carrier, const std::vector<std::string>& addresses,
                       ExploreOptions options) {
  if (carrier == Carrier::kGrpc) {
    std::string list;
    for (const std::string& address : addresses) list += (list.empty() ? "" : ",") + address;
    return terrane::Client::connect({.address = list})->explore(std::move(options)).value();
  }
  WebSocketOptions servers{.urls = {}};
  for (const std::string& address : addresses) servers.urls.push_back("ws://" + address);
  return connect_explorer(servers, std::move(options)).value();
}

/// A game: an Explorer, and what it has told.
class Game {
 public:
  explicit Game(Explorer explorer) : explorer_(std::move(explorer)) {}

  void move(double x, double y) {
    const auto moved = explorer_.move({.x = x, .y = y});
    EXPECT_TRUE(moved) << moved.error().message;
  }

  /// Polls until it is so, two minutes at most. @return whether it is
  bool play_until(const std::function<bool()>& done) {
    const auto deadline = std::chrono::steady_clock::now() + 2min;
    while (!done()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      explorer_.wait(100ms);
      take_news();
    }
    return true;
  }

  void take_news() {
    ExploreNews news = explorer_.poll();
    for (const ArrivedChunk& chunk : news.arrived) {
      EXPECT_TRUE(seen_.insert(chunk.tile).second)
          << "announced twice: lod " << int{chunk.tile.lod};
    }
    for (const Tile& tile : news.out_of_range) seen_.erase(tile);
    for (const FailedChunk& failed : news.failed) ADD_FAILURE() << failed.error.message;
    world_changed_ = world_changed_ || news.world_changed;
    state_ = news.state;
  }

  bool play_until_seen(const std::set<Tile>& tiles) {
    return play_until(
        [&] { return std::includes(seen_.begin(), seen_.end(), tiles.begin(), tiles.end()); });
  }

  [[nodiscard]] const std::set<Tile>& seen() const { return seen_; }
  [[nodiscard]] ExploreState state() const { return state_; }
  Explorer& explorer() { return explorer_; }

 private:
  Explorer explorer_;
  std::set<Tile> seen_;
  bool world_changed_ = false;
  ExploreState state_ = ExploreState::kConnecting;
};

ExploreOptions sees(std::vector<int> distances) {
  return {.world = {kWorld, kSeed, {}}, .view_distances = std::move(distances)};
}

class explore_games : public testing::TestWithParam<Carrier> {
 protected:
  /// Where a server is for the carrier, and the flag that says it.
  static std::string address_of(const RunningServer& server) {
    return GetParam() == Carrier::kGrpc ? server.process.address() : server.process.http_address();
  }
  static const char* flag() { return GetParam() == Carrier::kGrpc ? "--listen" : "--http"; }
  static Game game(const std::vector<std::string>& addresses, ExploreOptions options) {
    return Game(make_explorer(GetParam(), addresses, std::move(options)));
  }
};

TEST_P(explore_games, a_game_sees_the_chunks_that_the_server_has) {
  const TempDirectory data;
  RunningServer server(data);
  Game player = game({address_of(server)}, sees({3, 3}));
  player.move(1000, -500);
  const std::set<Tile> view = tiles_in_view({3, 3}, 1000, -500);
  ASSERT_TRUE(player.play_until_seen(view));
  EXPECT_EQ(player.seen(), view);
  for (const Tile& tile : view) {
    const auto chunk = player.explorer().chunk(tile);
    ASSERT_TRUE(chunk);
    EXPECT_EQ(chunk->coord, tile.coord);
    EXPECT_EQ(chunk->lod, tile.lod);
    EXPECT_TRUE(chunk->height_q4 ==
                decoded(server.client.chunk(tile_request(tile)), tile.coord).height_q4);
  }
}

TEST_P(explore_games, after_a_cut_nothing_is_missing_and_nothing_is_sent_twice) {
  const TempDirectory data;
  RunningServer server(data);
  SimulatedLink link(address_of(server), plain_link(10e6, 20ms));
  Game player = game({link.address()}, sees({10}));
  player.move(0, 0);
  const std::set<Tile> view = tiles_in_view({10}, 0, 0);
  for (std::size_t cuts = 1; cuts <= 3; ++cuts) {
    ASSERT_TRUE(player.play_until([&] { return player.seen().size() >= cuts * view.size() / 4; }));
    link.cut();
    ASSERT_TRUE(player.play_until([&] { return player.explorer().stats().reconnects >= cuts; }));
  }
  ASSERT_TRUE(player.play_until_seen(view));
  EXPECT_EQ(player.seen(), view);
  EXPECT_EQ(player.explorer().stats().repeated, 0u);
}

TEST_P(explore_games, a_restarted_server_is_found_again_and_sends_the_rest) {
  const TempDirectory data;
  std::optional<RunningServer> server(std::in_place, data);
  const std::string address = address_of(*server);
  Game player = game({address}, sees({6}));
  player.move(0, 0);
  ASSERT_TRUE(player.play_until_seen(tiles_in_view({6}, 0, 0)));
  server->stop_cleanly();
  player.move(640, 0);
  player.take_news();
  server.emplace(data, std::vector<std::string>{flag(), address});
  ASSERT_TRUE(player.play_until_seen(tiles_in_view({6}, 640, 0)));
  EXPECT_EQ(player.explorer().stats().repeated, 0u);
  server->stop_cleanly();
}

TEST_P(explore_games, a_game_that_does_not_poll_makes_the_server_wait_and_loses_nothing) {
  const TempDirectory data;
  RunningServer server(data);
  ExploreOptions options = sees({20});
  options.max_waiting = 32;
  Game player = game({address_of(server)}, options);
  player.move(0, 0);
  ASSERT_TRUE(player.play_until([&] { return !player.seen().empty(); }));
  while (player.explorer().stats().waiting < 32) player.explorer().wait(100ms);
  // takes longer than the first needs to flood us
  ExploreClient neighbour(server.client, hello({20}, 0, 0));
  ASSERT_TRUE(neighbour.read_view({20}, 0, 0));
  EXPECT_LT(player.explorer().stats().chunks, 32u + 256 * 1024 / 1000 + player.seen().size())
      << "a window's worth more, at most";
  ASSERT_TRUE(player.play_until_seen(tiles_in_view({20}, 0, 0)));
}

TEST_P(explore_games, a_game_that_stands_still_for_longer_than_the_server_waits_goes_on) {
  const TempDirectory data;
  RunningServer server(data, {"--slow-client", "2"});
  ExploreOptions options = sees({10});
  options.max_waiting = 8;
  Game player = game({address_of(server)}, options);
  player.move(0, 0);
  ASSERT_TRUE(player.play_until([&] { return !player.seen().empty(); }));
  std::this_thread::sleep_for(6s);  // a frame that takes three times as long as the server waits
  player.move(3000, 0);
  const std::set<Tile> view = tiles_in_view({10}, 3000, 0);
  ASSERT_TRUE(player.play_until_seen(view));
  ASSERT_TRUE(player.play_until([&] { return player.seen() == view; }))
      << "the land of before is gone";
  EXPECT_EQ(player.state(), ExploreState::kStreaming);
  EXPECT_EQ(player.explorer().stats().repeated, 0u);
}

TEST_P(explore_games, a_game_on_a_far_slow_link_gets_its_surroundings_and_then_the_rest) {
  const TempDirectory data;
  RunningServer server(data);
  SimulatedLink link(address_of(server), plain_link(4e6, 200ms));
  Game player = game({link.address()}, sees({6}));
  for (const double x : {0.0, 64'000.0}) {
    player.move(x, 0);
    ASSERT_TRUE(player.play_until([&] { return player.seen().contains(tile_at(x, 0)); }));
    ASSERT_TRUE(player.play_until_seen(tiles_in_view({6}, x, 0)));
  }
}

TEST_P(explore_games, when_one_of_two_servers_is_killed_a_game_goes_on_at_the_other) {
  const TempDirectory data, other_data;
  std::optional<RunningServer> server(std::in_place, data);
  RunningServer other(other_data);
  Game player = game({address_of(*server), address_of(other)}, sees({16}));
  player.move(0, 0);
  ASSERT_TRUE(player.play_until([&] { return player.seen().size() >= 50; }));
  server.reset();  // killed: not a word to its clients
  const std::set<Tile> view = tiles_in_view({16}, 0, 0);
  ASSERT_TRUE(player.play_until_seen(view));
  EXPECT_EQ(player.seen(), view);
  EXPECT_EQ(player.explorer().stats().reconnects, 1u);
  EXPECT_EQ(player.explorer().stats().repeated, 0u);
}

TEST_P(explore_games, a_game_that_wants_bytes_gets_those_that_decode_to_the_chunks) {
  const TempDirectory data;
  RunningServer server(data);
  const std::set<Tile> view = tiles_in_view({3}, 0, 0);
  for (const bool both : {false, true}) {
    ExploreOptions options = sees({3});
    options.decode = both;
    options.with_encoded = both;
    Explorer explorer = make_explorer(GetParam(), {address_of(server)}, options);
    ASSERT_TRUE(explorer.move({}));
    std::size_t arrived = 0;
    while (arrived < view.size()) {
      ASSERT_TRUE(explorer.wait(60s));
      for (const ArrivedChunk& chunk : explorer.poll().arrived) {
        ++arrived;
        ASSERT_TRUE(chunk.encoded);
        const auto decoded_here = codec::decode(*chunk.encoded, chunk.tile.coord);
        ASSERT_TRUE(decoded_here);
        EXPECT_TRUE(
            decoded_here->height_q4 ==
            decoded(server.client.chunk(tile_request(chunk.tile)), chunk.tile.coord).height_q4);
        ASSERT_EQ(chunk.chunk != nullptr, both);
        if (both) {
          EXPECT_TRUE(chunk.chunk->height_q4 == decoded_here->height_q4);
        }
      }
    }
  }
}

/// WebSockets do not grow old.
TEST(explore_games_grpc, a_game_flies_on_over_connections_that_grow_old) {
  const TempDirectory data;
  RunningServer server(data, {"--connection-age", "1", "--connection-age-grace", "1"});
  Game player(make_explorer(Carrier::kGrpc, {server.process.address()}, sees({6})));
  double x = 0;
  while (player.explorer().stats().reconnects == 0) {
    player.move(x, 0);
    ASSERT_TRUE(player.play_until_seen(tiles_in_view({6}, x, 0)));
    x += 64;
    player.explorer().wait(50ms);
  }
  EXPECT_EQ(player.explorer().stats().repeated, 0u);
  server.stop_cleanly();
}

INSTANTIATE_TEST_SUITE_P(over, explore_games, testing::Values(Carrier::kGrpc, Carrier::kWebSocket),
                         [](const auto& carrier) {
                           return carrier.param == Carrier::kGrpc ? "grpc" : "web_socket";
                         });

}  // namespace
}  // namespace terrane::e2e
