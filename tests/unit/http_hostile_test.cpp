#include <random>
#include <string>

#include "http_rig.h"

namespace terrane::http {
namespace {

using namespace std::string_literals;

TEST(http_hostile, bytes_that_are_no_http_get_400_and_a_closed_connection) {
  Rig rig;
  for (const std::string& bytes : {
           "\r\n\r\n\r\nGET"s,
           "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 a TLS hello\r\n\r\n"s,
           "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"s,
           "GET\r\n\r\n"s,
           "GET /healthz\r\n\r\n"s,
           "GET /health z HTTP/1.1\r\nHost: here\r\n\r\n"s,
           "GET /healthz HTTP/x.y\r\nHost: here\r\n\r\n"s,
           "GET /\x01 HTTP/1.1\r\nHost: here\r\n\r\n"s,
           "GET /healthz HTTP/1.1\r\nHost\r\n\r\n"s,
           "GET /healthz HTTP/1.1\r\nHost: he\x00re\r\n\r\n"s,
           "GET /healthz HTTP/1.1\r\nHost: here\r\nContent-Length: many\r\n\r\n"s,
           "GET /healthz HTTP/1.1\r\nHost: here\r\nContent-Length: -1\r\n\r\n"s,
           "GET /healthz HTTP/1.1\r\nHost: here\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"s,
           "GET /healthz HTTP/1.1\r\nHost: here\r\nContent-Length: 1\r\n"
           "Transfer-Encoding: chunked\r\n\r\n"s,
           std::string(300, '\0') + "\r\n\r\n",
       }) {
    auto connection = rig.connect();
    const auto answer = connection.ask(bytes);
    ASSERT_TRUE(answer) << bytes;
    EXPECT_EQ(answer->status, 400) << bytes << "\n" << answer->body;
    EXPECT_EQ(answer->fields.at("connection"), "close") << bytes;
    EXPECT_TRUE(connection.is_closed()) << bytes;
  }
}

TEST(http_hostile, a_request_of_http_1_1_without_a_host_gets_400) {
  Rig rig;
  auto connection = rig.connect();
  const auto answer = connection.ask("GET /healthz HTTP/1.1\r\n\r\n");
  EXPECT_EQ(answer->status, 400);
  EXPECT_NE(answer->body.find("Host"), std::string::npos);
}

TEST(http_hostile, a_request_with_two_hosts_gets_400_and_a_closed_connection) {
  Rig rig;
  for (const char* line : {"GET /healthz HTTP/1.0", "GET /healthz HTTP/1.1", "POST / HTTP/1.1"}) {
    auto connection = rig.connect();
    const auto answer = connection.ask(line + "\r\nHost: here\r\nX: y\r\nhost: here\r\n\r\n"s);
    EXPECT_EQ(answer->status, 400);
    EXPECT_NE(answer->body.find("2 fields Host"), std::string::npos) << answer->body;
    EXPECT_TRUE(connection.is_closed());
  }
}

TEST(http_hostile, a_header_past_the_limit_gets_431_and_a_closed_connection) {
  Rig rig;
  for (const std::string& bytes : {
           "GET /" + std::string(9000, 'a'),
           "GET /healthz HTTP/1.1\r\nHost: here\r\nCookie: " + std::string(9000, 'a') + "\r\n\r\n",
           "GET /healthz HTTP/1.1\r\n" + std::string(100'000, 'a'),
       }) {
    auto connection = rig.connect();
    const auto answer = connection.ask(bytes);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 431) << answer->body;
    EXPECT_NE(answer->body.find("8192"), std::string::npos) << answer->body;
    EXPECT_TRUE(connection.is_closed());
  }
}

TEST(http_hostile, a_header_just_within_the_limit_is_served) {
  Rig rig;
  const std::string request =
      "GET /healthz HTTP/1.1\r\nHost: here\r\nCookie: " + std::string(8000, 'a') + "\r\n\r\n";
  EXPECT_EQ(rig.connect().ask(request)->status, 200);
}

TEST(http_hostile, bodies_are_refused_and_not_taken_for_the_next_request) {
  Rig rig;
  const std::string smuggled = get("/metrics");
  for (const auto& [method, status] : {std::pair("GET", 413), std::pair("POST", 405)}) {
    for (const std::string& length :
         {"Content-Length: " + std::to_string(smuggled.size()), "Transfer-Encoding: chunked"s,
          "Content-Length: 18446744073709551615"s}) {
      auto connection = rig.connect();
      const auto answer =
          connection.ask(std::string(method).append(" /healthz HTTP/1.1\r\nHost: here\r\n") +
                         length + "\r\n\r\n" + smuggled);
      ASSERT_TRUE(answer) << length;
      EXPECT_EQ(answer->status, status) << method << " " << length;
      EXPECT_TRUE(connection.is_closed()) << method << " " << length;
    }
  }
}

TEST(http_hostile, random_bytes_do_no_harm) {
  Rig rig({.linger = std::chrono::milliseconds(10)});
  std::mt19937 random(7);
  std::uniform_int_distribution<int> byte(0, 255), length(1, 3000), keep(0, 3);
  const std::string seed =
      get("/healthz") + "HEAD /metrics HTTP/1.1\r\nHost: here\r\nContent-Length: 0\r\n\r\n";
  for (int round = 0; round < 300; ++round) {
    std::string bytes = seed;
    if (keep(random) == 0) {
      bytes.resize(static_cast<std::size_t>(length(random)));
      for (char& c : bytes) c = static_cast<char>(byte(random));
    } else {
      for (int i = 0; i < 3; ++i)
        bytes[static_cast<std::size_t>(byte(random)) % bytes.size()] =
            static_cast<char>(byte(random));
    }
    rig.connect().send(bytes);  // and gone
  }
  EXPECT_EQ(rig.connect().ask(get("/healthz"))->status, 200);
}

}  // namespace
}  // namespace terrane::http
