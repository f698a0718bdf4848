// Attacks by Explore over WebSockets.
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "drills/attacks.h"
#include "support/web_socket_frames.h"
#include "terrane/explore_limits.h"

namespace terrane::drills {
namespace {

constexpr int kAtATime = 32;
constexpr std::size_t kUnread = 400;
constexpr std::uint32_t kLevels = 9;

/// An opened WebSocket that has said its Hello, with the largest view there is. Throws
/// std::runtime_error where it is not let in.
class Viewer {
 public:
  explicit Viewer(const Attacker& attacker)
      : socket_(connect_socket(attacker.source, attacker.http)) {
    constexpr int kBuffer = 8192;  // or to fill the buffers would keep victims from their processor
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDBUF, &kBuffer, sizeof kBuffer);
    v1::ExploreRequest request;
    v1::Hello& hello = *request.mutable_hello();
    *hello.mutable_world() = attacker.world();
    for (std::uint32_t lod = 0; lod < kLevels; ++lod) hello.add_view_distances(kMaxViewDistance);
    hello.mutable_move();
    std::array<char, 4096> answer;
    if (!send(test::web_socket_opening()) ||
        ::recv(socket_, answer.data(), answer.size(), 0) <= 0 || !say(request)) {
      ::close(std::exchange(socket_, -1));
      throw std::runtime_error("not let in");
    }
  }
  ~Viewer() { ::close(socket_); }
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  /// @return whether it is still open
  bool say(const v1::ExploreRequest& request) const {
    return send(test::web_socket_frame(test::kBinaryFrame, request.SerializeAsString()));
  }

  /// Takes in what is there.
  void read() const {
    std::array<char, 65536> bytes;
    while (::recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT) > 0) continue;
  }

 private:
  [[nodiscard]] bool send(const std::string& bytes) const {
    return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(bytes.size());
  }

  int socket_ = -1;
};

/// Again and again, by threads of their own, whatever comes of it.
void repeat(Attacker& attacker, void (*once)(Attacker&)) {
  for (int i = 0; i < kAtATime; ++i) {
    std::thread([&attacker, once] {
      for (;;) {
        try {
          once(attacker);
        } catch (const std::runtime_error&) {
          std::this_thread::yield();  // perhaps it is let in the next time
        }
      }
    }).detach();
  }
}

void moves(Attacker& attacker) {
  repeat(attacker, [](Attacker& its) {
    const Viewer viewer(its);
    v1::ExploreRequest jump;
    for (int i = 0;; ++i) {
      jump.mutable_move()->set_x(i % 64 * 1e9);
      jump.mutable_move()->set_y(i % 7 * -1e9);
      if (!viewer.say(jump)) return;
      viewer.read();
      ++its.done;
    }
  });
}

void openings(Attacker& attacker) {
  repeat(attacker, [](Attacker& its) {
    const Viewer viewer(its);
    ++its.done;
  });
}

void unread(Attacker& attacker) {
  std::thread([&attacker] {
    std::vector<std::unique_ptr<Viewer>> viewers(kUnread);
    for (std::size_t i = 0;; i = (i + 1) % kUnread) {
      try {
        if (viewers[i] == nullptr) viewers[i] = std::make_unique<Viewer>(attacker);
        ++attacker.done;
      } catch (const std::runtime_error&) {
        std::this_thread::yield();
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }).detach();
}

}  // namespace

std::vector<Attack> web_socket_attacks() {
  return {
      {"web_socket_moves", moves, "messages", true},
      {"web_socket_openings", openings, "streams", true},
      {"web_socket_unread", unread, "looks", true},
  };
}

}  // namespace terrane::drills
