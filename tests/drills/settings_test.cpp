#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "drills/attacks.h"
#include "e2e/running_server.h"

/// HTTP/2's SETTINGS that say nothing, each of which has an answer, on many connections.
namespace terrane::drills {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using Clock = std::chrono::steady_clock;

constexpr double kMiB = 1 << 20;
constexpr int kConnections = 150;
constexpr auto kLongest = 100s, kThen = 5s;
constexpr const char* kWhy = "nobody's connections had brought more";

enum class Answers : std::uint8_t { kRead, kUnread };

/// Sends as many as there is room for; connects again where the server closes.
void send_settings(const std::string& source, const std::string& server, Answers answers,
                   const std::atomic<bool>& enough) {
  const std::string preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  std::string frames;
  for (int i = 0; i < 1'000; ++i) frames += "\0\0\0\4\0\0\0\0\0"s;
  struct Connection {
    int socket = -1;
    std::size_t next = 0;  // of the frames' bytes
  };
  std::vector<Connection> connections(kConnections);
  while (!enough) {
    for (auto& [socket, next] : connections) {
      try {
        if (socket < 0) {
          socket = connect_socket(source, server);
          next = 0;
          ::send(socket, preface.data(), preface.size(), MSG_NOSIGNAL);
        }
      } catch (const std::runtime_error&) {
        continue;  // it is kept out
      }
      std::array<char, 4096> answer;
      while (answers == Answers::kRead &&
             ::recv(socket, answer.data(), answer.size(), MSG_DONTWAIT) > 0)
        continue;
      const auto sent =
          ::send(socket, &frames[next], frames.size() - next, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent > 0) {
        next = (next + static_cast<std::size_t>(sent)) % frames.size();
      } else if (errno != EAGAIN) {
        ::close(std::exchange(socket, -1));
      }
    }
    std::this_thread::sleep_for(5ms);  // 270 MB a second of these, were there time for them
  }
  for (const auto& [socket, next] : connections) ::close(socket);
}

/// Four clients: a megabyte for each of their connections is twice what the server may have.
TEST(memory, of_connections_that_bring_no_call_ends_with_them) {
  constexpr double kLimitMiB = 256;
  const e2e::TempDirectory data;
  e2e::RunningServer server(data, {"--memory-limit", "256MiB", "--memory-cache", "16MiB"});
  std::atomic<bool> enough = false;
  std::vector<std::thread> attackers;
  attackers.reserve(4);
  for (int i = 0; i < 4; ++i)
    attackers.emplace_back(send_settings, "127.0.5." + std::to_string(1 + i),
                           server.process.address(), Answers::kUnread, std::cref(enough));
  std::atomic<std::uint64_t> peak = 0;
  std::thread watcher([&] {
    while (!enough) {
      peak = std::max(peak.load(), server.process.anonymous_bytes());
      std::this_thread::sleep_for(20ms);  // it is sampled
    }
  });
  int answered = 0;
  bool is_sent_away = false;
  auto end = Clock::now() + kLongest;
  for (std::int64_t x = 0; Clock::now() < end; ++x) {
    answered += server.client.chunk_status(e2e::chunk_request({x, 0})).ok() ? 1 : 0;
    if (!is_sent_away && server.process.log().find(kWhy) != std::string::npos) {
      is_sent_away = true;
      end = Clock::now() + kThen;
    }
    std::this_thread::sleep_for(20ms);  // a player's pace
  }
  enough = true;
  for (std::thread& attacker : attackers) attacker.join();
  watcher.join();
  const double peak_mib = static_cast<double>(peak.load()) / kMiB;
  std::printf("drill memory: four clients' settings took %.0f of %.0f MiB, %d chunks besides\n",
              peak_mib, kLimitMiB, answered);
  EXPECT_LE(peak_mib, kLimitMiB);
  EXPECT_GT(answered, 10);
  server.process.terminate();
  EXPECT_EQ(server.process.wait(), 0) << server.process.log();
  EXPECT_TRUE(is_sent_away) << server.process.log();
  EXPECT_EQ(server.process.log().find("connections of 127.0.0.1,"), std::string::npos)
      << server.process.log();
}

/// As players do whose network has one address, and those behind a proxy that says nothing of them.
TEST(overload, by_settings_leaves_something_to_who_shares_the_address) {
  const e2e::TempDirectory data;
  e2e::RunningServer server(data);
  const auto answers_within = [&](Clock::duration time) {
    static std::int64_t x = 0;
    std::pair<int, Clock::duration> answered{};
    for (const auto end = Clock::now() + time; Clock::now() < end;) {
      const auto begin = Clock::now();
      if (server.client.chunk_status(e2e::chunk_request({++x, 0})).ok()) ++answered.first;
      answered.second = std::max(answered.second, Clock::now() - begin);
      std::this_thread::sleep_for(10ms);  // a player's pace
    }
    return answered;
  };
  const auto alone = answers_within(2s);
  std::atomic<bool> enough = false;
  std::thread attacker(send_settings, "127.0.0.1", server.process.address(), Answers::kRead,
                       std::cref(enough));
  const auto beside = answers_within(10s);
  enough = true;
  attacker.join();
  const auto ms = [](Clock::duration time) {
    return static_cast<long long>(
        std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
  };
  std::printf(
      "drill overload: %d chunks a second alone, %d beside settings from the same address; the "
      "slowest %lld ms, %lld ms\n",
      alone.first / 2, beside.first / 10, ms(alone.second), ms(beside.second));
  EXPECT_GE(beside.first / 10.0, alone.first / 2.0 / 4);
}

}  // namespace
}  // namespace terrane::drills
