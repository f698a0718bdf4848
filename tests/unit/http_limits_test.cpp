#include <optional>
#include <thread>
#include <vector>

#include "http/http_metrics.h"
#include "http_rig.h"
#include "support/prometheus_text.h"

namespace terrane::http {
namespace {

using std::chrono::milliseconds;

TEST(http_limits, an_idle_connection_is_closed) {
  Rig rig({.idle = milliseconds(50)});
  EXPECT_TRUE(rig.connect().is_closed());
  rig.await("terrane_http_connections_closed_total{reason=\"timeout\"} 1");
}

TEST(http_limits, a_connection_that_idles_after_an_answer_is_closed) {
  Rig rig({.idle = milliseconds(50)});
  bool answered = false;
  while (!answered) {  // unless the machine is so busy that the question comes too late
    auto connection = rig.connect();
    answered = connection.ask(get("/healthz")).has_value();
    EXPECT_TRUE(connection.is_closed());
  }
}

TEST(http_limits, a_request_that_never_ends_is_cut_off_however_many_bytes_trickle_in) {
  Rig rig(
      {.max_header_bytes = 1u << 30, .idle = milliseconds(60'000), .request = milliseconds(50)});
  auto slow = rig.connect();
  slow.send("GET /healthz HTTP/1.1\r\n");
  std::thread trickle([&] {
    for (int i = 0;
         i < 1'000'000 && !rig.shows("terrane_http_connections_closed_total{reason=\"timeout\"} 1");
         ++i)
      slow.send("X: y\r\n");
  });
  EXPECT_TRUE(slow.is_closed());
  trickle.join();
  EXPECT_TRUE(rig.shows("terrane_http_connections_closed_total{reason=\"timeout\"} 1"))
      << rig.metrics.text();
}

TEST(http_limits, requests_that_come_a_byte_at_a_time_are_answered_one_like_the_other) {
  Rig rig;
  auto slow = rig.connect();
  for (int i = 0; i < 2; ++i) {
    for (const char byte : get("/healthz")) slow.send({&byte, 1});
    const auto answer = slow.answer();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200);
  }
  EXPECT_TRUE(slow.ask(get("/healthz"))) << "one that comes as a whole, too";
}

TEST(http_limits, a_client_that_does_not_read_is_cut_off) {
  Rig rig({.answer = milliseconds(50)});
  for (int i = 0; i < 2000; ++i) {
    rig.metrics.counter("padding_total", "Makes the page long.", {{"number", std::to_string(i)}})
        .add();
  }
  auto stalled = rig.connect(4096);
  constexpr int kRequests = 1000;
  std::string requests;
  for (int i = 0; i < kRequests; ++i) requests += get("/metrics");
  stalled.send(requests);
  rig.await("terrane_http_connections_closed_total{reason=\"timeout\"} 1");
  int answers = 0;
  while (stalled.answer()) ++answers;
  EXPECT_LT(answers, kRequests);
}

TEST(http_limits, connections_past_the_limit_are_closed_at_once_and_others_go_on) {
  Rig rig({.connections = {.total = 100, .per_client = 3}});
  std::vector<Connection> connections;
  for (int i = 0; i < 3; ++i) {
    connections.push_back(rig.connect());
    ASSERT_TRUE(connections.back().ask(get("/healthz")));
  }
  EXPECT_TRUE(rig.connect().is_closed());
  EXPECT_TRUE(rig.shows("terrane_connections_refused_total{port=\"http\",reason=\"client\"} 1"))
      << rig.metrics.text();
  for (auto& connection : connections) EXPECT_EQ(connection.ask(get("/healthz"))->status, 200);
}

TEST(http_limits, a_connection_that_ends_makes_room_for_another) {
  Rig rig({.connections = {.total = 1, .per_client = 1}});
  for (int i = 0; i < 20; ++i) {
    std::optional<Answer> answer;
    // until the server has noticed that the last one went
    while (!answer) answer = rig.connect().ask(get("/healthz"));
    EXPECT_EQ(answer->status, 200);
  }
}

TEST(http_limits, hundreds_of_connections_are_served_side_by_side) {
  Rig rig;
  std::vector<Connection> connections;
  for (int i = 0; i < 400; ++i) {
    connections.push_back(rig.connect());
    connections.back().send("GET /healthz HTTP/1.1\r\n");
  }
  for (auto& connection : connections) connection.send("Host: here\r\n\r\n");
  for (auto& connection : connections) EXPECT_EQ(connection.answer()->body, "alive\n");
  EXPECT_TRUE(rig.shows("terrane_http_open_connections 400")) << rig.metrics.text();
}

TEST(http_metrics, requests_are_timed_by_what_they_ask_for) {
  ops::Metrics metrics;
  const HttpMetrics counts(metrics);
  for (const char* target :
       {"/v1/classic/7/points/3,4;5,6", "/v1/realms/home/points/1,2?x=/tiles/", "/v1/worlds",
        "/v1/worlds/classic", "/v1/f/0123456789abcdef/7/1/tiles/relief/0/1/2.png", "/", "", "/v1",
        "/v1/", "//points/", "/points/1", "/v1//", "/metrics"})
    counts.seconds_of(target).observe(milliseconds(1));
  const std::string text = metrics.text();
  const auto count_of = [&](const std::string& kind) {
    return test::value_of(text, "terrane_http_request_seconds_count{kind=\"" + kind + "\"}");
  };
  EXPECT_EQ(count_of("points"), 2);
  EXPECT_EQ(count_of("worlds"), 2);
  EXPECT_EQ(count_of("tiles"), 1);
  EXPECT_EQ(count_of("other"), 8);
}

}  // namespace
}  // namespace terrane::http
