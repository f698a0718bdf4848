// players SERVER PLAYERS: walks with many explorers over the land, and makes calls besides, until
// it is told to stop (SIGTERM). Says "walking" once every player has ground underfoot, and at the
// end in one line of JSON what the players met. TLS: TERRANE_TLS_CA, as `terrane` has it.
#include <signal.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "terrane/client.h"

namespace terrane::drills {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr double kSpeed = 150;   // blocks a second: the view ahead lasts for a second and a half
constexpr double kApart = 3000;  // blocks between players
constexpr std::size_t kPerClient = 20;  // players that share a connection
const WorldRef kWorld{.name = "classic", .seed = 7};

std::atomic<bool> stopped = false;

Client connect_to(const std::string& server) {
  ClientOptions options{.address = server, .deadline = std::chrono::seconds(60)};
  if (const char* ca = std::getenv("TERRANE_TLS_CA")) options.tls = TlsOptions{.ca_file = ca};
  auto client = Client::connect(std::move(options));
  if (client) return *std::move(client);
  std::fprintf(stderr, "players: %s\n", client.error().message.c_str());
  std::exit(EXIT_FAILURE);
}

/// Bytes of chunks, as whoever got them first had them: every server must send the same.
class Truth {
 public:
  [[nodiscard]] bool agrees(const Tile& tile, const std::string& bytes) {
    const auto key = std::to_string(tile.coord.x) + "," + std::to_string(tile.coord.y);
    const auto hash = XXH3_64bits(bytes.data(), bytes.size());
    return hashes_.try_emplace(key, hash).first->second == hash;
  }

 private:
  std::unordered_map<std::string, std::uint64_t> hashes_;
};

/// What all players have met.
struct Report {
  double longest_blind = 0;  // seconds that a player had no ground underfoot, the worst
  double longest_pause = 0;  // seconds that a player's stream was gone, the worst
  std::size_t blind = 0;     // times that one had none for more than a tenth of a second
  std::size_t twice = 0, wrong = 0, failed = 0, ended = 0, chunks = 0, reconnects = 0;
};

class Player {
 public:
  Player(const Client& client, int number, int chunk_size)
      : explorer_(*client.explore({.world = kWorld, .view_distances = {4}, .decode = false})),
        start_{(number % 8) * kApart, (number / 8) * kApart},
        chunk_size_(chunk_size),
        // to all sides
        heading_(number * 2.4) {}

  void go(Clock::time_point now, Truth& truth, Report& report) {
    const double way = kSpeed * Seconds(now - began_).count();
    const double cos = std::cos(heading_), sin = std::sin(heading_);
    const Pose pose{.x = start_.first + way * cos,
                    .y = start_.second + way * sin,
                    .velocity_x = kSpeed * cos,
                    .velocity_y = kSpeed * sin};
    if (!explorer_.move(pose)) std::abort();
    take(explorer_.poll(), truth, report);
    const auto chunk = [this](double at) {
      return static_cast<std::int64_t>(std::floor(at / chunk_size_));
    };
    const bool stands = held_.contains({chunk(pose.x), chunk(pose.y)});
    if (stands && !is_blind_) return;
    if (!std::exchange(is_blind_, !stands)) since_ = now;
    if (stands && has_stood_) note(now, report);
    has_stood_ = has_stood_ || stands;
  }

  [[nodiscard]] bool has_stood() const { return has_stood_; }

  void finish(Clock::time_point now, Report& report) {
    if (is_blind_) note(now, report);
    report.reconnects += explorer_.stats().reconnects;
    report.twice += explorer_.stats().repeated;
  }

 private:
  using Place = std::pair<std::int64_t, std::int64_t>;

  void note(Clock::time_point now, Report& report) const {
    const double blind = Seconds(now - since_).count();
    report.longest_blind = std::max(report.longest_blind, blind);
    if (blind > 0.1) ++report.blind;
  }

  void take(const ExploreNews& news, Truth& truth, Report& report) {
    for (const Tile& tile : news.out_of_range) held_.erase({tile.coord.x, tile.coord.y});
    for (const ArrivedChunk& arrived : news.arrived) {
      ++report.chunks;
      if (!held_.insert({arrived.tile.coord.x, arrived.tile.coord.y}).second) ++report.twice;
      if (!truth.agrees(arrived.tile, *arrived.encoded)) ++report.wrong;
    }
    report.failed += news.failed.size();
    if (news.state != ExploreState::kStreaming) {
      if (!std::exchange(is_cut_, true)) cut_ = Clock::now();
    } else if (std::exchange(is_cut_, false) && has_stood_) {
      report.longest_pause = std::max(report.longest_pause, Seconds(Clock::now() - cut_).count());
    }
    if (news.state != ExploreState::kEnded || std::exchange(has_ended_, true)) return;
    ++report.ended;
    std::fprintf(stderr, "players: ended: %s\n", news.error ? news.error->message.c_str() : "");
  }

  Explorer explorer_;
  const std::pair<double, double> start_;
  const int chunk_size_;
  const double heading_;
  const Clock::time_point began_ = Clock::now();
  std::set<Place> held_;
  bool is_blind_ = false, has_stood_ = false, has_ended_ = false, is_cut_ = false;
  Clock::time_point since_, cut_;
};

/// Single chunks, one after the other.
struct Calls {
  std::size_t made = 0, failed = 0;
  double slowest = 0;  // seconds

  void run(const std::string& server) {
    const Client client = connect_to(server);
    while (!stopped) {
      const auto start = Clock::now();
      const auto place = static_cast<std::int64_t>(made++);
      const auto chunk = client.chunk(kWorld, {place * 16, -place});
      slowest = std::max(slowest, Seconds(Clock::now() - start).count());
      if (!chunk) {
        ++failed;
        std::fprintf(stderr, "players: a call failed: %s\n", chunk.error().message.c_str());
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));  // a few calls, not a load
    }
  }
};

int run(const std::string& server, int count) {
  signal(SIGTERM, [](int) { stopped = true; });
  std::vector<Client> clients;
  std::vector<Player> players;
  const auto worlds = connect_to(server).worlds();
  if (!worlds) return EXIT_FAILURE;
  const auto world = std::ranges::find(*worlds, kWorld.name, &World::name);
  players.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    if (players.size() % kPerClient == 0) clients.push_back(connect_to(server));
    players.emplace_back(clients.back(), i, world->chunk_size);
  }
  Calls calls;
  std::thread caller([&] { calls.run(server); });
  Truth truth;
  Report report;
  bool all_stand = false;
  while (!stopped) {
    const auto now = Clock::now();
    for (Player& player : players) player.go(now, truth, report);
    if (!all_stand && std::ranges::all_of(players, &Player::has_stood)) {
      all_stand = true;
      std::puts("walking");
      std::fflush(stdout);
    }
    std::this_thread::sleep_until(now + std::chrono::milliseconds(20));
  }
  caller.join();
  for (Player& player : players) player.finish(Clock::now(), report);
  std::printf(
      "{\"longest_blind_s\": %.3f, \"longest_pause_s\": %.3f, \"blind\": %zu, \"twice\": %zu, "
      "\"wrong\": %zu, \"failed\": "
      "%zu, "
      "\"ended\": %zu, \"chunks\": %zu, \"reconnects\": %zu, \"calls\": %zu, \"failed_calls\": "
      "%zu, "
      "\"slowest_call_s\": %.3f}\n",
      report.longest_blind, report.longest_pause, report.blind, report.twice, report.wrong,
      report.failed, report.ended, report.chunks, report.reconnects, calls.made, calls.failed,
      calls.slowest);
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace terrane::drills

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: players SERVER PLAYERS\n", stderr);
    return EXIT_FAILURE;
  }
  return terrane::drills::run(argv[1], std::atoi(argv[2]));
}
