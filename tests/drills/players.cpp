// players SERVER PLAYERS [WORLD [SERVER...]]: walks with many explorers over the land, and makes
// calls besides, until it is told to stop (SIGTERM). Says "walking" once every player has ground
// underfoot, and at the end in one line of JSON what the players met. TLS and tokens:
// TERRANE_TLS_CA and TERRANE_TOKEN, as `terrane` has them. Servers after the world: each viewer
// must have had land of one of them alone; without any, all viewers of the same.
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "terrane/client.h"
#include "walked_land.h"
#include "walking_player.h"

namespace terrane::drills {
namespace {

using Clock = Player::Clock;

constexpr std::size_t kPerClient = 20;  // players that share a connection

std::atomic<bool> stopped = false;

struct Arguments {
  std::string server;
  int players = 0;
  WorldRef world{.name = "classic", .seed = 7};
  std::vector<std::string> truths{};
};

Client connect_to(const std::string& server) {
  ClientOptions options{.address = server, .deadline = std::chrono::seconds(60)};
  if (const char* ca = std::getenv("TERRANE_TLS_CA")) options.tls = TlsOptions{.ca_file = ca};
  if (const char* token = std::getenv("TERRANE_TOKEN"))
    options.token = [text = std::string(token)] { return Token{text}; };
  auto client = Client::connect(std::move(options));
  if (client) return *std::move(client);
  std::fprintf(stderr, "players: %s\n", client.error().message.c_str());
  std::exit(EXIT_FAILURE);
}

/// Single chunks, one after the other.
struct Calls {
  std::size_t made = 0, failed = 0;
  double slowest = 0;  // seconds

  void run(const Arguments& arguments) {
    const Client client = connect_to(arguments.server);
    while (!stopped) {
      const auto start = Clock::now();
      const auto place = static_cast<std::int64_t>(made++);
      const auto chunk = client.chunk(arguments.world, {place * 16, -place});
      slowest = std::max(slowest, std::chrono::duration<double>(Clock::now() - start).count());
      if (!chunk && ++failed == 1)
        std::fprintf(stderr, "players: a call failed: %s\n", chunk.error().message.c_str());
      std::this_thread::sleep_for(std::chrono::milliseconds(10));  // a few calls, not a load
    }
  }
};

/// Until it is told to stop.
void walk(std::vector<Player>& players) {
  bool all_stand = false;
  while (!stopped) {
    const auto now = Clock::now();
    for (Player& player : players) player.go(now);
    if (!all_stand && std::ranges::all_of(players, &Player::has_stood)) {
      all_stand = true;
      std::puts("walking");
      std::fflush(stdout);
    }
    std::this_thread::sleep_until(now + std::chrono::milliseconds(20));
  }
}

void print(const Report& report, const Calls& calls, std::size_t mixed) {
  std::printf(
      "{\"longest_blind_s\": %.3f, \"longest_pause_s\": %.3f, \"blind\": %zu, \"twice\": %zu, "
      "\"wrong\": %zu, \"failed\": %zu, \"ended\": %zu, \"new_worlds\": %zu, \"viewers\": %zu, "
      "\"mixed\": %zu, \"chunks\": %zu, \"reconnects\": %zu, \"calls\": %zu, \"failed_calls\": "
      "%zu, \"slowest_call_s\": %.3f}\n",
      report.longest_blind, report.longest_pause, report.blind, report.twice, report.wrong,
      report.failed, report.ended, report.new_worlds, report.walked.size(), mixed, report.chunks,
      report.reconnects, calls.made, calls.failed, calls.slowest);
}

int run(const Arguments& arguments) {
  signal(SIGTERM, [](int) { stopped = true; });
  const auto worlds = connect_to(arguments.server).worlds();
  if (!worlds) return EXIT_FAILURE;
  const auto world = std::ranges::find(*worlds, arguments.world.name, &World::name);
  if (world == worlds->end()) return EXIT_FAILURE;
  const auto count = static_cast<std::size_t>(arguments.players);
  std::vector<Client> clients;
  std::vector<Player> players;
  clients.reserve(count);
  players.reserve(count);
  Truth truth;
  Report report;
  for (int i = 0; i < arguments.players; ++i) {
    if (players.size() % kPerClient == 0) clients.push_back(connect_to(arguments.server));
    players.emplace_back(clients.back(), arguments.world, i, world->chunk_size,
                         arguments.truths.empty() ? &truth : nullptr, report);
  }
  Calls calls;
  std::thread caller([&] { calls.run(arguments); });
  walk(players);
  caller.join();
  for (Player& player : players) player.finish(Clock::now());
  const auto mixed = arguments.truths.empty()
                         ? Result<std::size_t>(0)
                         : count_mixed(report.walked, arguments.world, arguments.truths);
  if (!mixed) std::fprintf(stderr, "players: %s\n", mixed.error().message.c_str());
  if (!mixed) return EXIT_FAILURE;
  print(report, calls, *mixed);
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace terrane::drills

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: players SERVER PLAYERS [WORLD [SERVER...]]\n", stderr);
    return EXIT_FAILURE;
  }
  terrane::drills::Arguments arguments{.server = argv[1], .players = std::atoi(argv[2])};
  if (argc > 3) arguments.world.name = argv[3];
  for (int i = 4; i < argc; ++i) arguments.truths.emplace_back(argv[i]);
  return terrane::drills::run(arguments);
}
