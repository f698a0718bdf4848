#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "net/packet_filter.h"

namespace terrane::net {
namespace {

AddressBytes loopback(std::uint8_t last) {
  return {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, last};
}
constexpr AddressBytes kLoopbackV6{};  // the /64 of ::1

/// Listens at all addresses of both families; nobody accepts.
class Listener {
 public:
  Listener() : socket_(socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    constexpr int kNo = 0;
    setsockopt(socket_, IPPROTO_IPV6, IPV6_V6ONLY, &kNo, sizeof kNo);
    sockaddr_in6 own{};
    own.sin6_family = AF_INET6;
    socklen_t size = sizeof own;
    EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&own), size), 0);
    EXPECT_EQ(listen(socket_, 100), 0);
    EXPECT_EQ(getsockname(socket_, reinterpret_cast<sockaddr*>(&own), &size), 0);
    port_ = own.sin6_port;
  }
  ~Listener() { close(socket_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  [[nodiscard]] bool drop(const std::vector<AddressBytes>& clients) const {
    return drop_packets_of(socket_, clients);
  }
  [[nodiscard]] in_port_t port() const { return port_; }

 private:
  int socket_;
  in_port_t port_ = 0;
};

/// A client that begins to connect.
class Coming {
 public:
  Coming(const Listener& listener, std::uint8_t last)
      : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    const std::uint32_t network = 127u << 24;
    sockaddr_in own{
        .sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(network | last)}, .sin_zero = {}};
    EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&own), sizeof own), 0);
    sockaddr_in peer = own;
    peer.sin_addr.s_addr = htonl(network | 1);
    peer.sin_port = listener.port();
    static_cast<void>(connect(socket_, reinterpret_cast<sockaddr*>(&peer), sizeof peer));
  }
  /// From ::1.
  explicit Coming(const Listener& listener)
      : socket_(socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    sockaddr_in6 peer{};
    peer.sin6_family = AF_INET6;
    peer.sin6_addr = in6addr_loopback;
    peer.sin6_port = listener.port();
    static_cast<void>(connect(socket_, reinterpret_cast<sockaddr*>(&peer), sizeof peer));
  }
  ~Coming() { close(socket_); }
  [[nodiscard]] static bool has_v6() {
    const int socket = ::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in6 own{};
    own.sin6_family = AF_INET6;
    own.sin6_addr = in6addr_loopback;
    const bool can = bind(socket, reinterpret_cast<sockaddr*>(&own), sizeof own) == 0;
    close(socket);
    return can;
  }
  Coming(const Coming&) = delete;
  Coming& operator=(const Coming&) = delete;

  [[nodiscard]] bool is_in(int patience_ms) const {
    pollfd what{socket_, POLLOUT, 0};
    if (poll(&what, 1, patience_ms) != 1) return false;
    int error = 0;
    socklen_t size = sizeof error;
    return getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
  }

 private:
  int socket_;
};

constexpr int kMinute = 60'000, kNow = 0;

TEST(packet_filter, who_is_dropped_waits_and_others_come_in) {
  const Listener listener;
  ASSERT_TRUE(listener.drop({loopback(7), kLoopbackV6, loopback(8)}));
  const std::array<Coming, 2> dropped{Coming(listener, 7), Coming(listener, 8)};
  const Coming other(listener, 9);
  EXPECT_TRUE(other.is_in(kMinute));
  for (const Coming& each : dropped) EXPECT_FALSE(each.is_in(kNow));
  ASSERT_TRUE(listener.drop({loopback(8)}));
  EXPECT_TRUE(dropped[0].is_in(kMinute)) << "the system has asked again";
  EXPECT_FALSE(dropped[1].is_in(kNow));
  ASSERT_TRUE(listener.drop({}));
  EXPECT_TRUE(dropped[1].is_in(kMinute));
}

TEST(packet_filter, as_many_as_are_ever_ignored_are_dropped) {
  if (!Coming::has_v6()) GTEST_SKIP() << "this machine has no ::1";
  const Listener listener;
  std::vector<AddressBytes> clients;
  for (std::uint8_t i = 0; i < 63; ++i) {
    AddressBytes v6{0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, i};
    clients.push_back(v6);
  }
  clients.push_back(kLoopbackV6);
  ASSERT_TRUE(listener.drop(clients));
  const Coming v6(listener), v4(listener, 7);
  EXPECT_TRUE(v4.is_in(kMinute));
  EXPECT_FALSE(v6.is_in(kNow)) << "the last of them";
}

TEST(packet_filter, without_one_there_is_nothing_to_take_back) {
  const Listener listener;
  EXPECT_FALSE(listener.drop({}));
  const Coming somebody(listener, 7);
  EXPECT_TRUE(somebody.is_in(kMinute));
  EXPECT_FALSE(drop_packets_of(-1, std::vector{loopback(7)}));
}

}  // namespace
}  // namespace terrane::net
