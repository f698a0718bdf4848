#include "support/simulated_link.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <optional>
#include <random>

#include "support/time_scale.h"

namespace terrane::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

/// One end of a connection; whatever takes a minute fails.
class End {
 public:
  explicit End(int socket) : socket_(socket) {
    const timeval patience{60, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }
  ~End() { close(socket_); }
  End(const End&) = delete;
  End& operator=(const End&) = delete;

  void say(const std::string& bytes) const {
    EXPECT_EQ(send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }

  /// How many of these bytes are taken before the other side must take some.
  [[nodiscard]] std::size_t push(std::size_t bytes) const {
    const std::string text(bytes, 'x');
    std::size_t pushed = 0;
    for (pollfd ready{socket_, POLLOUT, 0}; pushed < bytes && poll(&ready, 1, 300) == 1;) {
      pushed += static_cast<std::size_t>(
          std::max<ssize_t>(0, send(socket_, text.data(), bytes - pushed, MSG_DONTWAIT)));
    }
    return pushed;
  }

  void say_no_more() const { shutdown(socket_, SHUT_WR); }

  /// So many bytes, or those before the end.
  [[nodiscard]] std::string hear(std::size_t bytes) const {
    std::string heard(bytes, '\0');
    heard.resize(static_cast<std::size_t>(
        std::max<ssize_t>(0, recv(socket_, heard.data(), bytes, MSG_WAITALL))));
    return heard;
  }

  [[nodiscard]] bool hears_within(std::chrono::milliseconds time) const {
    pollfd ready{socket_, POLLIN, 0};
    return poll(&ready, 1, static_cast<int>(time.count())) == 1;
  }

 private:
  int socket_;
};

class simulated_link : public ::testing::Test {
 protected:
  simulated_link() {
    const sockaddr_in any = loopback(0);
    const int small = 16 * 1024;
    setsockopt(listener_, SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
    EXPECT_EQ(bind(listener_, reinterpret_cast<const sockaddr*>(&any), sizeof any), 0);
    EXPECT_EQ(listen(listener_, 10), 0);
  }
  ~simulated_link() override { close(listener_); }

  /// Puts a link before the server, and connects through it.
  void open(const LinkOptions& options) {
    sockaddr_in own{};
    socklen_t size = sizeof own;
    getsockname(listener_, reinterpret_cast<sockaddr*>(&own), &size);
    link_.emplace("127.0.0.1:" + std::to_string(ntohs(own.sin_port)), options);
    connect_again();
  }

  void connect_again() {
    const std::string address = link_->address();
    const sockaddr_in to = loopback(std::stoi(address.substr(address.find(':') + 1)));
    const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(connect(client, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
    client_.emplace(client);
    server_.emplace(accept(listener_, nullptr, nullptr));
  }

  int listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::optional<SimulatedLink> link_;
  std::optional<End> client_, server_;
};

TEST_F(simulated_link, all_bytes_arrive_in_order_in_spite_of_jitter_and_loss) {
  LinkOptions options = plain_link(100e6, 2ms);
  options.up.jitter = options.down.jitter = 3ms;
  options.up.loss = options.down.loss = 0.01;
  open(options);
  std::mt19937 random(1);
  std::string text(400'000, '\0');
  for (char& c : text) c = static_cast<char>(random());
  std::thread speaker([&] { server_->say(text); });
  EXPECT_TRUE(client_->hear(text.size()) == text);
  speaker.join();
  client_->say("thanks");
  client_->say_no_more();
  EXPECT_EQ(server_->hear(100), "thanks") << "the end comes after the last byte";
  EXPECT_EQ(link_->bytes_down(), text.size());
  EXPECT_EQ(link_->bytes_up(), 6u);
}

TEST_F(simulated_link, a_question_and_its_answer_take_a_round_trip) {
  open(plain_link(10e6, 40ms));
  const auto start = Clock::now();
  for (int i = 0; i < 3; ++i) {
    client_->say("?");
    ASSERT_EQ(server_->hear(1), "?");
    server_->say("!");
    ASSERT_EQ(client_->hear(1), "!");
  }
  EXPECT_GE(Clock::now() - start, 120ms);
  EXPECT_LT(Clock::now() - start, 1200ms * time_scale());
}

TEST_F(simulated_link, a_transfer_has_the_links_rate) {
  open(plain_link(8e6, 20ms));
  const auto start = Clock::now();
  const std::string text(500'000, 'x');
  std::thread speaker([&] { server_->say(text); });
  EXPECT_EQ(client_->hear(text.size()).size(), text.size());
  speaker.join();
  EXPECT_GE(Clock::now() - start, 450ms);
  EXPECT_LT(Clock::now() - start, 5s * time_scale());
}

TEST_F(simulated_link, what_a_slow_link_can_not_take_piles_up_at_the_sender) {
  open(plain_link(8e4, 20ms));
  EXPECT_LT(server_->push(1'000'000), 300'000u);
}

TEST_F(simulated_link, a_client_that_does_not_read_holds_up_its_sender) {
  open({});
  EXPECT_LT(server_->push(64'000'000), 32'000'000u);
}

TEST_F(simulated_link, a_stalled_link_passes_nothing_until_it_goes_on) {
  open({});
  link_->stall();
  server_->say("late");
  EXPECT_FALSE(client_->hears_within(100ms));
  link_->resume();
  EXPECT_EQ(client_->hear(4), "late");
}

TEST_F(simulated_link, a_cut_ends_connections_and_new_ones_are_welcome) {
  open({});
  link_->cut();
  EXPECT_EQ(client_->hear(1), "");
  EXPECT_EQ(server_->hear(1), "");
  connect_again();
  client_->say("again");
  EXPECT_EQ(server_->hear(5), "again");
}

TEST_F(simulated_link, a_link_can_get_worse_while_it_is_in_use) {
  open({});
  client_->say("1");
  ASSERT_EQ(server_->hear(1), "1");
  link_->change(plain_link(10e6, 200ms));
  const auto start = Clock::now();
  client_->say("2");
  EXPECT_EQ(server_->hear(1), "2");
  EXPECT_GE(Clock::now() - start, 99ms);
}

}  // namespace
}  // namespace terrane::test
