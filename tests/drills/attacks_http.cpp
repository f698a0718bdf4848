// Attacks by the HTTP port.
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include "drills/attacks.h"

namespace terrane::drills {
namespace {

constexpr int kConnections = 32;  // a server lets one client have hundreds

std::string request(const std::string& path, const std::string& fields = "") {
  return "GET " + path + " HTTP/1.1\r\nHost: here\r\n" + fields + "\r\n";
}

/// What else comes on a connection until it ends: how many answers.
void count_answers(int socket, std::atomic<std::uint64_t>& answers) {
  constexpr std::string_view kBegin = "HTTP/1.1 ";
  std::array<char, 65536> bytes;
  for (;;) {
    const ssize_t count = ::recv(socket, bytes.data(), bytes.size(), 0);
    if (count <= 0) return;
    const std::string_view text(bytes.data(), static_cast<std::size_t>(count));
    for (auto at = text.find(kBegin); at != text.npos; at = text.find(kBegin, at + 1)) ++answers;
  }
}

/// Asks on so many connections for as much as they take, without waiting for answers.
/// @param next  the request of a connection's turn
void flood(Attacker& attacker, std::function<std::string(int connection, std::int64_t turn)> next) {
  for (int connection = 0; connection < kConnections; ++connection) {
    std::thread([&attacker, next, connection] {
      for (std::int64_t turn = 0;;) {
        const int socket = connect_socket(attacker.source, attacker.http);
        std::thread reading([&] { count_answers(socket, attacker.done); });
        for (bool is_open = true; is_open; ++turn) {
          const std::string bytes = next(connection, turn);
          is_open = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
                    static_cast<ssize_t>(bytes.size());
        }
        ::shutdown(socket, SHUT_RDWR);
        reading.join();
        ::close(socket);
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
  flood(attacker, [=](int connection, std::int64_t turn) {
    return request(prefix + std::to_string(turn) + "/" + std::to_string(connection) + after);
  });
}

void flood_same(Attacker& attacker, const std::string& path, const std::string& fields = "") {
  std::string many;
  for (int i = 0; i < 16; ++i) many += request(path, fields);
  flood(attacker, [many](int, std::int64_t) { return many; });
}

void fresh_tiles(Attacker& attacker) { flood_fresh(attacker, "/tiles/relief/8/", ".png"); }
void fresh_bundles(Attacker& attacker) { flood_fresh(attacker, "/bundles/0/", ""); }

void same_tile(Attacker& attacker) {
  flood_same(attacker, permanent(attacker, world_path(attacker) + "/tiles/relief/8/0/0.png"));
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

/// As many connections as it may have, each of which sends a byte of its request now and then.
void slow_requests(Attacker& attacker) {
  std::thread([&attacker] {
    const std::string asked = request("/v1/worlds", "X-Slow: " + std::string(200, 'x') + "\r\n");
    std::vector<int> sockets(512, -1);
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
      {"http_slow_requests", slow_requests, "bytes"},
  };
}

}  // namespace terrane::drills
