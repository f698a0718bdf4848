// What the SDK's calls and many Explorers do when servers come, go and grow old.
#include <terrane/client.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <optional>
#include <thread>
#include <vector>

#include "e2e/explore_client.h"
#include "e2e/running_server.h"

namespace terrane::e2e {
namespace {

using namespace std::chrono_literals;

ExploreOptions looks_as_far_as(std::vector<int> distances) {
  return {.world = {kWorld, kSeed, {}}, .view_distances = std::move(distances)};
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

TEST(explore_sdk, when_one_of_two_servers_is_killed_a_stream_of_chunks_goes_on_at_the_other) {
  const TempDirectory data, other_data;
  std::optional<RunningServer> server(std::in_place, data);
  RunningServer other(other_data);
  const auto client = terrane::Client::connect(
      {.address = server->process.address() + "," + other.process.address()});
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
  server.reset();  // killed: not a word to its clients
  while (take_chunk()) {
  }
  EXPECT_EQ(chunks.size(), 1024u);
  EXPECT_EQ(std::set(chunks.begin(), chunks.end()).size(), 1024u) << "none lost, none twice";
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
    players.push_back(client->explore(looks_as_far_as({2})).value());
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
