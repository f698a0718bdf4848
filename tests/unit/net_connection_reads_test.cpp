#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "net/connection_reads.h"
#include "net/socket_inode.h"
#include "net/socket_traffic.h"

namespace terrane::net {
namespace {

using boost::asio::ip::tcp;

/// A connection whose bytes somebody waits for, as gRPC does.
class HeldConnection : public testing::Test {
 protected:
  HeldConnection() {
    acceptor_.set_option(tcp::socket::receive_buffer_size(ConnectionReads::kReceiveBuffer));
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
  EXPECT_EQ(read(), 1u);
  const auto begin = std::chrono::steady_clock::now();
  std::thread sender([this] { send(1 << 20); });
  std::string some(1 << 16, ' ');
  for (all = 0; all < 1 << 20;) {
    EXPECT_TRUE(is_told(20'000));
    for (boost::system::error_code error; !error;)
      all += near_.read_some(boost::asio::buffer(some), error);
  }
  sender.join();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(3)) << "as fast, too";
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

constexpr std::chrono::hours kLater{1};

/// Whose bytes the peer has to send again.
class PausedConnection : public HeldConnection {
 protected:
  using Clock = ConnectionReads::Clock;

  void pause() { reads_.pause({{kClient, Clock::now() + kLater}}, Clock::now()); }
  /// What has come of late on all connections.
  std::vector<ConnectionReads::Received> look(std::chrono::hours later = std::chrono::hours(0)) {
    return reads_.look(8, Clock::now() + later);
  }
  void end_pause() { look(2 * kLater); }
  std::string read_all() {
    std::string all;
    boost::system::error_code error;
    near_.non_blocking(false);
    boost::asio::read(near_, boost::asio::dynamic_buffer(all), error);
    EXPECT_EQ(error, boost::asio::error::eof);
    return all;
  }

  static constexpr AddressBytes kClient{};
};

TEST_F(PausedConnection, is_told_later_and_loses_nothing) {
  pause();
  send(100'000);
  EXPECT_FALSE(is_told(100));
  EXPECT_EQ(reads_.paused(), 1u);
  EXPECT_TRUE(look().empty()) << "nothing has come";
  end_pause();
  EXPECT_EQ(reads_.paused(), 0u);
  EXPECT_TRUE(is_told(20'000));
  far_.shutdown(tcp::socket::shutdown_send);
  EXPECT_EQ(read_all(), std::string(100'000, 'x'));
}

TEST_F(PausedConnection, ends_once_all_before_its_end_has_come) {
  pause();
  send(1);
  far_.shutdown(tcp::socket::shutdown_send);
  EXPECT_FALSE(is_told(100));
  end_pause();
  EXPECT_EQ(read_all(), "x");
}

TEST_F(PausedConnection, hears_that_its_peer_has_nothing_more_to_say) {
  pause();
  far_.shutdown(tcp::socket::shutdown_send);
  EXPECT_TRUE(is_told(20'000));
  EXPECT_EQ(read_all(), "");
}

TEST_F(PausedConnection, still_sends) {
  pause();
  const std::string answer(4 << 20, 'y');  // far more than may be sent unacknowledged
  std::string heard(answer.size(), ' ');
  std::thread peer([&] { boost::asio::read(far_, boost::asio::buffer(heard)); });
  near_.non_blocking(false);
  boost::asio::write(near_, boost::asio::buffer(answer));
  peer.join();
  EXPECT_EQ(heard, answer);
}

TEST_F(PausedConnection, is_any_that_its_client_opens_meanwhile) {
  pause();
  reads_.forget(kPeer, inode());
  reads_.note({.address = {}, .port = 9}, kClient, near_.native_handle(), inode());
  send(1);
  EXPECT_FALSE(is_told(100));
  end_pause();
  EXPECT_TRUE(is_told(20'000));
}

TEST_F(PausedConnection, is_not_another_clients) {
  reads_.pause({{AddressBytes{1}, Clock::now() + kLater}}, Clock::now());
  send(1);
  EXPECT_TRUE(is_told(20'000));
}

TEST_F(HeldConnection, tells_what_has_come) {
  const AddressBytes client{0x20, 1, 13, 184, 0, 0, 0, 0, 7};
  reads_.note(kPeer, client, near_.native_handle(), inode());
  send(100);
  EXPECT_TRUE(is_told(20'000));
  const auto come = reads_.look(8, ConnectionReads::Clock::now());
  ASSERT_EQ(come.size(), 1u);
  EXPECT_EQ(come[0].client, client) << "its whole address";
  EXPECT_EQ(come[0].segments, 1u);
  EXPECT_EQ(come[0].bytes, 100u) << "read or not";
  EXPECT_FALSE(come[0].waits) << "it has just come";
  const auto again = reads_.look(8, ConnectionReads::Clock::now());
  ASSERT_EQ(again.size(), 1u);
  EXPECT_EQ(again[0].bytes, 0u) << "once";
  EXPECT_TRUE(again[0].waits) << "nobody has read it";
  EXPECT_EQ(read(), 100u);
  EXPECT_TRUE(reads_.look(8, ConnectionReads::Clock::now()).empty());
}

/// All of one client.
class TwentyConnections : public testing::Test {
 protected:
  TwentyConnections() {
    for (std::uint16_t i = 0; i < 20; ++i) {
      far_.emplace_back(io_).connect(acceptor_.local_endpoint());
      near_.push_back(acceptor_.accept());
      const int descriptor = near_.back().native_handle();
      reads_.note({.address = {}, .port = i}, {}, descriptor, inode_of(descriptor));
    }
  }
  /// And waits until the system has counted it.
  void write_and_arrive(std::size_t i, const std::vector<char>& bytes) {
    const std::uint64_t all = traffic_of(near_[i].native_handle())->bytes + bytes.size();
    boost::asio::write(far_[i], boost::asio::buffer(bytes));
    while (traffic_of(near_[i].native_handle())->bytes < all) std::this_thread::yield();
  }
  [[nodiscard]] bool is_paused(std::size_t i) {
    socklen_t instructions = 0;
    EXPECT_EQ(
        getsockopt(near_[i].native_handle(), SOL_SOCKET, SO_GET_FILTER, nullptr, &instructions), 0);
    return instructions > 0;
  }

  boost::asio::io_context io_;
  tcp::acceptor acceptor_{io_, {boost::asio::ip::address_v4::loopback(), 0}};
  std::vector<tcp::socket> far_, near_;
  ConnectionReads reads_;
};

TEST_F(TwentyConnections, are_looked_at_in_turn) {
  for (tcp::socket& socket : far_) boost::asio::write(socket, boost::asio::buffer("x", 1));
  std::size_t come = 0;
  for (int i = 0; i < 4; ++i) come += reads_.look(5, ConnectionReads::Clock::now()).size();
  EXPECT_EQ(come, 20u);
}

TEST_F(TwentyConnections, go_on_in_turn_though_they_are_paused_again_and_again) {
  const auto now = ConnectionReads::Clock::now();
  std::vector<bool> has_gone_on(20);
  for (int i = 0; i < 4; ++i) {
    reads_.pause({{AddressBytes{}, now + i * kLater}}, now + i * kLater);
    for (std::size_t each = 0; each < 20; ++each) EXPECT_TRUE(is_paused(each));
    reads_.look(8, now + i * kLater);
    std::size_t go_on = 0;
    for (std::size_t each = 0; each < 20; ++each) {
      if (is_paused(each)) continue;
      ++go_on;
      has_gone_on[each] = true;
    }
    EXPECT_LE(go_on, 8u) << "a few at a time";
  }
  EXPECT_EQ(std::ranges::count(has_gone_on, true), 20);
  for (int i = 0; i < 3; ++i) reads_.look(8, now + 5 * kLater);
  for (std::size_t each = 0; each < 20; ++each) EXPECT_FALSE(is_paused(each));
  EXPECT_EQ(reads_.paused(), 0u);
}

TEST_F(TwentyConnections, that_send_little_go_on_beside_those_that_send_much) {
  const std::vector<char> much(50'000);
  for (std::size_t i = 0; i < 10; ++i) write_and_arrive(i, much);
  for (std::size_t i = 10; i < 15; ++i) write_and_arrive(i, {1});
  const auto now = ConnectionReads::Clock::now();
  reads_.pause({{AddressBytes{}, now + kLater}}, now);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(is_paused(i), i < 10) << i;
}

TEST_F(TwentyConnections, some_go_on_in_a_pause_and_some_that_were_opened_in_it) {
  const auto now = ConnectionReads::Clock::now();
  const std::vector<char> much(50'000);
  for (std::size_t i = 0; i < 10; ++i) write_and_arrive(i, much);
  reads_.pause({{AddressBytes{}, now + kLater}}, now);
  for (std::uint16_t i = 10; i < 20; ++i) {
    const int descriptor = near_[i].native_handle();
    reads_.forget({.address = {}, .port = i}, inode_of(descriptor));
    reads_.note({.address = {}, .port = i}, {}, descriptor, inode_of(descriptor));
  }
  const auto paused = [this](std::size_t from, std::size_t to) {
    std::size_t count = 0;
    for (std::size_t i = from; i < to; ++i) count += is_paused(i) ? 1 : 0;
    return count;
  };
  reads_.look(8, now);
  EXPECT_EQ(paused(0, 20), 20u) << "not at once";
  for (std::size_t i = 1; i <= 3; ++i) {
    reads_.look(8, now + i * std::chrono::seconds(2));
    reads_.look(8, now + i * std::chrono::seconds(2));
    EXPECT_EQ(paused(0, 10), 10 - i) << "one at a time";
    EXPECT_EQ(paused(10, 20), 10 - i) << "of each kind";
  }
}

TEST_F(TwentyConnections, whose_bytes_nobody_has_had_time_for_have_sent_much) {
  std::vector<char> some(12'000);
  for (std::size_t i = 0; i < 15; ++i) write_and_arrive(i, some);
  for (std::size_t i = 10; i < 15; ++i) boost::asio::read(near_[i], boost::asio::buffer(some));
  const auto now = ConnectionReads::Clock::now();
  reads_.pause({{AddressBytes{}, now + kLater}}, now);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(is_paused(i), i < 10) << i;
}

TEST_F(TwentyConnections, that_are_opened_in_a_pause_wait_neither_behind_all_nor_for_ever) {
  const auto now = ConnectionReads::Clock::now();
  reads_.pause({{AddressBytes{}, now + kLater}}, now);
  for (std::uint16_t i = 0; i < 20; ++i) {
    const int descriptor = near_[i].native_handle();
    reads_.forget({.address = {}, .port = i}, inode_of(descriptor));
    reads_.note({.address = {}, .port = i}, {}, descriptor, inode_of(descriptor));
  }
  reads_.look(8, now + std::chrono::seconds(1));
  EXPECT_FALSE(is_paused(19)) << "the last one";
  EXPECT_TRUE(is_paused(0));
  reads_.look(8, now + std::chrono::seconds(2));
  EXPECT_FALSE(is_paused(0)) << "the first one";
  EXPECT_TRUE(is_paused(18));
}

TEST_F(TwentyConnections, of_ten_clients_go_on_as_rarely_together_as_those_of_one) {
  const auto now = ConnectionReads::Clock::now();
  ConnectionReads::Pauses all;
  for (std::uint16_t i = 0; i < 20; ++i) {
    const AddressBytes client{static_cast<std::uint8_t>(i % 10)};
    const int descriptor = near_[i].native_handle();
    reads_.note({.address = {}, .port = i}, client, descriptor, inode_of(descriptor));
    all[client] = now + kLater;
  }
  reads_.pause(all, now);
  const auto paused_after = [&](int ms) {
    reads_.look(8, now + std::chrono::milliseconds(ms));
    std::size_t count = 0;
    for (std::size_t i = 0; i < 20; ++i) count += is_paused(i) ? 1 : 0;
    return count;
  };
  EXPECT_EQ(paused_after(0), 20u);
  EXPECT_EQ(paused_after(2'000), 10u);
  EXPECT_EQ(paused_after(2'900), 10u);
  EXPECT_EQ(paused_after(3'000), 0u);
}

TEST_F(TwentyConnections, tell_of_all_that_has_come_whether_paused_or_not) {
  const std::vector<char> much(50'000);
  for (std::size_t i = 0; i < 20; ++i) write_and_arrive(i, much);
  const auto now = ConnectionReads::Clock::now();
  std::uint64_t told = 0;
  for (const auto& each : reads_.look(3, now)) told += each.bytes;
  reads_.pause({{AddressBytes{}, now + kLater}}, now);
  for (int i = 0; i < 20; ++i)
    for (const auto& each : reads_.look(8, now + kLater)) told += each.bytes;
  EXPECT_EQ(told, 20 * much.size());
}

TEST_F(TwentyConnections, cannot_hide_behind_some_that_have_sent_much_more) {
  const std::vector<char> much(100'000), some(3'000);
  for (std::size_t i = 0; i < 10; ++i) write_and_arrive(i, much);
  auto now = ConnectionReads::Clock::now();
  reads_.pause({{AddressBytes{}, now + kLater}}, now);
  EXPECT_TRUE(is_paused(0));
  const auto go_on = [this] {
    std::size_t count = 0;
    for (std::size_t i = 10; i < 20; ++i) count += is_paused(i) ? 0 : 1;
    return count;
  };
  EXPECT_EQ(go_on(), 10u);
  for (int tenths = 0; tenths < 20 && go_on() > 0; ++tenths) {
    for (std::size_t i = 10; i < 20; ++i)
      if (!is_paused(i)) write_and_arrive(i, some);
    now += std::chrono::milliseconds(100);
    reads_.pause({{AddressBytes{}, now + kLater}}, now);
  }
  EXPECT_EQ(go_on(), 0u);
}

TEST_F(TwentyConnections, that_are_closed_have_brought_nothing) {
  const std::vector<char> much(50'000);
  write_and_arrive(0, much);
  static_cast<void>(reads_.look(20, ConnectionReads::Clock::now()));
  EXPECT_EQ(reads_.brought(1 << 20).at({}), 50'000u);
  EXPECT_EQ(reads_.brought(1'000).at({}), 1'000u);
  near_[0].close();
  EXPECT_EQ(reads_.brought(1 << 20).at({}), 0u);
}

TEST_F(PausedConnection, goes_on_in_a_pause_but_not_again_at_once) {
  const auto now = Clock::now();
  const auto is_paused = [&] {
    socklen_t instructions = 0;
    getsockopt(near_.native_handle(), SOL_SOCKET, SO_GET_FILTER, nullptr, &instructions);
    return instructions > 0;
  };
  for (int i = 1; i <= 3; ++i) {
    const auto begin = now + i * std::chrono::seconds(2);
    reads_.pause({{kClient, now + kLater}}, begin);
    EXPECT_TRUE(is_paused());
    reads_.look(8, begin + std::chrono::milliseconds(200));
    EXPECT_FALSE(is_paused());
    reads_.pause({{kClient, now + kLater}}, begin + std::chrono::milliseconds(300));
    reads_.look(8, begin + std::chrono::milliseconds(900));
    EXPECT_TRUE(is_paused());
  }
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
