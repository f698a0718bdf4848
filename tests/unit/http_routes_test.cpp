#include <cstddef>

#include "http_rig.h"

namespace terrane::http {
namespace {

TEST(http_routes, metrics_are_prometheus_text) {
  Rig rig;
  rig.metrics.counter("answers_total", "Counted by the test.").add(42);
  const auto answer = rig.connect().ask(get("/metrics"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->fields.at("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_NE(answer->body.find("# TYPE answers_total counter\nanswers_total 42\n"),
            std::string::npos)
      << answer->body;
}

TEST(http_routes, readiness_follows_the_phase_and_health_does_not) {
  Rig rig;
  auto connection = rig.connect();
  const auto ready = [&](Phase phase) {
    rig.phase = phase;
    EXPECT_EQ(connection.ask(get("/healthz"))->status, 200);
    return *connection.ask(get("/readyz"));
  };
  const Answer starting = ready(Phase::kStarting);
  EXPECT_EQ(starting.status, 503);
  EXPECT_EQ(starting.body, "starting\n");
  EXPECT_EQ(ready(Phase::kServing).status, 200);
  const Answer uncached = ready(Phase::kServingUncached);
  EXPECT_EQ(uncached.status, 200);
  EXPECT_NE(uncached.body.find("--data can't be used"), std::string::npos) << uncached.body;
  const Answer draining = ready(Phase::kDraining);
  EXPECT_EQ(draining.status, 503);
  EXPECT_EQ(draining.body.substr(0, 8), "draining");
}

TEST(http_routes, a_server_whose_port_cannot_accept_is_not_ready) {
  Rig rig;
  auto connection = rig.connect();
  const auto ready = [&] { return *connection.ask(get("/readyz")); };
  rig.ports.grpc = net::Accepting::kFull;
  EXPECT_EQ(ready().status, 503);
  EXPECT_EQ(ready().body, "the gRPC port holds as many connections as it may\n");
  rig.ports.grpc = net::Accepting::kNoDescriptors;
  EXPECT_EQ(ready().status, 503);
  rig.ports.grpc = net::Accepting::kYes;
  EXPECT_EQ(ready().status, 200);
  rig.ports.http = net::Accepting::kNoDescriptors;
  EXPECT_EQ(ready().status, 503);
}

TEST(http_routes, an_unknown_path_gets_404_and_the_routes) {
  Rig rig;
  auto connection = rig.connect();
  for (const char* path :
       {"/", "/metrics/", "/metricsx", "//metrics", "*", "/%6detrics", "/../metrics"}) {
    const auto answer = connection.ask(get(path));
    ASSERT_TRUE(answer) << path;
    EXPECT_EQ(answer->status, 404) << path;
    for (const char* route : {"/metrics", "/healthz", "/readyz"})
      EXPECT_NE(answer->body.find(route), std::string::npos);
  }
}

TEST(http_routes, a_query_changes_nothing) {
  Rig rig;
  EXPECT_EQ(rig.connect().ask(get("/healthz?verbose=1"))->status, 200);
}

TEST(http_routes, a_target_may_be_an_url) {
  Rig rig;
  auto connection = rig.connect();
  for (const char* target :
       {"http://here/healthz", "HTTP://[::1]:80/healthz", "https://x/healthz?y"})
    EXPECT_EQ(connection.ask(get(target))->status, 200) << target;
  for (const char* target : {"http://here", "http:///healthz", "http://here?x=/healthz",
                             "http://here#/healthz", "ftp://here/healthz", "here/healthz"})
    EXPECT_EQ(connection.ask(get(target))->status, 404) << target;
}

TEST(http_routes, head_has_the_fields_of_get_and_no_body) {
  Rig rig;
  auto connection = rig.connect();
  const auto full = connection.ask(get("/healthz"));
  connection.send("HEAD /healthz HTTP/1.1\r\nHost: here\r\n\r\n");
  const auto head = connection.answer(false);
  ASSERT_TRUE(full && head);
  EXPECT_EQ(head->status, 200);
  EXPECT_EQ(head->fields, full->fields);
  EXPECT_EQ(connection.ask(get("/readyz"))->body, "serving\n")
      << "what follows a HEAD must be the next answer";
}

TEST(http_routes, other_methods_are_told_which_are_allowed) {
  Rig rig;
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "BREW"}) {
    auto connection = rig.connect();
    const auto answer =
        connection.ask(std::string(method).append(" /healthz HTTP/1.1\r\nHost: here\r\n\r\n"));
    ASSERT_TRUE(answer) << method;
    EXPECT_EQ(answer->status, 405) << method;
    EXPECT_EQ(answer->fields.at("allow"), "GET, HEAD") << method;
  }
}

TEST(http_routes, who_has_ended_what_it_says_is_answered) {
  Rig rig;
  for (const char* path : {"/", "/nowhere", "/metrics", "/healthz"}) {
    auto connection = rig.connect();
    connection.send(get(path));
    connection.finish();
    EXPECT_TRUE(connection.answer()) << path;
  }
}

TEST(http_routes, requests_sent_together_are_answered_in_order) {
  Rig rig;
  auto connection = rig.connect();
  std::string requests;
  for (int i = 0; i < 100; ++i) requests += get("/healthz") + get("/readyz") + get("/nowhere");
  connection.send(requests);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(connection.answer()->body, "alive\n");
    EXPECT_EQ(connection.answer()->body, "serving\n");
    EXPECT_EQ(connection.answer()->status, 404);
  }
}

TEST(http_routes, a_request_may_come_byte_by_byte) {
  Rig rig;
  auto connection = rig.connect();
  for (const char c : get("/healthz")) connection.send({&c, 1});
  EXPECT_EQ(connection.answer()->body, "alive\n");
}

TEST(http_routes, a_connection_stays_open_as_its_client_says) {
  Rig rig;
  auto old = rig.connect();
  EXPECT_EQ(old.ask("GET /healthz HTTP/1.0\r\n\r\n")->status, 200);
  EXPECT_TRUE(old.is_closed());
  auto old_but_kept = rig.connect();
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(old_but_kept.ask("GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                  ->fields.at("connection"),
              "keep-alive");
  }
  auto last = rig.connect();
  EXPECT_EQ(last.ask("GET /healthz HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
                ->fields.at("connection"),
            "close");
  EXPECT_TRUE(last.is_closed());
}

TEST(http_routes, requests_are_counted_by_status) {
  Rig rig;
  auto connection = rig.connect();
  for (const char* path : {"/healthz", "/readyz", "/nowhere"})
    ASSERT_TRUE(connection.ask(get(path)));
  EXPECT_TRUE(rig.shows("terrane_http_requests_total{code=\"200\"} 2")) << rig.metrics.text();
  EXPECT_TRUE(rig.shows("terrane_http_requests_total{code=\"404\"} 1")) << rig.metrics.text();
  EXPECT_TRUE(rig.shows("terrane_http_open_connections 1")) << rig.metrics.text();
}

TEST(http_routes, a_port_in_use_is_refused_with_the_reason) {
  Rig rig;
  ops::Metrics metrics;
  const auto second = Server::start(rig.server->address(), metrics, rig.phase, rig.ports);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kUnavailable);
  for (const std::string& word :
       {rig.server->address(), std::string("Address already in use"), std::string("--http")}) {
    EXPECT_NE(second.error().message.find(word), std::string::npos) << second.error().message;
  }
}

TEST(http_routes, a_host_that_is_none_is_refused_with_the_reason) {
  ops::Metrics metrics;
  const std::atomic<Phase> phase = Phase::kServing;
  net::PortStates ports;
  for (const char* address : {"no.such.host.invalid:0", "[::1", "192.0.2.1:0"}) {
    const auto server = Server::start(address, metrics, phase, ports);
    ASSERT_FALSE(server) << address;
    EXPECT_NE(server.error().message.find(address), std::string::npos) << server.error().message;
  }
}

TEST(http_routes, the_end_of_the_server_closes_its_connections) {
  Rig rig;
  auto idle = rig.connect();
  ASSERT_TRUE(idle.ask(get("/healthz")));
  auto half = rig.connect();
  half.send("GET /heal");
  rig.server.reset();
  EXPECT_TRUE(idle.is_closed());
  EXPECT_TRUE(half.is_closed());
}

}  // namespace
}  // namespace terrane::http
