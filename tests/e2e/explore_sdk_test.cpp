// The SDK's Explorer against the real server, behind networks that are slow or break.
#include <terrane/client.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <thread>
#include <vector>

#include "e2e/explore_client.h"
#include "e2e/running_server.h"
#include "support/simulated_link.h"

namespace terrane::e2e {
namespace {

using namespace std::chrono_literals;
using test::plain_link;
using test::SimulatedLink;

/// A game: an Explorer, and what it has told.
class Game {
 public:
  Game(const std::string& address, ExploreOptions options)
      : client_(terrane::Client::connect({.address = address}).value()),
        explorer_(client_.explore(std::move(options)).value()) {}

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
  terrane::Client client_;
  Explorer explorer_;
  std::set<Tile> seen_;
  bool world_changed_ = false;
  ExploreState state_ = ExploreState::kConnecting;
};

ExploreOptions sees(std::vector<int> distances) {
  return {.world = {kWorld, kSeed, {}}, .view_distances = std::move(distances)};
}

TEST(explore_sdk, a_game_sees_the_chunks_that_the_server_has) {
  const TempDirectory data;
  RunningServer server(data);
  Game game(server.process.address(), sees({3, 3}));
  game.move(1000, -500);
  const std::set<Tile> view = tiles_in_view({3, 3}, 1000, -500);
  ASSERT_TRUE(game.play_until_seen(view));
  EXPECT_EQ(game.seen(), view);
  for (const Tile& tile : view) {
    const auto chunk = game.explorer().chunk(tile);
    ASSERT_TRUE(chunk);
    EXPECT_EQ(chunk->coord, tile.coord);
    EXPECT_EQ(chunk->lod, tile.lod);
    EXPECT_TRUE(chunk->height_q4 ==
                decoded(server.client.chunk(tile_request(tile)), tile.coord).height_q4);
  }
}

TEST(explore_sdk, after_a_cut_nothing_is_missing_and_nothing_is_sent_twice) {
  const TempDirectory data;
  RunningServer server(data);
  SimulatedLink link(server.process.address(), plain_link(10e6, 20ms));
  Game game(link.address(), sees({10}));
  game.move(0, 0);
  const std::set<Tile> view = tiles_in_view({10}, 0, 0);
  for (std::size_t cuts = 1; cuts <= 3; ++cuts) {
    ASSERT_TRUE(game.play_until([&] { return game.seen().size() >= cuts * view.size() / 4; }));
    link.cut();
    ASSERT_TRUE(game.play_until([&] { return game.explorer().stats().reconnects >= cuts; }));
  }
  ASSERT_TRUE(game.play_until_seen(view));
  EXPECT_EQ(game.seen(), view);
  EXPECT_EQ(game.explorer().stats().repeated, 0u);
}

TEST(explore_sdk, a_restarted_server_is_found_again_and_sends_the_rest) {
  const TempDirectory data;
  std::optional<RunningServer> server(std::in_place, data);
  const std::string address = server->process.address();
  Game game(address, sees({6}));
  game.move(0, 0);
  ASSERT_TRUE(game.play_until_seen(tiles_in_view({6}, 0, 0)));
  server->stop_cleanly();
  game.move(640, 0);
  game.take_news();
  server.emplace(data, std::vector<std::string>{"--listen", address});
  ASSERT_TRUE(game.play_until_seen(tiles_in_view({6}, 640, 0)));
  EXPECT_EQ(game.explorer().stats().repeated, 0u);
  server->stop_cleanly();
}

TEST(explore_sdk, a_game_flies_on_over_connections_that_grow_old) {
  const TempDirectory data;
  RunningServer server(data, {"--connection-age", "1", "--connection-age-grace", "1"});
  Game game(server.process.address(), sees({6}));
  double x = 0;
  while (game.explorer().stats().reconnects == 0) {
    game.move(x, 0);
    ASSERT_TRUE(game.play_until_seen(tiles_in_view({6}, x, 0)));
    x += 64;
    game.explorer().wait(50ms);
  }
  EXPECT_EQ(game.explorer().stats().repeated, 0u);
  server.stop_cleanly();
}

/// The server is a process of its own: one in the client's would work for the client's gRPC, too.
TEST(explore_sdk, a_call_that_waits_for_a_server_is_answered_soon_after_it_is_there) {
  const TempDirectory data;
  std::optional<RunningServer> server(std::in_place, data);
  const std::string address = server->process.address();
  const auto client =
      terrane::Client::connect({.address = address, .deadline = 60s, .max_attempts = 1000}).value();
  std::vector<std::chrono::steady_clock::duration> waited(3);
  for (auto& time : waited) {
    server->stop_cleanly();
    auto answer = std::async([&] { return client.chunk({kWorld, kSeed, {}}, {0, 0}); });
    ASSERT_EQ(answer.wait_for(1s), std::future_status::timeout) << "nobody listens";
    server.emplace(data, std::vector<std::string>{"--listen", address});
    const auto there = std::chrono::steady_clock::now();
    EXPECT_TRUE(answer.get());
    time = std::chrono::steady_clock::now() - there;
  }
  std::ranges::sort(waited);
  EXPECT_LT(waited[1], 4s) << "pauses of up to two seconds; gRPC itself looks every 5 s";
  server->stop_cleanly();
}

TEST(explore_sdk, calls_find_another_connection_when_one_is_old_or_was_idle) {
  const TempDirectory data;
  RunningServer server(
      data, {"--connection-age", "1", "--connection-age-grace", "1", "--idle-timeout", "1"});
  const auto client = terrane::Client::connect({.address = server.process.address()}).value();
  const auto expect_chunk = [&](std::int64_t x) {
    const auto chunk = client.chunk({kWorld, kSeed, {}}, {x, 0});
    EXPECT_TRUE(chunk) << chunk.error().message;
  };
  const auto start = std::chrono::steady_clock::now();
  std::int64_t x = 0;
  while (std::chrono::steady_clock::now() - start < 2500ms) expect_chunk(++x % 100);
  std::this_thread::sleep_for(1200ms);  // nobody can see from outside that it was closed
  expect_chunk(0);
  server.stop_cleanly();
}

TEST(explore_sdk, a_game_that_does_not_poll_makes_the_server_wait_and_loses_nothing) {
  const TempDirectory data;
  RunningServer server(data);
  ExploreOptions options = sees({20});
  options.max_waiting = 32;
  Game game(server.process.address(), options);
  game.move(0, 0);
  ASSERT_TRUE(game.play_until([&] { return !game.seen().empty(); }));
  while (game.explorer().stats().waiting < 32) game.explorer().wait(100ms);
  // takes longer than the first needs to flood us
  ExploreClient neighbour(server.client, hello({20}, 0, 0));
  ASSERT_TRUE(neighbour.read_view({20}, 0, 0));
  EXPECT_LT(game.explorer().stats().chunks, 32u + 256 * 1024 / 1000 + game.seen().size())
      << "a window's worth more, at most";
  ASSERT_TRUE(game.play_until_seen(tiles_in_view({20}, 0, 0)));
}

TEST(explore_sdk, a_game_that_stands_still_for_longer_than_the_server_waits_goes_on) {
  const TempDirectory data;
  RunningServer server(data, {"--slow-client", "2"});
  ExploreOptions options = sees({10});
  options.max_waiting = 8;
  Game game(server.process.address(), options);
  game.move(0, 0);
  ASSERT_TRUE(game.play_until([&] { return !game.seen().empty(); }));
  std::this_thread::sleep_for(6s);  // a frame that takes three times as long as the server waits
  game.move(3000, 0);
  const std::set<Tile> view = tiles_in_view({10}, 3000, 0);
  ASSERT_TRUE(game.play_until_seen(view));
  ASSERT_TRUE(game.play_until([&] { return game.seen() == view; })) << "the land of before is gone";
  EXPECT_EQ(game.state(), ExploreState::kStreaming);
  EXPECT_EQ(game.explorer().stats().repeated, 0u);
}

TEST(explore_sdk, when_one_of_two_servers_is_killed_streams_go_on_at_the_other) {
  const TempDirectory data, other_data;
  std::optional<RunningServer> server(std::in_place, data);
  RunningServer other(other_data);
  const std::string addresses = server->process.address() + "," + other.process.address();
  Game game(addresses, sees({16}));
  game.move(0, 0);
  const auto client = terrane::Client::connect({.address = addresses});
  ASSERT_TRUE(client) << client.error().message;
  auto stream = client->chunks(
      {.world = {kWorld, kSeed, {}}, .area = ChunkRectangle{{100, 100}, {131, 131}}});
  std::multiset<ChunkCoord> chunks;
  const auto take_chunk = [&] {
    const auto item = stream.next();
    EXPECT_TRUE(item) << item.error().message;
    if (!item || !*item) return false;
    EXPECT_TRUE(**item);
    if (**item) chunks.insert((***item).coord);
    return true;
  };
  while (chunks.size() < 50) ASSERT_TRUE(take_chunk());
  ASSERT_TRUE(game.play_until([&] { return game.seen().size() >= 50; }));
  server.reset();  // killed: not a word to its clients
  while (take_chunk()) {
  }
  EXPECT_EQ(chunks.size(), 1024u);
  EXPECT_EQ(std::set(chunks.begin(), chunks.end()).size(), 1024u) << "none lost, none twice";
  const std::set<Tile> view = tiles_in_view({16}, 0, 0);
  ASSERT_TRUE(game.play_until_seen(view));
  EXPECT_EQ(game.seen(), view);
  EXPECT_EQ(game.explorer().stats().reconnects, 1u);
  EXPECT_EQ(game.explorer().stats().repeated, 0u);
}

TEST(explore_sdk, a_game_on_a_far_slow_link_gets_its_surroundings_and_then_the_rest) {
  const TempDirectory data;
  RunningServer server(data);
  SimulatedLink link(server.process.address(), plain_link(4e6, 200ms));
  Game game(link.address(), sees({6}));
  for (const double x : {0.0, 64'000.0}) {
    game.move(x, 0);
    ASSERT_TRUE(game.play_until([&] { return game.seen().contains(tile_at(x, 0)); }));
    ASSERT_TRUE(game.play_until_seen(tiles_in_view({6}, x, 0)));
  }
}

TEST(explore_sdk, a_game_server_holds_hundreds_of_viewers_on_one_connection) {
  constexpr int kPlayers = 200;
  const TempDirectory data;
  RunningServer server(data);
  const auto client = terrane::Client::connect({.address = server.process.address()});
  ASSERT_TRUE(client);
  std::vector<Explorer> players;
  const auto place = [](int player) { return Pose{.x = player * 100.0, .y = player * 37.0}; };
  for (int i = 0; i < kPlayers; ++i) {
    players.push_back(client->explore(sees({2})).value());
    ASSERT_TRUE(players.back().move(place(i)));
  }
  for (int i = 0; i < kPlayers; ++i) {
    Explorer& player = players[static_cast<std::size_t>(i)];
    std::set<Tile> missing = tiles_in_view({2}, place(i).x, place(i).y);
    const auto deadline = std::chrono::steady_clock::now() + 2min;
    while (!missing.empty() && std::chrono::steady_clock::now() < deadline) {
      player.wait(100ms);
      for (const ArrivedChunk& chunk : player.poll().arrived) missing.erase(chunk.tile);
    }
    ASSERT_TRUE(missing.empty()) << "player " << i;
  }
  players.clear();
  server.stop_cleanly();
}

}  // namespace
}  // namespace terrane::e2e
