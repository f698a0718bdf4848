// terrane_connection against real servers, and against those that are none: C functions alone.
#include "terrane/connection.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "e2e/hostile_web_server.h"
#include "e2e/running_server.h"
#include "support/certificates.h"
#include "support/http_connection.h"
#include "support/prometheus_text.h"
#include "support/time_scale.h"
#include "support/tokens.h"

namespace terrane::e2e {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Key = std::tuple<std::uint32_t, std::int64_t, std::int64_t>;

struct Servers {
  std::string urls;
  std::optional<std::string> token = {};
  std::string ca_file = {};
  std::uint32_t patience_ms = 0;
  bool insecure_token = false;

  [[nodiscard]] terrane_connection_options options() const {
    terrane_connection_options options{};
    options.struct_size = sizeof options;
    options.urls = urls.c_str();
    options.token = token ? token->c_str() : nullptr;
    options.ca_file = ca_file.empty() ? nullptr : ca_file.c_str();
    options.patience_ms = patience_ms;
    options.insecure_token = insecure_token ? 1 : 0;
    return options;
  }
};

terrane_error no_error() {
  terrane_error error{};
  error.struct_size = sizeof error;
  return error;
}

/// A game in C: an explorer and its connection.
class Game {
 public:
  explicit Game(const Servers& servers, const char* world = "continents", std::uint8_t sight = 4) {
    terrane_explore_options wanted{};
    wanted.struct_size = sizeof wanted;
    wanted.world = world;
    wanted.seed = 7;
    wanted.view_distances[0] = sight;
    EXPECT_EQ(terrane_explorer_create(TERRANE_ABI_VERSION, &wanted, &explorer_, nullptr),
              TERRANE_OK);
    const auto options = servers.options();
    terrane_error error = no_error();
    EXPECT_EQ(
        terrane_connection_open(TERRANE_ABI_VERSION, &options, explorer_, &connection_, &error),
        TERRANE_OK)
        << error.message;
  }
  Game(const Game&) = delete;
  Game& operator=(const Game&) = delete;
  ~Game() {
    EXPECT_LT(close(), 1s * time_scale());
    terrane_explorer_destroy(explorer_);
  }

  /// @return how long it took
  Clock::duration close() {
    const auto start = Clock::now();
    terrane_connection_close(connection_);
    connection_ = nullptr;
    return Clock::now() - start;
  }

  void move(double x, double y) {
    terrane_pose pose{};
    pose.x = x;
    pose.y = y;
    EXPECT_EQ(terrane_explorer_move(explorer_, &pose, terrane_connection_now(), nullptr),
              TERRANE_OK);
    terrane_connection_flush(connection_);
  }

  /// Plays until it is so. @return whether it came to that within a minute
  bool until(const std::function<bool()>& done) {
    const auto end = Clock::now() + 60s;
    for (;;) {
      poll();
      terrane_connection_flush(connection_);
      if (done()) return true;
      if (Clock::now() > end) return false;
      terrane_connection_wait(connection_, 50);
    }
  }
  bool until_at_hand(std::size_t tiles) {
    return until([&] { return at_hand.size() >= tiles; });
  }
  bool until_told() {
    return until([&] { return code != TERRANE_OK; });
  }

  [[nodiscard]] terrane_connection* connection() { return connection_; }

  std::set<Key> at_hand;
  std::uint32_t state = TERRANE_CONNECTING;
  terrane_code code = TERRANE_OK;
  std::string message;

 private:
  void poll() {
    terrane_event events[32];
    std::size_t count = 0;
    do {
      count = terrane_explorer_poll(explorer_, events, 32);
      for (std::size_t i = 0; i < count; ++i) take(events[i]);
    } while (count == 32);
  }
  void take(const terrane_event& event) {
    const Key key{event.tile.lod, event.tile.x, event.tile.y};
    if (event.kind == TERRANE_ARRIVED) {
      EXPECT_TRUE(at_hand.insert(key).second) << "told twice";
    }
    if (event.kind == TERRANE_OUT_OF_RANGE_NOW) at_hand.erase(key);
    if (event.kind != TERRANE_STATE) return;
    state = event.state;
    code = event.code;
    terrane_error error = no_error();
    terrane_explorer_get_error(explorer_, &error);
    message = error.message;
  }

  terrane_explorer* explorer_ = nullptr;
  terrane_connection* connection_ = nullptr;
};

std::string ws(const RunningServer& server) { return "ws://" + server.process.http_address(); }

void expect_says(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

constexpr std::size_t kView4 = 49;  // tiles of a view of 4 in full

/// The tiles that a viewer of 4 tiles sees, however the server counts them.
bool sees_all(Game& game) { return game.until_at_hand(kView4); }

TEST(connection, brings_a_view_and_a_world_to_draw_it_with) {
  const TempDirectory data;
  RunningServer server(data);
  const Servers servers{ws(server)};
  Game game(servers);
  game.move(100, 100);
  ASSERT_TRUE(sees_all(game)) << game.message;
  EXPECT_EQ(game.state, static_cast<std::uint32_t>(TERRANE_STREAMING));

  terrane_world* world = nullptr;
  terrane_error error = no_error();
  const auto options = servers.options();
  ASSERT_EQ(terrane_download_world(TERRANE_ABI_VERSION, &options, "continents", &world, &error),
            TERRANE_OK)
      << error.message;
  terrane_world_info info{};
  info.struct_size = sizeof info;
  terrane_world_get_info(world, &info);
  EXPECT_STREQ(info.name, "continents");
  EXPECT_GT(info.biomes, 10u);
  terrane_world_close(world);
  game.close();
  server.stop_cleanly();
}

TEST(connection, goes_to_the_next_server_where_one_is_not_there) {
  const TempDirectory data;
  RunningServer server(data);
  Game game({"ws://127.0.0.1:1,ws://127.0.0.1:2, " + ws(server)});
  game.move(100, 100);
  ASSERT_TRUE(sees_all(game)) << game.message;
}

TEST(connection, may_be_closed_and_opened_anew_for_the_same_explorer) {
  const TempDirectory data;
  RunningServer server(data);
  const auto given = Servers{ws(server)};
  const auto options = given.options();
  terrane_explore_options wanted{};
  wanted.struct_size = sizeof wanted;
  wanted.world = "continents";
  wanted.view_distances[0] = 4;
  terrane_explorer* explorer = nullptr;
  ASSERT_EQ(terrane_explorer_create(TERRANE_ABI_VERSION, &wanted, &explorer, nullptr), TERRANE_OK);
  std::set<Key> at_hand;
  for (unsigned round = 0; round < 4; ++round) {
    terrane_connection* connection = nullptr;
    ASSERT_EQ(
        terrane_connection_open(TERRANE_ABI_VERSION, &options, explorer, &connection, nullptr),
        TERRANE_OK);
    terrane_pose pose{};
    pose.x = 64.0 * round;
    terrane_explorer_move(explorer, &pose, terrane_connection_now(), nullptr);
    terrane_connection_flush(connection);
    const std::size_t enough = round == 3 ? kView4 : 10 * (round + 1);
    const auto end = Clock::now() + 60s;
    while (at_hand.size() < enough && Clock::now() < end) {
      terrane_event events[8];
      const std::size_t count = terrane_explorer_poll(explorer, events, 8);
      for (std::size_t i = 0; i < count; ++i) {
        const Key key{events[i].tile.lod, events[i].tile.x, events[i].tile.y};
        if (events[i].kind == TERRANE_ARRIVED) {
          EXPECT_TRUE(at_hand.insert(key).second) << "told twice";
        }
        if (events[i].kind == TERRANE_OUT_OF_RANGE_NOW) at_hand.erase(key);
      }
      terrane_connection_flush(connection);
      if (count == 0) terrane_connection_wait(connection, 50);
    }
    EXPECT_GE(at_hand.size(), enough);
    terrane_connection_close(connection);
  }
  terrane_explorer_destroy(explorer);
  server.stop_cleanly();
}

TEST(connection, is_the_only_one_of_its_explorer) {
  const Servers servers{"ws://127.0.0.1:1"};
  const auto options = servers.options();
  terrane_explore_options wanted{};
  wanted.struct_size = sizeof wanted;
  wanted.world = "continents";
  terrane_explorer* explorer = nullptr;
  ASSERT_EQ(terrane_explorer_create(TERRANE_ABI_VERSION, &wanted, &explorer, nullptr), TERRANE_OK);
  terrane_connection *connection = nullptr, *other = nullptr;
  terrane_error error = no_error();
  ASSERT_EQ(terrane_connection_open(TERRANE_ABI_VERSION, &options, explorer, &connection, &error),
            TERRANE_OK);
  EXPECT_EQ(terrane_connection_open(TERRANE_ABI_VERSION, &options, explorer, &other, &error),
            TERRANE_FAILED_PRECONDITION);
  expect_says(error.message, "has a connection already");
  terrane_connection_close(connection);
  EXPECT_EQ(terrane_connection_open(TERRANE_ABI_VERSION, &options, explorer, &other, &error),
            TERRANE_OK);
  terrane_connection_close(other);
  terrane_explorer_destroy(explorer);
}

/// A network that swallows: nobody accepts, and the queue of those who wait is full.
class Hole {
 public:
  Hole() : acceptor_(io_, {boost::asio::ip::address_v4::loopback(), 0}) {
    acceptor_.listen(0);
    for (auto& socket : waiting_) {
      socket.native_non_blocking(true);
      const auto to = acceptor_.local_endpoint();
      (void)::connect(socket.native_handle(), to.data(), static_cast<socklen_t>(to.size()));
    }
  }
  [[nodiscard]] std::string url() const {
    return "ws://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
  }

 private:
  static boost::asio::ip::tcp::socket socket_of(boost::asio::io_context& io) {
    return {io, boost::asio::ip::tcp::v4()};
  }
  boost::asio::io_context io_;
  boost::asio::ip::tcp::acceptor acceptor_;
  std::array<boost::asio::ip::tcp::socket, 4> waiting_{socket_of(io_), socket_of(io_),
                                                       socket_of(io_), socket_of(io_)};
};

TEST(connection, goes_to_the_next_server_where_one_says_nothing) {
  const TempDirectory data;
  RunningServer server(data);
  const Hole hole;
  const Servers servers{.urls = hole.url() + "," + ws(server), .patience_ms = 3000};
  const auto options = servers.options();
  terrane_world* world = nullptr;
  terrane_error error = no_error();
  EXPECT_EQ(terrane_download_world(TERRANE_ABI_VERSION, &options, "perlin", &world, &error),
            TERRANE_OK)
      << error.message;
  terrane_world_close(world);
  Game game(servers);
  game.move(100, 100);
  EXPECT_TRUE(sees_all(game)) << game.message;
}

TEST(connection, tells_what_the_server_says_of_a_world_that_is_not_there) {
  const TempDirectory data;
  RunningServer server(data);
  Game game({ws(server)}, "atlantis");
  game.move(0, 0);
  ASSERT_TRUE(game.until_told());
  EXPECT_EQ(game.code, TERRANE_NOT_FOUND);
  EXPECT_EQ(game.state, static_cast<std::uint32_t>(TERRANE_ENDED));
  expect_says(game.message, "atlantis");

  terrane_world* world = nullptr;
  terrane_error error = no_error();
  const Servers servers{ws(server)};
  const auto options = servers.options();
  EXPECT_EQ(terrane_download_world(TERRANE_ABI_VERSION, &options, "a/../b c", &world, &error),
            TERRANE_NOT_FOUND);
  expect_says(error.message, "a/../b c");
  EXPECT_EQ(world, nullptr);
}

TEST(connection, is_refused_for_options_that_cannot_work) {
  terrane_explore_options wanted{};
  wanted.struct_size = sizeof wanted;
  wanted.world = "continents";
  terrane_explorer* explorer = nullptr;
  ASSERT_EQ(terrane_explorer_create(TERRANE_ABI_VERSION, &wanted, &explorer, nullptr), TERRANE_OK);
  const TempDirectory files;
  const std::string empty = files.path() / "empty";
  std::ofstream(empty) << std::flush;
  const struct {
    Servers servers;
    const char* reason;
  } cases[] = {
      {{"127.0.0.1:4151"}, "begins with neither ws:// nor wss://"},
      {{"ws://a,ws://b:0"}, "'ws://b:0' has no port"},
      {{.urls = "wss://a", .ca_file = "/nowhere/at.all"}, "/nowhere/at.all"},
      {{.urls = "wss://a", .ca_file = empty}, empty.c_str()},
      {{.urls = "ws://127.0.0.1", .token = "two words"}, "the token"},
      {{.urls = "ws://127.0.0.1", .token = "a\r\nHost: b"}, "the token"},
      {{.urls = "ws://10.0.0.1", .token = "secret"}, "in the clear"},
      {{.urls = "wss://a,ws://game.example", .token = "secret"}, "ws://game.example in the clear"},
  };
  for (const auto& [servers, reason] : cases) {
    const auto options = servers.options();
    terrane_error error = no_error();
    terrane_connection* connection = nullptr;
    EXPECT_EQ(terrane_connection_open(TERRANE_ABI_VERSION, &options, explorer, &connection, &error),
              TERRANE_INVALID_ARGUMENT);
    expect_says(error.message, reason);
    EXPECT_EQ(std::string(error.message).find("secret"), std::string::npos);
    EXPECT_EQ(connection, nullptr);
  }
  const Servers good{"ws://127.0.0.1:1"};
  auto options = good.options();
  terrane_connection* connection = nullptr;
  EXPECT_EQ(
      terrane_connection_open(TERRANE_ABI_VERSION + 1, &options, explorer, &connection, nullptr),
      TERRANE_INVALID_ARGUMENT);
  EXPECT_EQ(terrane_connection_open(TERRANE_ABI_VERSION, nullptr, explorer, &connection, nullptr),
            TERRANE_INVALID_ARGUMENT);
  options.struct_size = 4;
  EXPECT_EQ(terrane_connection_open(TERRANE_ABI_VERSION, &options, explorer, &connection, nullptr),
            TERRANE_INVALID_ARGUMENT);
  terrane_connection_close(nullptr);
  terrane_explorer_destroy(explorer);
}

TEST(connection, of_a_local_explorer_is_none) {
  const TempDirectory data;
  RunningServer server(data);
  const Servers servers{ws(server)};
  const auto options = servers.options();
  terrane_world* world = nullptr;
  ASSERT_EQ(terrane_download_world(TERRANE_ABI_VERSION, &options, "perlin", &world, nullptr),
            TERRANE_OK);
  terrane_explore_options wanted{};
  wanted.struct_size = sizeof wanted;
  terrane_explorer* explorer = nullptr;
  ASSERT_EQ(terrane_explorer_create_local(TERRANE_ABI_VERSION, world, &wanted, &explorer, nullptr),
            TERRANE_OK);
  terrane_connection* connection = nullptr;
  EXPECT_EQ(terrane_connection_open(TERRANE_ABI_VERSION, &options, explorer, &connection, nullptr),
            TERRANE_FAILED_PRECONDITION);
  terrane_explorer_destroy(explorer);
  terrane_world_close(world);
}

/// A server with certificates, which only those trust who trust the authority.
struct Encrypted {
  /// @param http  where it listens; the certificate is for 127.0.0.1 and localhost
  explicit Encrypted(const std::string& http = "127.0.0.1:0") : server(data, flags(http)) {}
  std::vector<std::string> flags(const std::string& http) {
    const test::Identity own = authority.issue("the server");
    return {"--tls-cert", file("chain", own.certificate),
            "--tls-key",  file("key", own.key),
            "--http",     http};
  }
  std::string file(const std::string& name, const std::string& text) const {
    std::string path = files.path() / name;
    std::ofstream(path) << text;
    return path;
  }
  /// @param host  what the client calls the server
  std::string url(const std::string& host = "127.0.0.1") const {
    const std::string address = server.process.http_address();
    return "wss://" + host + address.substr(address.rfind(':'));
  }
  std::string ca() const { return file("ca", authority.certificate()); }

  TempDirectory data, files;
  test::Authority authority{"a company"};
  RunningServer server;
};

TEST(connection, is_encrypted_with_who_is_trusted_and_with_nobody_else) {
  const Encrypted encrypted;
  for (const char* host : {"127.0.0.1", "localhost"}) {
    Game game({.urls = encrypted.url(host), .ca_file = encrypted.ca()});
    game.move(100, 100);
    EXPECT_TRUE(sees_all(game)) << game.message;
  }
  terrane_world* world = nullptr;
  terrane_error error = no_error();
  const Servers trusting{.urls = encrypted.url(), .ca_file = encrypted.ca()};
  auto options = trusting.options();
  EXPECT_EQ(terrane_download_world(TERRANE_ABI_VERSION, &options, "perlin", &world, &error),
            TERRANE_OK)
      << error.message;
  terrane_world_close(world);

  const test::Authority stranger("somebody else");
  const Encrypted elsewhere("127.0.0.2:0");
  const struct {
    Servers servers;
    const char* reason;
  } cases[] = {
      {{.urls = encrypted.url()}, "certificate verify failed"},
      {{.urls = encrypted.url(), .ca_file = encrypted.file("s", stranger.certificate())},
       "certificate verify failed"},
      // an address that the certificate does not name
      {{.urls = elsewhere.url("127.0.0.2"), .ca_file = elsewhere.ca()},
       "certificate verify failed"},
      {{.urls = "ws" + encrypted.url().substr(3)}, "no WebSocket"},
  };
  for (const auto& [servers, reason] : cases) {
    Game game(servers);
    game.move(100, 100);
    ASSERT_TRUE(game.until_told());
    EXPECT_EQ(game.code, TERRANE_UNAVAILABLE) << reason;
    expect_says(game.message, reason);
    EXPECT_TRUE(game.at_hand.empty());
  }
}

/// A server that asks for tokens.
struct Guarded {
  Guarded()
      : server(data, {"--token-keys", file("keys", test::key_set(issuer.jwk())), "--token-issuer",
                      "issuer", "--token-audience", "terrane", "--token-leeway", "0"}) {}
  std::string file(const std::string& name, const std::string& text) const {
    std::string path = files.path() / name;
    std::ofstream(path) << text;
    return path;
  }
  std::string token(std::chrono::seconds lasts = 1h) const {
    return issuer.sign(test::claims_of("a player", "", lasts));
  }
  std::string metrics() const {
    return test::Connection(server.process.http_address()).ask(test::get("/metrics"))->body;
  }

  TempDirectory data, files;
  test::TokenIssuer issuer = test::TokenIssuer::with_ec();
  RunningServer server;
};

TEST(connection, shows_its_token_and_is_told_where_that_is_none) {
  const Guarded guarded;
  const std::string url = ws(guarded.server);
  {
    Game game({.urls = url, .token = guarded.token()});
    game.move(100, 100);
    EXPECT_TRUE(sees_all(game)) << game.message;
  }
  for (const std::optional<std::string>& wrong :
       {std::optional<std::string>(), std::optional<std::string>("made_up"),
        std::optional(guarded.token(-1h))}) {
    const Servers servers{.urls = url, .token = wrong};
    Game game(servers);
    game.move(100, 100);
    ASSERT_TRUE(game.until_told());
    EXPECT_EQ(game.code, TERRANE_UNAUTHENTICATED) << game.message;
    EXPECT_EQ(game.state, static_cast<std::uint32_t>(TERRANE_ENDED));
    terrane_world* world = nullptr;
    const auto options = servers.options();
    EXPECT_EQ(terrane_download_world(TERRANE_ABI_VERSION, &options, "perlin", &world, nullptr),
              TERRANE_UNAUTHENTICATED);
  }
}

TEST(connection, waits_for_a_token_that_is_set_later) {
  const Guarded guarded;
  Game game({.urls = ws(guarded.server), .token = ""});
  game.move(100, 100);
  for (int look = 0; look < 5; ++look) {
    terrane_connection_flush(game.connection());
    EXPECT_EQ(terrane_connection_wait(game.connection(), 50), 0);
  }
  ASSERT_EQ(terrane_connection_set_token(game.connection(), guarded.token().c_str(), nullptr),
            TERRANE_OK);
  EXPECT_TRUE(sees_all(game)) << game.message;
  Game nobody({.urls = ws(guarded.server)});
  EXPECT_EQ(terrane_connection_set_token(nobody.connection(), "late", nullptr),
            TERRANE_FAILED_PRECONDITION);
}

TEST(connection, goes_on_with_a_new_token_when_the_old_one_has_run_out) {
  const Guarded guarded;
  Game game({.urls = ws(guarded.server), .token = guarded.token(4s)});
  game.move(100, 100);
  ASSERT_TRUE(sees_all(game)) << game.message;
  ASSERT_EQ(terrane_connection_set_token(game.connection(), guarded.token().c_str(), nullptr),
            TERRANE_OK);
  // a game that looks late may never see the state between two streams: the server has seen both
  ASSERT_TRUE(game.until([&] {
    const std::string page = guarded.metrics();
    return test::value_of(page,
                          R"(terrane_requests_total{rpc="Explore",code="UNAUTHENTICATED"})") == 1 &&
           test::value_of(page, R"(terrane_open_calls{rpc="Explore"})") == 1 &&
           game.state == TERRANE_STREAMING;
  })) << game.message;
  EXPECT_EQ(terrane_connection_set_token(game.connection(), "a b", nullptr),
            TERRANE_INVALID_ARGUMENT);
}

/// What servers may do that are none of ours: the game is told, or nothing happens, and the
/// connection closes at once.
TEST(connection, survives_whatever_answers) {
  using Manners = HostileWebServer::Manners;
  const struct {
    Manners manners;
    terrane_code code;
    const char* reason;
  } cases[] = {
      {Manners::kSilent, TERRANE_UNAVAILABLE, "within 700 ms"},
      {Manners::kHangsUp, TERRANE_UNAVAILABLE, "no WebSocket"},
      {Manners::kJunk, TERRANE_UNAVAILABLE, "no WebSocket"},
      {Manners::kEndlessHeader, TERRANE_UNAVAILABLE, "no WebSocket"},
      {Manners::kBadGateway, TERRANE_UNAVAILABLE, "HTTP 502"},
      {Manners::kRedirect, TERRANE_UNAVAILABLE, "HTTP 301"},
      {Manners::kNotFound, TERRANE_NOT_FOUND, "HTTP 404"},
      {Manners::kBinaryJunk, TERRANE_DATA_LOSS, ""},
      {Manners::kHugeMessage, TERRANE_UNAVAILABLE, "is lost"},
      {Manners::kTextForever, TERRANE_UNAVAILABLE, "is lost"},
      {Manners::kBadFrames, TERRANE_UNAVAILABLE, "is lost"},
      {Manners::kOddClose, TERRANE_UNAVAILABLE, "closed with code 4999"},
  };
  for (const auto& [manners, code, reason] : cases) {
    const HostileWebServer server(manners);
    Game game({.urls = "ws://" + server.address(), .patience_ms = 700});
    game.move(0, 0);
    ASSERT_TRUE(game.until_told()) << "manners " << static_cast<int>(manners);
    EXPECT_EQ(game.code, code) << "manners " << static_cast<int>(manners) << ": " << game.message;
    expect_says(game.message, reason);
    EXPECT_TRUE(game.at_hand.empty());
  }
}

TEST(connection, is_given_up_when_the_server_is_silent) {
  const HostileWebServer server(HostileWebServer::Manners::kWelcomesAndIsSilent);
  Game game({.urls = "ws://" + server.address()});
  game.move(0, 0);
  ASSERT_TRUE(game.until_told());  // ten seconds
  EXPECT_EQ(game.code, TERRANE_UNAVAILABLE);
  expect_says(game.message, "has been silent");
}

TEST(connection, closes_at_once_in_the_midst_of_everything) {
  using Manners = HostileWebServer::Manners;
  for (const Manners manners :
       {Manners::kSilent, Manners::kWelcomesAndIsSilent, Manners::kTextForever,
        Manners::kPingsForever, Manners::kAsksToClose}) {
    const HostileWebServer server(manners);
    Game game({.urls = "ws://" + server.address()});
    game.move(0, 0);
    server.wait_for_client();
    EXPECT_LT(game.close(), 500ms * time_scale()) << static_cast<int>(manners);
  }
}

TEST(connection, asks_no_longer_for_a_world_than_it_may) {
  const HostileWebServer server(HostileWebServer::Manners::kSilent);
  const Servers servers{.urls = "ws://" + server.address(), .patience_ms = 300};
  const auto options = servers.options();
  terrane_world* world = nullptr;
  terrane_error error = no_error();
  const auto start = Clock::now();
  EXPECT_EQ(terrane_download_world(TERRANE_ABI_VERSION, &options, "perlin", &world, &error),
            TERRANE_DEADLINE_EXCEEDED);
  EXPECT_LT(Clock::now() - start, 2s * time_scale());
  for (const auto manners :
       {HostileWebServer::Manners::kJunk, HostileWebServer::Manners::kHangsUp,
        HostileWebServer::Manners::kEndlessHeader, HostileWebServer::Manners::kHugePage,
        HostileWebServer::Manners::kBadGateway}) {
    const HostileWebServer other(manners);
    const Servers others{.urls = "ws://" + other.address(), .patience_ms = 2000};
    const auto asked = others.options();
    EXPECT_EQ(terrane_download_world(TERRANE_ABI_VERSION, &asked, "perlin", &world, &error),
              TERRANE_UNAVAILABLE)
        << error.message;
  }
  EXPECT_EQ(world, nullptr);
}

TEST(connection, leaves_no_descriptors_behind) {
  const auto open_files = [] {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
      ++count;
    return count;
  };
  const HostileWebServer server(HostileWebServer::Manners::kHangsUp);
  const std::size_t before = open_files();
  for (int i = 0; i < 20; ++i) {
    Game game({.urls = "ws://" + server.address()});
    game.move(0, 0);
    ASSERT_TRUE(game.until_told());
  }
  EXPECT_LE(open_files(), before + 2);
}

}  // namespace
}  // namespace terrane::e2e
