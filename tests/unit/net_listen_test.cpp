#include <gtest/gtest.h>

#include <boost/asio/connect.hpp>
#include <string>

#include "net/listening_sockets.h"

namespace terrane::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

Result<ListeningSockets> listen_at(asio::io_context& io, const std::string& address,
                                   Wildcard wildcard = Wildcard::kBothFamilies) {
  return listen_on(io, address, wildcard,
                   {.unacknowledged = std::chrono::seconds(20), .receive_buffer = 16 << 10});
}

bool can_connect(const char* host, std::uint16_t port) {
  asio::io_context io;
  tcp::socket socket(io);
  boost::system::error_code error;
  socket.connect({asio::ip::make_address(host), port}, error);
  return !error;
}

TEST(listen, a_free_port_is_taken_and_told) {
  asio::io_context io;
  const auto sockets = listen_at(io, "127.0.0.1:0");
  ASSERT_TRUE(sockets) << sockets.error().message;
  EXPECT_NE(sockets->port, 0);
  EXPECT_TRUE(can_connect("127.0.0.1", sockets->port));
}

TEST(listen, a_connection_takes_in_no_more_than_it_may_have_unread) {
  asio::io_context io;
  auto sockets = listen_at(io, "127.0.0.1:0");
  ASSERT_TRUE(sockets);
  tcp::socket far(io);
  far.connect(sockets->acceptors.front().local_endpoint());
  const tcp::socket near = sockets->acceptors.front().accept();
  far.non_blocking(true);
  const std::string some(1'000, 'x');
  boost::system::error_code error;
  while (!error) far.write_some(asio::buffer(some), error);
  EXPECT_EQ(error, asio::error::would_block);
  EXPECT_GT(near.available(), 4u << 10);
  EXPECT_LE(near.available(), 64u << 10);
}

TEST(listen, a_port_in_use_is_refused_with_the_systems_reason) {
  asio::io_context io;
  const auto first = listen_at(io, "127.0.0.1:0");
  ASSERT_TRUE(first);
  for (const char* host : {"127.0.0.1", "0.0.0.0", "localhost"}) {
    const auto second = listen_at(io, host + (":" + std::to_string(first->port)));
    ASSERT_FALSE(second) << host;
    EXPECT_EQ(second.error().code, ErrorCode::kUnavailable);
    EXPECT_EQ(second.error().message, "Address already in use");
  }
}

TEST(listen, a_name_is_listened_to_at_each_of_its_addresses_with_one_port) {
  asio::io_context io;
  const auto sockets = listen_at(io, "localhost:0");
  ASSERT_TRUE(sockets) << sockets.error().message;
  for (const auto& acceptor : sockets->acceptors) {
    EXPECT_EQ(acceptor.local_endpoint().port(), sockets->port);
    EXPECT_TRUE(acceptor.local_endpoint().address().is_loopback());
  }
  EXPECT_TRUE(can_connect("127.0.0.1", sockets->port));
}

TEST(listen, an_unknown_name_is_refused) {
  asio::io_context io;
  const auto sockets = listen_at(io, "no-such-host.invalid:0");
  ASSERT_FALSE(sockets);
  EXPECT_NE(sockets.error().message, "");
}

TEST(listen, a_wildcard_means_what_its_port_says_it_means) {
  for (const char* address : {"0.0.0.0:0", "[::]:0"}) {
    asio::io_context io;
    const auto both = listen_at(io, address);
    ASSERT_TRUE(both) << both.error().message;
    EXPECT_TRUE(can_connect("127.0.0.1", both->port)) << address;
  }
  asio::io_context io;
  const auto v4_alone = listen_at(io, "0.0.0.0:0", Wildcard::kAsGiven);
  ASSERT_TRUE(v4_alone);
  EXPECT_TRUE(can_connect("127.0.0.1", v4_alone->port));
  EXPECT_FALSE(can_connect("::1", v4_alone->port));
}

}  // namespace
}  // namespace terrane::net
