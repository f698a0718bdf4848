#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "net/port_thread.h"
#include "support/prometheus_text.h"

namespace terrane::net {
namespace {

/// A client's socket of IPv4 on loopback; blocking, a minute at most.
class Client {
 public:
  Client() : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval minute{60, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &minute, sizeof minute);
  }
  ~Client() { close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void connect_to(const std::string& address, const char* from = "127.0.0.1") const {
    sockaddr_in own{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {}, .sin_zero = {}};
    inet_pton(AF_INET, from, &own.sin_addr);
    ASSERT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&own), sizeof own), 0);
    sockaddr_in peer = own;
    inet_pton(AF_INET, "127.0.0.1", &peer.sin_addr);
    peer.sin_port =
        htons(static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
    ASSERT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&peer), sizeof peer), 0);
  }

  void say(const std::string& bytes) const {
    EXPECT_EQ(send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }

  [[nodiscard]] ProxiedClients::Endpoint endpoint() const {
    sockaddr_storage own{};
    socklen_t size = sizeof own;
    getsockname(socket_, reinterpret_cast<sockaddr*>(&own), &size);
    return {address_of(own), port_of(own)};
  }

  /// Whether it is served (and not closed). Blocks until either is known.
  [[nodiscard]] bool is_greeted() const {
    char byte = 0;
    return recv(socket_, &byte, 1, 0) == 1;
  }

 private:
  int socket_;
};

/// A port that greets each connection with a byte and keeps it.
struct Rig {
  explicit Rig(const ConnectionLimits& limits, bool is_open = true,
               std::shared_ptr<ProxiedClients> proxied = nullptr)
      : port(*PortThread::listen(
            "127.0.0.1:0",
            {.name = "test",
             .limits = limits,
             .is_exempt = [](const AddressBytes& address) { return address[15] == 99; },
             .proxied = std::move(proxied),
             .header_timeout = std::chrono::seconds(1),
             .look_every = std::chrono::milliseconds(20),
             .state = &state},
            metrics)) {
    if (is_open) start();
  }
  ~Rig() {
    port->stop();
    for (const int each : kept) close(each);
  }

  void start() {
    port->start([this](int descriptor, const AddressBytes& client) {
      kept.push_back(descriptor);
      EXPECT_NE(fcntl(descriptor, F_GETFL) & O_NONBLOCK, 0);
      EXPECT_NE(fcntl(descriptor, F_GETFD) & FD_CLOEXEC, 0);
      EXPECT_EQ(send(descriptor, "!", 1, MSG_NOSIGNAL), 1);
      return client[15] == kGreedy;
    });
  }

  [[nodiscard]] bool greets(const char* from = "127.0.0.1") {
    clients.push_back(std::make_unique<Client>());
    clients.back()->connect_to(port->address(), from);
    return clients.back()->is_greeted();
  }

  /// By way of a proxy, which says so.
  [[nodiscard]] bool greets_for(std::uint8_t last) {
    clients.push_back(std::make_unique<Client>());
    clients.back()->connect_to(port->address(), kProxy);
    const std::string header = header_for(last);
    clients.back()->say(header.substr(0, 20));
    clients.back()->say(header.substr(20));
    return clients.back()->is_greeted();
  }

  static AddressBytes address(std::uint8_t last) {
    return {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 203, 0, 113, last};
  }
  static std::string header_for(std::uint8_t last) {
    std::string header("\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\xcb\0\x71.\x7f\0\0\1\1\1\2\2", 28);
    header[19] = static_cast<char>(last);
    return header;
  }

  static constexpr const char* kProxy = "127.0.0.99";
  static constexpr std::uint8_t kGreedy = 77;

  void await(Accepting wanted) const {
    while (state != wanted) std::this_thread::yield();
  }

  ops::Metrics metrics;
  std::atomic<Accepting> state = Accepting::kYes;
  std::vector<int> kept;  // on the port's thread, until it has stopped
  std::vector<std::unique_ptr<Client>> clients;
  std::unique_ptr<PortThread> port;
};

/// The process can't open another file for as long as it lives.
class NoDescriptors {
 public:
  NoDescriptors() {
    getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit few{100, before_.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
    for (int file = 0; (file = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0;)
      files_.push_back(file);
    EXPECT_EQ(errno, EMFILE);
  }
  ~NoDescriptors() {
    for (const int each : files_) close(each);
    setrlimit(RLIMIT_NOFILE, &before_);
  }
  NoDescriptors(const NoDescriptors&) = delete;
  NoDescriptors& operator=(const NoDescriptors&) = delete;

 private:
  rlimit before_{};
  std::vector<int> files_;
};

TEST(port, one_client_has_its_share_and_another_its_own) {
  Rig rig({.total = 10, .per_client = 2});
  EXPECT_TRUE(rig.greets());
  EXPECT_TRUE(rig.greets());
  EXPECT_FALSE(rig.greets());
  EXPECT_TRUE(rig.greets("127.0.0.2"));
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(rig.greets("127.0.0.99")) << "exempt";
  EXPECT_EQ(rig.state, Accepting::kYes) << "a greedy client is no reason to send others elsewhere";
  EXPECT_TRUE(test::has_line(
      rig.metrics.text(), "terrane_connections_refused_total{port=\"test\",reason=\"client\"} 1"));
}

TEST(port, a_client_that_is_sent_away_is_cut_off_and_comes_back_when_its_time_is_over) {
  Rig rig({.total = 10, .per_client = 10});
  for (const char* from : {"127.0.0.1", "127.0.0.2", "127.0.0.99"}) ASSERT_TRUE(rig.greets(from));
  const auto address = [](std::uint8_t last) {
    return AddressBytes{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, last};
  };
  rig.port->send_away(address(99), std::chrono::seconds(60), "exempt");
  rig.port->send_away(address(1), std::chrono::seconds(1), "a reason");
  EXPECT_FALSE(rig.clients[0]->is_greeted()) << "cut off";
  EXPECT_FALSE(rig.greets("127.0.0.1")) << "not yet";
  EXPECT_TRUE(rig.greets("127.0.0.2"));
  EXPECT_TRUE(rig.greets("127.0.0.99"));
  for (const std::size_t other : {1u, 2u}) {
    EXPECT_EQ(send(rig.kept[other], "!", 1, MSG_NOSIGNAL), 1);
    EXPECT_TRUE(rig.clients[other]->is_greeted()) << "somebody else's goes on";
  }
  const std::string text = rig.metrics.text();
  EXPECT_TRUE(test::has_line(text, "terrane_clients_sent_away_total{port=\"test\"} 1"));
  EXPECT_TRUE(test::has_line(
      text, "terrane_connections_refused_total{port=\"test\",reason=\"sent_away\"} 1"));
  EXPECT_EQ(rig.state, Accepting::kYes);
  while (!rig.greets("127.0.0.1")) std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

/// Clients of a rig whose address is not this machine's own, which is never ignored.
struct Ignoring : Rig {
  using Rig::Rig;

  /// So many come at once. @return how many are greeted
  int come(int count, const char* from) {
    std::vector<Client> crowd(static_cast<std::size_t>(count));
    for (const Client& each : crowd) each.connect_to(port->address(), from);
    return static_cast<int>(std::ranges::count_if(crowd, &Client::is_greeted));
  }
  bool ignores(const char* many) {
    const std::string line = "terrane_ignored_clients{port=\"test\"} ";
    return test::has_line(metrics.text(), line + many);
  }
  /// Has many come until they get no answer, and then have got one all the same.
  void expect_to_be_ignored_for_a_while(const char* from) {
    std::atomic<bool> is_enough = false;
    std::thread storm([&] {
      while (!is_enough) come(50, from);
    });
    std::chrono::steady_clock::time_point last;
    do {
      last = std::chrono::steady_clock::now();
    } while (!ignores("1"));
    EXPECT_TRUE(greets("127.0.0.2")) << "somebody else";
    is_enough = true;
    storm.join();
    come(1, from);
    EXPECT_GE(std::chrono::steady_clock::now() - last, std::chrono::milliseconds(900));
  }
};

TEST(port, who_comes_as_fast_as_it_is_refused_gets_no_answer_for_a_while) {
  Ignoring rig({.total = 10, .per_client = 1});
  EXPECT_EQ(rig.come(50, "127.0.0.3"), 1);
  for (int i = 0; i < 15; ++i) rig.come(50, "127.0.0.3");
  EXPECT_TRUE(rig.ignores("0")) << "a crowd";
  rig.expect_to_be_ignored_for_a_while("127.0.0.3");
}

TEST(port, who_has_had_more_than_its_part_gets_no_answer_for_a_while) {
  Ignoring rig({.total = 400, .per_client = 400});
  EXPECT_EQ(rig.come(40, "127.0.0.77"), 40);
  EXPECT_TRUE(rig.ignores("0"));
  rig.expect_to_be_ignored_for_a_while("127.0.0.77");
}

TEST(port, neither_this_machine_nor_a_proxy_is_ignored) {
  Ignoring rig({.total = 10, .per_client = 1});
  for (int i = 0; i < 30; ++i) {
    rig.come(50, "127.0.0.1");
    rig.come(50, "127.0.0.99");
  }
  EXPECT_TRUE(rig.ignores("0"));
}

TEST(port, one_that_is_full_says_so_until_there_is_room) {
  Rig rig({.total = 2, .per_client = 2});
  EXPECT_TRUE(rig.greets("127.0.0.1"));
  EXPECT_TRUE(rig.greets("127.0.0.2"));
  EXPECT_FALSE(rig.greets("127.0.0.3"));
  rig.await(Accepting::kFull);
  close(rig.kept.front());
  rig.kept.erase(rig.kept.begin());
  rig.await(Accepting::kYes);
  EXPECT_TRUE(rig.greets("127.0.0.3"));
}

TEST(port, without_descriptors_it_turns_connections_away_and_goes_on_afterwards) {
  Rig rig({.total = 1000, .per_client = 1000});
  std::array<Client, 20> waiting;
  EXPECT_TRUE(rig.greets());
  {
    const NoDescriptors none;
    for (const Client& each : waiting) {
      each.connect_to(rig.port->address());
      EXPECT_FALSE(each.is_greeted());
    }
    EXPECT_EQ(rig.state, Accepting::kNoDescriptors);
    EXPECT_TRUE(test::has_line(
        rig.metrics.text(),
        "terrane_connections_refused_total{port=\"test\",reason=\"descriptors\"} 20"));
  }
  EXPECT_TRUE(rig.greets());
  rig.await(Accepting::kYes);
}

TEST(port, without_even_a_reserve_connections_wait_until_there_are_descriptors) {
  Rig rig({.total = 1000, .per_client = 1000}, false);
  std::array<Client, 3> waiting;
  {
    const NoDescriptors none;
    rig.start();
    for (const Client& each : waiting) each.connect_to(rig.port->address());
    rig.await(Accepting::kNoDescriptors);
  }
  for (const Client& each : waiting) EXPECT_TRUE(each.is_greeted());
  rig.await(Accepting::kYes);
}

TEST(port, want_of_descriptors_shows_before_anybody_comes) {
  Rig rig({.total = 1000, .per_client = 1000});
  const NoDescriptors none;
  rig.await(Accepting::kNoDescriptors);
}

TEST(port, a_connection_of_a_proxys_is_its_clients) {
  const auto proxied = std::make_shared<ProxiedClients>();
  Rig rig({.total = 10, .per_client = 2}, true, proxied);
  EXPECT_TRUE(rig.greets_for(7));
  EXPECT_TRUE(rig.greets_for(7));
  EXPECT_FALSE(rig.greets_for(7)) << "as many as one client may have";
  EXPECT_TRUE(rig.greets_for(8));
  EXPECT_TRUE(rig.greets("127.0.0.1")) << "no proxy, and says nothing";
  const auto first = rig.clients[0]->endpoint();
  EXPECT_EQ(proxied->find(first), Rig::address(7));
  EXPECT_EQ(proxied->find(rig.clients[3]->endpoint()), Rig::address(8));
  EXPECT_EQ(proxied->find(rig.clients[4]->endpoint()), std::nullopt);
  rig.port->send_away(Rig::address(7), std::chrono::seconds(60), "a reason");
  EXPECT_FALSE(rig.clients[0]->is_greeted()) << "cut off";
  EXPECT_FALSE(rig.greets_for(7)) << "not yet";
  EXPECT_TRUE(rig.greets_for(9));
  close(rig.kept.front());
  rig.kept.erase(rig.kept.begin());
  while (proxied->find(first)) std::this_thread::yield();  // forgotten when it is closed
  EXPECT_TRUE(test::has_line(
      rig.metrics.text(), "terrane_connections_refused_total{port=\"test\",reason=\"client\"} 1"));
}

TEST(port, a_proxy_that_does_not_say_for_whom_is_refused) {
  Rig rig({.total = 10, .per_client = 10}, true, std::make_shared<ProxiedClients>());
  for (const char* said : {"", "PRI * HTTP/2.0\r\n", "PROXY TCP4 203.0.113.7 10.0.0.1 1 2\r\n"}) {
    Client proxy;
    proxy.connect_to(rig.port->address(), Rig::kProxy);
    proxy.say(said);
    EXPECT_FALSE(proxy.is_greeted()) << said;
  }
  EXPECT_TRUE(
      test::has_line(rig.metrics.text(),
                     "terrane_connections_refused_total{port=\"test\",reason=\"proxy_header\"} 3"));
  EXPECT_EQ(rig.state, Accepting::kYes);
  Client gone, waits;
  gone.connect_to(rig.port->address(), Rig::kProxy);
  waits.connect_to(rig.port->address(), Rig::kProxy);
  waits.say(Rig::header_for(7).substr(0, 5));  // the port ends meanwhile
}

}  // namespace
}  // namespace terrane::net
