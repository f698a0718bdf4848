#include <chrono>

#include "e2e/running_server.h"
#include "support/http_connection.h"

namespace terrane::e2e {
namespace {

using test::Answer;
using test::Connection;
using test::get;

Answer fetch(const ServerProcess& server, const std::string& path) {
  const auto answer = Connection(server.http_address()).ask(get(path));
  EXPECT_TRUE(answer) << path;
  return answer.value_or(Answer{});
}

void expect_words(const std::string& text, std::initializer_list<std::string> words) {
  for (const std::string& word : words)
    EXPECT_NE(text.find(word), std::string::npos) << "'" << word << "' is not in: " << text;
}

using Clock = std::chrono::steady_clock;

TEST(drain, whose_health_is_asked_for_serves_on_for_a_while_in_which_it_says_no) {
  const TempDirectory data;
  RunningServer server(data);
  EXPECT_EQ(fetch(server.process, "/readyz").status, 200);
  const auto start = Clock::now();
  server.process.terminate();
  Answer ready;
  do ready = fetch(server.process, "/readyz");
  while (ready.status == 200);
  EXPECT_EQ(ready.status, 503);
  expect_words(ready.body, {"about to drain"});
  EXPECT_EQ(fetch(server.process, "/healthz").status, 200);
  expect_words(fetch(server.process, "/metrics").body, {"\nterrane_ready 0\n"});
  EXPECT_TRUE(server.client.chunk_status(chunk_request({0, 0})).ok()) << "calls are taken";
  EXPECT_TRUE(fetch(server.process, "/v1/worlds").status == 200);
  EXPECT_EQ(server.process.wait(), 0) << server.process.log();
  EXPECT_GT(Clock::now() - start, std::chrono::milliseconds(1990));
  expect_words(server.process.log(), {"serving for 2 s more", "--drain-delay"});
}

TEST(drain, it_shows_on_the_command_line_that_asks_for_health) {
  const TempDirectory data;
  RunningServer server(data, {"--drain-delay", "10"});
  const auto status_and_log = [&] {
    ServerProcess asks({"--check-health", "--listen", server.process.address()});
    const int status = asks.wait();
    return std::pair(status, asks.log());
  };
  EXPECT_EQ(status_and_log().first, 0) << status_and_log().second;
  server.process.terminate();
  while (fetch(server.process, "/readyz").status == 200) {
  }
  const auto [status, log] = status_and_log();
  EXPECT_EQ(status, 1) << log;
  expect_words(log, {"is not serving: starting or draining"});
}

TEST(drain, the_delay_of_a_drain_is_what_it_is_set_to_or_none_where_nobody_looks) {
  const auto time_to_stop = [](const std::vector<std::string>& flags, bool is_asked) {
    const TempDirectory data;
    RunningServer server(data, flags);
    // for longer than the server needs to ask itself, which it does now and then
    const auto begun = Clock::now();
    while (Clock::now() - begun < std::chrono::seconds(1))
      EXPECT_TRUE(server.client.chunk_status(chunk_request({0, 0})).ok());
    if (is_asked) fetch(server.process, "/readyz");
    const auto start = Clock::now();
    server.stop_cleanly();
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  EXPECT_LT(time_to_stop({}, false), 2);
  EXPECT_LT(time_to_stop({"--drain-delay", "0"}, true), 2);
  EXPECT_GT(time_to_stop({"--drain-delay", "3"}, false), 3);
}

}  // namespace
}  // namespace terrane::e2e
