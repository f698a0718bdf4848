// Attacks by the HTTP port.
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include "drills/attacks.h"

namespace terrane::drills {
namespace {

constexpr int kConnections = 32;  // a server lets one client have hundreds
constexpr int kSendBuffer = 8192;

std::string request(const std::string& path, const std::string& fields = "") {
  return "GET " + path + " HTTP/1.1\r\nHost: here\r\n" + fields + "\r\n";
}

/// A connection that is read until it ends, however much is asked on it.
class Asking {
 public:
  explicit Asking(Attacker& attacker)
      : attacker_(attacker), socket_(connect_socket(attacker.source, attacker.http)) {
    // or to fill the system's buffers would keep victims from their processor
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDBUF, &kSendBuffer, sizeof kSendBuffer);
    reading_ = std::thread([this] { count_answers(); });
  }
  ~Asking() {
    ::shutdown(socket_, SHUT_RDWR);
    reading_.join();
    ::close(socket_);
  }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

  /// @return whether it is still open
  bool send(const std::string& bytes) {
    return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(bytes.size());
  }

  /// Blocks until so many answers have come, or it has ended.
  void await_answers(std::uint64_t count) {
    for (std::uint64_t now = answers_; now < count; now = answers_) answers_.wait(now);
  }

 private:
  void count_answers() {
    constexpr std::string_view kBegin = "HTTP/1.1 ";
    std::array<char, 65536> bytes;
    for (;;) {
      const ssize_t count = ::recv(socket_, bytes.data(), bytes.size(), 0);
      if (count <= 0) break;
      const std::string_view text(bytes.data(), static_cast<std::size_t>(count));
      std::uint64_t begun = 0;
      for (auto at = text.find(kBegin); at != text.npos; at = text.find(kBegin, at + 1)) ++begun;
      attacker_.done += begun;
      answers_ += begun;
      answers_.notify_one();
    }
    answers_ = std::numeric_limits<std::uint64_t>::max();
    answers_.notify_one();
  }

  Attacker& attacker_;
  const int socket_;
  std::atomic<std::uint64_t> answers_ = 0;
  std::thread reading_;
};

/// Asks for as much as many connections take.
/// @param next   the request of a connection's turn
/// @param waits  for each answer, as a browser does
void flood(Attacker& attacker, std::function<std::string(int connection, std::int64_t turn)> next,
           bool waits) {
  for (int connection = 0; connection < kConnections; ++connection) {
    std::thread([&attacker, next, connection, waits] {
      for (std::int64_t turn = 0;;) {
        Asking asking(attacker);
        for (std::uint64_t asked = 1; asking.send(next(connection, turn++)); ++asked)
          if (waits) asking.await_answers(asked);
      }
    }).detach();
  }
}

/// Where `path`, by a world's name, leads to.
std::string permanent(const Attacker& attacker, const std::string& path) {
  const int socket = connect_socket(attacker.source, attacker.http);
  const std::string asked = request(path, "Connection: close\r\n");
  std::string text;
  if (::send(socket, asked.data(), asked.size(), MSG_NOSIGNAL) > 0) {
    std::array<char, 4096> bytes;
    for (ssize_t count = 1; count > 0;) {
      count = ::recv(socket, bytes.data(), bytes.size(), 0);
      if (count > 0) text.append(bytes.data(), static_cast<std::size_t>(count));
    }
  }
  ::close(socket);
  constexpr std::string_view kField = "\r\nLocation: ";
  const auto at = text.find(kField);
  if (at == text.npos) throw std::runtime_error("no Location in: " + text);
  const auto begin = at + kField.size();
  return text.substr(begin, text.find("\r\n", begin) - begin);
}

std::string world_path(const Attacker& attacker) {
  return "/v1/continents/" + std::to_string(attacker.seed);
}

/// @param below  "/tiles/relief/8/"; then come x and y
void flood_fresh(Attacker& attacker, const std::string& below, const std::string& after) {
  const std::string path = permanent(attacker, world_path(attacker) + below + "0/0" + after);
  const std::string prefix = path.substr(0, path.size() - after.size() - 3);
  flood(
      attacker,
      [=](int connection, std::int64_t turn) {
        return request(prefix + std::to_string(turn) + "/" + std::to_string(connection) + after);
      },
      true);
}

void flood_same(Attacker& attacker, const std::string& path, const std::string& fields = "") {
  std::string many;
  for (int i = 0; i < 16; ++i) many += request(path, fields);
  flood(
      attacker, [many](int, std::int64_t) { return many; }, false);
}

void fresh_tiles(Attacker& attacker) { flood_fresh(attacker, "/tiles/relief/8/", ".png"); }
void fresh_bundles(Attacker& attacker) { flood_fresh(attacker, "/bundles/0/", ""); }

void same_tile(Attacker& attacker) {
  const std::string asked =
      request(permanent(attacker, world_path(attacker) + "/tiles/relief/8/0/0.png"));
  flood(
      attacker, [asked = asked](int, std::int64_t) { return asked; }, true);
}

void same_chunk(Attacker& attacker) {
  flood_same(attacker, permanent(attacker, world_path(attacker) + "/chunks/0/0/0"));
}

void not_modified(Attacker& attacker) {
  flood_same(attacker, permanent(attacker, world_path(attacker) + "/chunks/0/0/0"),
             "If-None-Match: *\r\n");
}

void world_lists(Attacker& attacker) { flood_same(attacker, "/v1/worlds"); }
void metrics(Attacker& attacker) { flood_same(attacker, "/metrics"); }
void health(Attacker& attacker) { flood_same(attacker, "/healthz"); }
void nothing(Attacker& attacker) { flood_same(attacker, "/there/is/nothing"); }

/// As many connections as it may have, each of which sends a byte of its request now and then, and
/// is made anew as soon as it is closed.
void slow_requests(Attacker& attacker) {
  constexpr int kThreads = 8;  // a server may leave one without an answer while it connects
  for (int i = 0; i < kThreads; ++i) {
    std::thread([&attacker] {
      const std::string asked = request("/v1/worlds", "X-Slow: " + std::string(200, 'x') + "\r\n");
      std::vector<int> sockets(1000 / kThreads, -1);
      for (std::size_t byte = 0;; ++byte) {
        for (int& socket : sockets) {
          if (socket < 0) {
            try {
              socket = connect_socket(attacker.source, attacker.http);
            } catch (const std::runtime_error&) {
              break;  // it has all that it may
            }
          }
          if (::send(socket, &asked[byte % asked.size()], 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1) {
            ++attacker.done;
          } else {
            ::close(std::exchange(socket, -1));
          }
        }
      }
    }).detach();
  }
}

}  // namespace

std::vector<Attack> http_attacks() {
  return {
      {"http_tiles", fresh_tiles, "answers"},
      {"http_bundles", fresh_bundles, "answers"},
      {"http_same_tile", same_tile, "answers"},
      {"http_same_chunk", same_chunk, "answers"},
      {"http_not_modified", not_modified, "answers"},
      {"http_world_lists", world_lists, "answers"},
      {"http_metrics", metrics, "answers"},
      {"http_health", health, "answers"},
      {"http_nothing", nothing, "answers"},
      {"http_slow_requests", slow_requests, "bytes"},
  };
}

}  // namespace terrane::drills
