// What is the WebSocket's own of Explore: who may open one, how it ends, and what no client of ours
// sends.
#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include "e2e/explore_client.h"
#include "e2e/running_server.h"
#include "support/http_connection.h"
#include "support/prometheus_text.h"
#include "support/tokens.h"
#include "support/web_socket_frames.h"

namespace terrane::e2e {
namespace {

using namespace std::chrono_literals;
using test::Connection;

std::string hello_bytes(const v1::Hello& said) {
  v1::ExploreRequest request;
  *request.mutable_hello() = said;
  return request.SerializeAsString();
}

int opened(Connection& connection, const std::string& fields = "") {
  connection.send(test::web_socket_opening(fields));
  const auto answer = connection.answer(false);
  return answer ? answer->status : 0;
}

class explore_web_socket : public ::testing::Test {
 protected:
  [[nodiscard]] Connection connect() const { return Connection(server_.process.http_address()); }

  const TempDirectory data_;
  RunningServer server_{data_, {"--slow-client", "2", "--http-cors", "https://maps.example"}};
};

TEST_F(explore_web_socket, pages_of_other_origins_are_let_in_where_the_operator_says_so) {
  for (const auto& [origin, status] : {std::pair{"", 101},
                                       {"Origin: http://here\r\n", 101},
                                       {"Origin: https://maps.example\r\n", 101},
                                       {"Origin: https://evil.example\r\n", 403},
                                       {"Origin: null\r\n", 403},
                                       {"Origin: https://here\r\n", 403}}) {
    Connection connection = connect();
    EXPECT_EQ(opened(connection, origin), status) << origin;
  }
}

TEST_F(explore_web_socket, who_asks_for_it_otherwise_is_told_what_it_is) {
  Connection connection = connect();
  const auto page = connection.ask(test::get("/v1/explore"));
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 426);
  EXPECT_EQ(page->fields.at("upgrade"), "websocket");
  Connection elsewhere = connect();
  const auto none = elsewhere.ask(test::web_socket_opening("", "/v1/elsewhere"));
  ASSERT_TRUE(none);
  EXPECT_EQ(none->status, 404);
  EXPECT_NE(none->body.find("/v1/explore"), std::string::npos) << none->body;
  Connection old = connect();
  std::string version = test::web_socket_opening();
  version.replace(version.find("Version: 13"), 11, "Version: 12");
  EXPECT_NE(old.ask(version).value_or(test::Answer{}).status, 101);
}

TEST_F(explore_web_socket, who_says_no_hello_is_told_so) {
  const auto silent = talk_over_web_socket(server_.process.http_address(), 60s);
  v1::ExploreRequest request;
  request.mutable_move();
  ASSERT_TRUE(silent->write(request));
  v1::ExploreResponse response;
  EXPECT_FALSE(silent->read(response));
  EXPECT_EQ(silent->finish().error_code(), grpc::INVALID_ARGUMENT);
}

TEST_F(explore_web_socket, who_acknowledges_nothing_is_told_what_was_waited_for) {
  server_.client.explore_over(server_.process.http_address());
  ExploreClient owing(server_.client, hello({4}, 0, 0));
  owing.acknowledge(false);
  owing.read_until([] { return false; });
  const auto metrics = connect().ask(test::get("/metrics"));
  EXPECT_EQ(test::value_of(metrics->body, "terrane_streams_cut_off_total{reason=\"no_ack\"}"), 1);
}

TEST_F(explore_web_socket, who_closes_is_gone) {
  server_.client.explore_over(server_.process.http_address());
  {
    ExploreClient viewer(server_.client, hello({2}, 0, 0));
    ASSERT_TRUE(viewer.read_view({2}, 0, 0));
    EXPECT_TRUE(viewer.finish().ok());
    ExploreClient rude(server_.client, hello({2}, 0, 0));
    ASSERT_TRUE(rude.read());
  }
  Connection connection = connect();
  const auto open = [&] {
    return test::value_of(connection.ask(test::get("/metrics"))->body,
                          "terrane_open_calls{rpc=\"Explore\"}");
  };
  while (open() != 0) std::this_thread::yield();
  server_.stop_cleanly();
}

TEST_F(explore_web_socket, a_draining_server_says_when_to_come_back) {
  server_.client.explore_over(server_.process.http_address());
  ExploreClient viewer(server_.client, hello({2}, 0, 0));
  ASSERT_TRUE(viewer.read_view({2}, 0, 0));
  server_.process.terminate();
  EXPECT_FALSE(viewer.read_until([] { return false; }));
  EXPECT_TRUE(viewer.go_away());
  server_.expect_clean_end();
}

TEST_F(explore_web_socket, what_no_client_sends_ends_the_connection_and_nothing_else) {
  const std::string good =
      test::web_socket_frame(test::kBinaryFrame, hello_bytes(hello({1}, 0, 0)));
  std::string pings;
  for (int i = 0; i < 1000; ++i) pings += test::web_socket_frame(test::kPing, "x");
  std::string pieces = test::web_socket_frame(test::kBinaryBegins, "x");
  for (int i = 0; i < 1000; ++i) pieces += test::web_socket_frame(0x00, "");
  const std::vector<std::string> hostile{
      test::web_socket_frame(test::kTextFrame, "hello"),
      test::web_socket_frame(
          test::kBinaryFrame,
          std::string(300'000, 'x')),  // no longer than a message may be anywhere
      test::web_socket_frame(test::kBinaryFrame, std::string(5'000'000, 'x')),
      std::string("\x82\x7f\xff\xff\xff\xff\xff\xff\xff\xff", 10),  // a frame of 2^64 - 1 bytes
      std::string("\x82\x05hello", 7),                              // without a mask
      test::web_socket_frame(0xf2, "reserved bits"),
      test::web_socket_frame(0x83, "no such kind"),
      good + test::web_socket_frame(test::kTextFrame, "{}"),
      good + good,
      pings,
      good + pings,
      pieces + pings,
      "GET / HTTP/1.1\r\nHost: here\r\n\r\n"};
  for (const std::string& bytes : hostile) {
    Connection connection = connect();
    ASSERT_EQ(opened(connection), 101);
    connection.send(bytes);
    connection.rest();  // until it is closed
  }
  ExploreClient viewer(server_.client, hello({2}, 0, 0));
  EXPECT_TRUE(viewer.read_view({2}, 0, 0)) << "others go on";
  EXPECT_TRUE(viewer.finish().ok());
  server_.stop_cleanly();
}

TEST_F(explore_web_socket, frames_that_hold_nothing_end_the_connection) {
  Connection connection = connect();
  ASSERT_EQ(opened(connection), 101);
  connection.send(test::web_socket_frame(test::kBinaryBegins, "x"));
  std::string empty;
  for (int i = 0; i < 1000; ++i) empty += test::web_socket_frame(0x00, "");
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 1000; ++i) connection.send(empty);  // 6 MB, or as many as it takes in
  connection.rest();
  EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
  server_.stop_cleanly();
}

TEST(explore_web_socket_ping, a_viewer_that_has_all_it_wants_may_go_on_for_as_long_as_it_likes) {
  const TempDirectory data;
  RunningServer server(data);
  Connection connection(server.process.http_address());
  ASSERT_EQ(opened(connection), 101);
  connection.send(test::web_socket_frame(test::kBinaryFrame, hello_bytes(hello({1}, 0, 0))));
  for (int i = 0; i < 20; ++i) {
    connection.send(test::web_socket_frame(test::kPing, "x"));
    std::this_thread::sleep_for(150ms);  // as often as this it is no flood
  }
  connection.send(test::web_socket_frame(test::kTextFrame, "goodbye"));
  EXPECT_NE(connection.rest().find("messages are binary"), std::string::npos)
      << "the pings were no harm";
  server.stop_cleanly();
}

/// As proxies do that keep connections to the server.
TEST(explore_web_socket_ping, a_connection_that_has_had_many_requests_is_as_good_as_another) {
  const TempDirectory data;
  RunningServer server(data);
  Connection connection(server.process.http_address());
  const std::string long_request =
      "GET /healthz HTTP/1.1\r\nHost: here\r\nX-Long: " + std::string(4000, 'x') + "\r\n\r\n";
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(connection.ask(long_request));
  ASSERT_EQ(opened(connection), 101);
  connection.send(test::web_socket_frame(test::kBinaryFrame, hello_bytes(hello({1}, 0, 0))));
  std::this_thread::sleep_for(700ms);  // the server looks five times a second
  connection.send(test::web_socket_frame(test::kTextFrame, "goodbye"));
  EXPECT_NE(connection.rest().find("messages are binary"), std::string::npos) << "it was there";
  server.stop_cleanly();
}

/// The server ends the stream, and the client answers with what ends it, too.
TEST_F(explore_web_socket, two_ends_at_once_leave_nothing_behind) {
  for (int i = 0; i < 8; ++i) {
    Connection connection = connect();
    ASSERT_EQ(opened(connection), 101);
    const std::string said =
        test::web_socket_frame(test::kBinaryFrame, hello_bytes(hello({1}, 0, 0)));
    connection.send(said + said + test::web_socket_frame(test::kTextFrame, "me too"));
    connection.rest();
  }
  Connection connection = connect();
  const auto open = [&] {
    return test::value_of(connection.ask(test::get("/metrics"))->body,
                          "terrane_http_open_connections");
  };
  while (open() > 1) std::this_thread::yield();
  server_.stop_cleanly();
}

TEST(explore_web_socket_token, comes_in_the_first_message_or_in_the_header) {
  const TempDirectory data;
  std::filesystem::create_directories(data.path());
  const std::string file = data.path() / "access.json";
  std::ofstream(file) << R"({"tokens":[{"name":"all","sha256":")" + test::sha256_hex("whoever") +
                             R"("},{"name":"one","sha256":")" + test::sha256_hex("one") +
                             R"(","max_viewers":1}]})";
  RunningServer server(data, {"--access-file", file, "--slow-client", "2"});
  const auto end_with = [&](const std::string& token) {
    const auto talk = talk_over_web_socket(server.process.http_address(), 60s);
    v1::ExploreRequest request;
    *request.mutable_hello() = hello({1}, 0, 0);
    request.mutable_hello()->set_token(token);
    talk->write(request);
    v1::ExploreResponse response;
    if (talk->read(response)) return grpc::Status::OK;
    return talk->finish();
  };
  EXPECT_TRUE(end_with("whoever").ok());
  EXPECT_EQ(end_with("").error_code(), grpc::UNAUTHENTICATED);
  EXPECT_EQ(end_with("whoeve").error_code(), grpc::UNAUTHENTICATED);
  EXPECT_EQ(server.process.log().find("whoever"), std::string::npos) << "tokens are in no log";
  Connection by_header(server.process.http_address());
  ASSERT_EQ(opened(by_header, "Authorization: Bearer whoever\r\n"), 101);
  by_header.send(test::web_socket_frame(test::kBinaryFrame, hello_bytes(hello({1}, 0, 0))));
  EXPECT_NE(by_header.rest().find("TRC"), std::string::npos)
      << "chunks came, until none was acknowledged";
  server.stop_cleanly();
}

}  // namespace
}  // namespace terrane::e2e
