#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <string>

#include "net/connection_reads.h"
#include "net/socket_inode.h"

namespace terrane::net {
namespace {

using boost::asio::ip::tcp;

/// A connection whose bytes somebody waits for, as gRPC does.
class HeldConnection : public testing::Test {
 protected:
  HeldConnection() {
    acceptor_.listen();
    far_.connect(acceptor_.local_endpoint());
    near_ = acceptor_.accept();
    near_.non_blocking(true);
    epoll_event event{};
    event.events = EPOLLIN | EPOLLRDHUP | EPOLLET;
    EXPECT_EQ(epoll_ctl(epoll_, EPOLL_CTL_ADD, near_.native_handle(), &event), 0);
    reads_.note(kPeer, {}, near_.native_handle(), inode());
  }
  ~HeldConnection() override { ::close(epoll_); }

  [[nodiscard]] ino_t inode() { return inode_of(near_.native_handle()); }
  void send(std::size_t bytes) {
    const std::string some(bytes, 'x');
    boost::asio::write(far_, boost::asio::buffer(some));
  }
  /// Whether who waits is told within so many milliseconds that something has come.
  bool is_told(int ms) {
    epoll_event event{};
    return epoll_wait(epoll_, &event, 1, ms) == 1;
  }
  std::size_t read() {
    std::string all(1 << 16, ' ');
    boost::system::error_code error;
    return near_.read_some(boost::asio::buffer(all), error);
  }

  static constexpr ConnectionReads::Endpoint kPeer{.address = {}, .port = 7};
  boost::asio::io_context io_;
  tcp::acceptor acceptor_{io_, {boost::asio::ip::address_v4::loopback(), 0}};
  tcp::socket far_{io_}, near_{io_};
  const int epoll_ = epoll_create1(EPOLL_CLOEXEC);
  ConnectionReads reads_;
};

TEST_F(HeldConnection, says_nothing_until_it_is_let_go) {
  send(100);
  EXPECT_TRUE(is_told(20'000));
  EXPECT_EQ(read(), 100u);
  EXPECT_TRUE(reads_.hold(kPeer, true));
  for (int i = 0; i < 1'000; ++i) send(100);  // a thousand small requests
  EXPECT_FALSE(is_told(100));
  EXPECT_TRUE(reads_.hold(kPeer, false));
  EXPECT_TRUE(is_told(20'000));
  std::size_t all = 0;
  while (all < 100'000) all += read();
  send(1);
  EXPECT_TRUE(is_told(20'000)) << "as before";
}

TEST_F(HeldConnection, says_when_the_peer_has_gone) {
  EXPECT_TRUE(reads_.hold(kPeer, true));
  send(100);
  EXPECT_FALSE(is_told(100));
  far_.close();
  EXPECT_TRUE(is_told(20'000));
}

TEST_F(HeldConnection, takes_in_no_more_than_its_share_of_the_systems_memory) {
  EXPECT_TRUE(reads_.hold(kPeer, true));
  far_.non_blocking(true);
  const std::string some(1'000, 'x');
  std::size_t sent = 0;
  boost::system::error_code error;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!is_told(0) && std::chrono::steady_clock::now() < end)
    sent += far_.write_some(boost::asio::buffer(some), error);
  EXPECT_LT(sent, 8u << 20) << "then whoever waits is told";
}

TEST_F(HeldConnection, is_one_that_is_known) {
  EXPECT_FALSE(reads_.hold({.address = {}, .port = 8}, true));
  reads_.forget(kPeer, inode() + 1);
  EXPECT_TRUE(reads_.hold(kPeer, true)) << "that was another one";
  reads_.forget(kPeer, inode());
  EXPECT_FALSE(reads_.hold(kPeer, true));
}

TEST_F(HeldConnection, is_never_another_with_its_descriptor) {
  tcp::socket other(io_, tcp::v4());
  ASSERT_EQ(dup2(other.native_handle(), near_.native_handle()), near_.native_handle());
  EXPECT_FALSE(reads_.hold(kPeer, true));
  int low_water = 0;
  socklen_t size = sizeof low_water;
  getsockopt(other.native_handle(), SOL_SOCKET, SO_RCVLOWAT, &low_water, &size);
  EXPECT_EQ(low_water, 1);
}

}  // namespace
}  // namespace terrane::net
