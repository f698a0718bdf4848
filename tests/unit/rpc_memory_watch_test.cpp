#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "net/socket_inode.h"
#include "rpc/memory_watch.h"

namespace terrane::rpc {
namespace {

using boost::asio::ip::tcp;
using std::chrono::milliseconds;

constexpr std::uint64_t kMiB = 1 << 20;
constexpr std::uint64_t kLimit = 16 * kMiB;
// Of one connection what counts is 256 KiB; a client has to have brought 8 MiB.
constexpr std::size_t kBytes = 300 << 10;
constexpr int kConnections = 32;

/// Clients with connections that have brought something, and a process whose memory is as told.
class WatchedMemory : public testing::Test {
 protected:
  static net::AddressBytes client(std::uint8_t which) {
    net::AddressBytes address{};
    address[10] = address[11] = 0xff;  // IPv4
    address[12] = 10;
    address[15] = which;
    return address;
  }

  /// So many more connections, which bring more than counts.
  void connect(std::uint8_t which, int count) {
    for (int i = 0; i < count; ++i) connect(which);
  }
  void connect(std::uint8_t which) {
    far_.emplace_back(io_).connect(acceptor_.local_endpoint());
    near_.push_back(acceptor_.accept());
    const int descriptor = near_.back().native_handle();
    reads_.note({.address = client(which), .port = far_.back().local_endpoint().port()},
                client(which), descriptor, net::inode_of(descriptor));
    std::vector<char> piece(32 << 10);
    for (std::size_t sent = 0; sent < kBytes; sent += piece.size()) {
      boost::asio::write(far_.back(), boost::asio::buffer(piece));
      boost::asio::read(near_.back(), boost::asio::buffer(piece));
    }
    static_cast<void>(reads_.look(100, now_));
  }

  void look_after(milliseconds time) {
    now_ += time;
    watch_.look(reads_, now_);
  }

  std::uint64_t used_ = 0, given_back_ = 0;  // and how much can be given back
  int times_given_back_ = 0;
  std::uint32_t weight_of_1_ = 1;
  std::vector<std::pair<net::AddressBytes, milliseconds>> sent_away_;
  MemoryWatch::Clock::time_point now_ = MemoryWatch::Clock::now();
  net::ConnectionReads reads_;
  MemoryWatch watch_{{.limit = kLimit,
                      .used = [this] { return used_; },
                      .give_back =
                          [this] {
                            ++times_given_back_;
                            used_ -= std::exchange(given_back_, 0);
                          }},
                     [this](const auto& who, auto time, const std::string& why) {
                       sent_away_.emplace_back(who, time);
                       EXPECT_NE(why.find("of 16 MiB"), std::string::npos) << why;
                     },
                     [this](const auto& who) { return who == client(1) ? weight_of_1_ : 1; }};
  boost::asio::io_context io_;
  tcp::acceptor acceptor_{io_, {boost::asio::ip::address_v4::loopback(), 0}};
  std::deque<tcp::socket> far_, near_;
};

TEST_F(WatchedMemory, while_there_is_enough_nobody_is_sent_away) {
  connect(1, kConnections);
  used_ = kLimit * 7 / 8;
  look_after(milliseconds(100));
  used_ = kLimit;
  given_back_ = kLimit / 4;
  look_after(milliseconds(100));
  EXPECT_EQ(used_, kLimit * 3 / 4);
  EXPECT_TRUE(sent_away_.empty());
}

TEST_F(WatchedMemory, who_has_brought_most_is_sent_away_and_then_the_next_one) {
  connect(1, kConnections);
  connect(2, kConnections + 1);
  connect(3, kConnections - 1);  // too little to be the reason
  used_ = kLimit * 15 / 16;
  for (int i = 0; i < 15; ++i) look_after(milliseconds(100));
  ASSERT_EQ(sent_away_.size(), 2u);
  EXPECT_EQ(sent_away_[0], std::pair(client(2), milliseconds(2'000)));
  EXPECT_EQ(sent_away_[1], std::pair(client(1), milliseconds(2'000)));
}

TEST_F(WatchedMemory, where_it_ends_little_of_each_is_enough_and_nobody_waits) {
  connect(1, 4);
  connect(2, 5);
  connect(3, 3);  // a game server's few
  used_ = kLimit * 15 / 16;
  look_after(milliseconds(100));
  EXPECT_TRUE(sent_away_.empty());
  used_ += 1;
  for (int i = 0; i < 5; ++i) look_after(milliseconds(100));
  ASSERT_EQ(sent_away_.size(), 2u);
  EXPECT_EQ(sent_away_[0].first, client(2));
  EXPECT_EQ(sent_away_[1].first, client(1));
}

TEST_F(WatchedMemory, where_it_ends_as_many_go_as_hold_what_is_too_much) {
  for (int i = 0; i < 4; ++i) {
    connect(1);
    connect(2);
    connect(3);
  }
  used_ = kLimit + kMiB;  // three megabytes too much, of which each has brought one
  look_after(milliseconds(100));
  EXPECT_EQ(sent_away_.size(), 2u);
  look_after(milliseconds(100));
  EXPECT_EQ(sent_away_.size(), 3u);
}

TEST_F(WatchedMemory, who_has_brought_much_less_for_its_weight_stays_whatever_is_too_much) {
  connect(1, 8);  // a game server
  connect(2, 8);
  connect(3, 7);
  weight_of_1_ = 200;
  used_ = 2 * kLimit;
  look_after(milliseconds(100));
  ASSERT_EQ(sent_away_.size(), 2u);
  EXPECT_EQ(sent_away_[0].first, client(2));
  EXPECT_EQ(sent_away_[1].first, client(3));
}

TEST_F(WatchedMemory, grows_no_faster_where_nobody_has_looked_for_a_while) {
  connect(1, 4);
  used_ = kLimit * 7 / 8 - 1;
  look_after(milliseconds(100));
  used_ += kMiB / 2 + 1;
  look_after(milliseconds(1'000));
  EXPECT_TRUE(sent_away_.empty());
}

TEST_F(WatchedMemory, what_was_given_back_and_is_in_use_again_is_no_growth) {
  connect(1, 4);
  used_ = kLimit * 29 / 32;
  given_back_ = kLimit / 4;
  look_after(milliseconds(100));
  ASSERT_EQ(used_, kLimit * 21 / 32);
  used_ = kLimit * 29 / 32;
  look_after(milliseconds(100));
  EXPECT_TRUE(sent_away_.empty());
}

TEST_F(WatchedMemory, ends_where_it_grows_too_fast_for_another_look) {
  connect(1, 4);
  used_ = kLimit * 7 / 8 - 1;
  look_after(milliseconds(100));
  used_ += kMiB / 4 + 1;
  look_after(milliseconds(100));
  EXPECT_TRUE(sent_away_.empty()) << "three quarters of a megabyte two looks on";
  used_ += kMiB / 2;
  look_after(milliseconds(100));
  EXPECT_EQ(sent_away_.size(), 1u);
}

TEST_F(WatchedMemory, what_they_held_who_are_sent_away_is_given_back_at_once) {
  connect(1, kConnections);
  connect(2, kConnections);
  used_ = kLimit * 29 / 32;
  look_after(milliseconds(100));
  ASSERT_EQ(sent_away_.size(), 1u);
  given_back_ = kLimit / 8;
  look_after(milliseconds(100));
  EXPECT_EQ(used_, kLimit * 25 / 32);
}

TEST_F(WatchedMemory, what_the_first_one_held_is_waited_for_while_there_is_some_left) {
  connect(1, kConnections);
  connect(2, kConnections);
  used_ = kLimit * 15 / 16;
  for (int i = 0; i < 10; ++i) look_after(milliseconds(100));
  EXPECT_EQ(sent_away_.size(), 1u);
  look_after(milliseconds(100));
  EXPECT_EQ(sent_away_.size(), 2u);
}

TEST_F(WatchedMemory, while_it_grows_nobody_waits_for_what_the_first_one_held) {
  connect(1, kConnections);
  connect(2, kConnections);
  used_ = kLimit * 29 / 32;
  look_after(milliseconds(100));
  EXPECT_EQ(sent_away_.size(), 1u);
  used_ += 1;
  look_after(milliseconds(100));
  EXPECT_EQ(sent_away_.size(), 2u);
}

TEST_F(WatchedMemory, is_tight_before_it_is_short) {
  used_ = kLimit * 3 / 4;
  look_after(milliseconds(100));
  EXPECT_FALSE(watch_.is_tight());
  used_ += 1;
  look_after(milliseconds(100));
  EXPECT_TRUE(watch_.is_tight());
  EXPECT_TRUE(sent_away_.empty());
}

TEST_F(WatchedMemory, who_has_a_larger_share_may_bring_more) {
  connect(1, kConnections + 8);
  connect(2, kConnections);
  weight_of_1_ = 2;
  used_ = kLimit * 15 / 16;
  look_after(milliseconds(100));
  ASSERT_EQ(sent_away_.size(), 1u);
  EXPECT_EQ(sent_away_[0].first, client(2));
}

TEST_F(WatchedMemory, who_comes_back_and_does_it_again_is_kept_out_for_longer) {
  connect(1, kConnections);
  used_ = kLimit;
  for (int i = 0; i < 1200; ++i) look_after(milliseconds(100));
  std::vector<milliseconds> times;
  for (const auto& [who, time] : sent_away_) times.push_back(time);
  EXPECT_EQ(times, (std::vector{milliseconds(2'000), milliseconds(4'000), milliseconds(8'000),
                                milliseconds(16'000), milliseconds(32'000), milliseconds(60'000)}));
  used_ = 0;
  look_after(milliseconds(130'000));
  used_ = kLimit;
  look_after(milliseconds(100));
  EXPECT_EQ(sent_away_.back().second, milliseconds(2'000)) << "a minute after that it is forgotten";
}

TEST_F(WatchedMemory, what_is_not_in_use_is_not_given_back_all_the_time) {
  used_ = kLimit;
  for (int i = 0; i < 100; ++i) look_after(milliseconds(100));
  EXPECT_LE(times_given_back_, 6) << "in ten seconds";
}

TEST_F(WatchedMemory, without_a_limit_there_is_none) {
  connect(1, kConnections);
  MemoryWatch without(
      {.limit = 0, .used = [] { return kLimit; }}, [](const auto&, auto, const auto&) { FAIL(); },
      [](const auto&) { return 1; });
  without.look(reads_, now_);
}

}  // namespace
}  // namespace terrane::rpc
