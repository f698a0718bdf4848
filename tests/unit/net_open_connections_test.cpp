#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <vector>

#include "net/open_connections.h"

namespace terrane::net {
namespace {

using boost::asio::ip::tcp;
using Clock = OpenConnections::Clock;

AddressBytes client(std::uint8_t number) {
  return {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 0, 0, number};
}

/// Sockets of the system, as accept4() would give them.
class Sockets {
 public:
  ~Sockets() {
    for (const int each : open_) close(each);
  }
  int open() {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT_GE(socket, 0);
    open_.push_back(socket);
    return socket;
  }
  void close_one(int socket) {
    std::erase(open_, socket);
    close(socket);
  }

 private:
  std::vector<int> open_;
};

struct Rig {
  std::optional<Refusal> admit(std::uint8_t number, bool is_exempt = false) {
    const int socket = sockets.open();
    const auto refusal = connections.admit(socket, client(number), is_exempt, now);
    if (refusal) {
      sockets.close_one(socket);
    } else {
      admitted.push_back(socket);
    }
    return refusal;
  }
  /// As its new owner would, without a word.
  void close_oldest() {
    sockets.close_one(admitted.front());
    admitted.erase(admitted.begin());
  }

  OpenConnections connections;
  Sockets sockets = {};
  std::vector<int> admitted{};
  Clock::time_point now = Clock::now();
};

// Who calls and closes again and again has nothing open that could be ended when it is found out.
TEST(open_connections, a_client_is_sent_away_though_it_has_closed_all_that_it_had) {
  Rig rig{OpenConnections({.total = 10, .per_client = 10})};
  ASSERT_FALSE(rig.admit(1));
  const auto until = rig.now + std::chrono::seconds(1);
  EXPECT_EQ(rig.connections.send_away(client(1), rig.now, until), 0u);
  EXPECT_EQ(rig.admit(1), Refusal::kSentAway);
  EXPECT_EQ(rig.connections.send_away(client(2), rig.now, until), std::nullopt) << "a proxy's";
  EXPECT_FALSE(rig.admit(2));
  rig.now = until;
  EXPECT_FALSE(rig.admit(1));
}

// Megabytes that wait in a socket take their reader seconds, and memory, before it finds the end.
TEST(open_connections, who_is_sent_away_takes_along_what_nobody_has_read) {
  boost::asio::io_context io;
  tcp::acceptor acceptor(io, {boost::asio::ip::address_v4::loopback(), 0});
  tcp::socket far(io);
  far.connect(acceptor.local_endpoint());
  tcp::socket near = acceptor.accept();
  OpenConnections connections({.total = 10, .per_client = 10});
  const auto now = Clock::now();
  ASSERT_FALSE(connections.admit(near.native_handle(), client(1), false, now));
  std::vector<char> bytes(10'000);
  boost::asio::write(far, boost::asio::buffer(bytes));
  near.wait(tcp::socket::wait_read);
  EXPECT_EQ(connections.send_away(client(1), now, now), 1u);
  boost::system::error_code error;
  EXPECT_EQ(near.read_some(boost::asio::buffer(bytes), error), 0u);
  EXPECT_EQ(error, boost::asio::error::eof);
}

TEST(open_connections, past_the_limit_of_all_nobody_comes_in_until_one_closes) {
  Rig rig{OpenConnections({.total = 3, .per_client = 3})};
  for (std::uint8_t i = 0; i < 3; ++i) EXPECT_EQ(rig.admit(i), std::nullopt);
  EXPECT_EQ(rig.admit(9), Refusal::kTotal);
  rig.close_oldest();
  EXPECT_EQ(rig.admit(9), std::nullopt);
  EXPECT_EQ(rig.admit(10), Refusal::kTotal);
}

TEST(open_connections, a_client_past_its_limit_holds_up_nobody_else) {
  Rig rig{OpenConnections({.total = 100, .per_client = 2})};
  EXPECT_EQ(rig.admit(1), std::nullopt);
  EXPECT_EQ(rig.admit(1), std::nullopt);
  EXPECT_EQ(rig.admit(1), Refusal::kClient);
  EXPECT_EQ(rig.admit(2), std::nullopt);
}

TEST(open_connections, greedy_clients_leave_a_part_of_their_size_free) {
  constexpr std::size_t kTotal = 120;
  for (const int greedy : {1, 2, 5, 11}) {
    Rig rig{OpenConnections({.total = kTotal, .per_client = kTotal})};
    for (std::size_t round = 0; round < kTotal; ++round) {
      for (std::uint8_t each = 0; each < greedy; ++each) rig.admit(each);
    }
    EXPECT_EQ(kTotal - rig.connections.open(), kTotal / (static_cast<std::size_t>(greedy) + 1))
        << greedy;
    EXPECT_EQ(rig.admit(200), std::nullopt);
  }
}

TEST(open_connections, a_trusted_proxy_has_the_limit_of_all_alone) {
  Rig rig{OpenConnections({.total = 10, .per_client = 2})};
  for (int i = 0; i < 10; ++i) EXPECT_EQ(rig.admit(1, true), std::nullopt);
  EXPECT_EQ(rig.admit(1, true), Refusal::kTotal);
}

TEST(open_connections, a_descriptor_that_is_handed_out_again_is_counted_once) {
  Rig rig{OpenConnections({.total = 2, .per_client = 2})};
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(rig.admit(1), std::nullopt) << i;
    EXPECT_EQ(rig.connections.open(), 1u);
    rig.close_oldest();
  }
}

TEST(open_connections, a_sweep_finds_the_closed_ones_whatever_their_descriptors_are_now) {
  Rig rig{OpenConnections({.total = 10, .per_client = 10})};
  for (int i = 0; i < 4; ++i) rig.admit(1);
  rig.close_oldest();
  const int file = open("/dev/null", O_RDONLY | O_CLOEXEC);  // takes the free descriptor
  rig.close_oldest();
  const int another = rig.sockets.open();  // of somebody else
  rig.close_oldest();
  EXPECT_EQ(rig.connections.open(), 4u);
  rig.connections.sweep();
  EXPECT_EQ(rig.connections.open(), 1u);
  rig.connections.sweep();
  EXPECT_EQ(rig.connections.open(), 1u);
  rig.sockets.close_one(another);
  close(file);
}

TEST(open_connections, a_flood_past_a_limit_does_not_make_it_look_every_time) {
  Rig rig{OpenConnections({.total = 1, .per_client = 1})};
  rig.admit(1);
  EXPECT_EQ(rig.admit(1), Refusal::kTotal);  // has looked
  rig.close_oldest();
  const int other = open("/dev/null", O_RDONLY | O_CLOEXEC);  // keeps the descriptor
  EXPECT_EQ(rig.admit(1), Refusal::kTotal);
  rig.now += std::chrono::seconds(1);
  EXPECT_EQ(rig.admit(1), std::nullopt);
  close(other);
}

}  // namespace
}  // namespace terrane::net
