#include <filesystem>
#include <fstream>
#include <sstream>

#include "e2e/running_server.h"
#include "e2e/stalled_reader.h"

namespace terrane::e2e {
namespace {

namespace fs = std::filesystem;

void expect_words(const std::string& text, std::initializer_list<std::string> words) {
  for (const std::string& word : words)
    EXPECT_NE(text.find(word), std::string::npos) << "'" << word << "' is not in: " << text;
}

TEST(lifecycle, the_ready_line_tells_address_worlds_and_cache) {
  const TempDirectory data;
  RunningServer server(data);
  expect_words(server.process.ready_line(),
               {"terraned ready: grpc 127.0.0.1:",
                " worlds, cache " + (data.path() / "cache").string() + " (0 chunks)"});
  EXPECT_EQ(server.process.ready_line().find("127.0.0.1:0,"), std::string::npos);
  server.stop_cleanly();
}

TEST(lifecycle, the_log_tells_instruction_set_workers_and_cache_size) {
  const TempDirectory data;
  RunningServer server(data, {"--simd", "scalar", "--workers", "3"});
  expect_words(server.process.log(), {"computing with scalar, 3 workers, cache of at most 64 MiB"});
  server.stop_cleanly();
}

TEST(lifecycle, every_line_of_a_json_log_is_an_object) {
  const TempDirectory data;
  RunningServer server(data, {"--log-format", "json", "--log-level", "debug"});
  server.stop_cleanly();
  std::istringstream lines(server.process.log());
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_TRUE(line.starts_with("{\"time\":\"") && line.ends_with("\"}")) << line;
  }
  EXPECT_GT(count, 2);
}

TEST(lifecycle, a_second_server_on_the_same_data_refuses_to_start_and_says_why) {
  const TempDirectory data;
  RunningServer first(data);
  ServerProcess second({"--data", data.path() / "cache"});
  EXPECT_EQ(second.ready_line(), "");
  EXPECT_EQ(second.wait(), 1);
  expect_words(second.log(), {(data.path() / "cache").string(), "critical"});
  EXPECT_NE(first.client.chunk(chunk_request({0, 0})), "");
  first.stop_cleanly();
}

TEST(lifecycle, a_port_in_use_is_a_clear_error) {
  const TempDirectory data;
  RunningServer first(data);
  ServerProcess second({"--listen", first.process.address(), "--no-cache"});
  EXPECT_EQ(second.ready_line(), "");
  EXPECT_EQ(second.wait(), 1);
  expect_words(second.log(), {"can't listen on " + first.process.address(),
                              "Address already in use", "--listen"});
  first.stop_cleanly();
}

TEST(lifecycle, where_no_cache_can_be_kept_it_warns_and_serves) {
  const TempDirectory data;
  std::ofstream(data.path() / "cache") << "a file where the directory should be";
  RunningServer server(data);
  expect_words(server.process.ready_line(), {"cache off"});
  EXPECT_NE(server.client.chunk(chunk_request({0, 0})), "");
  EXPECT_EQ(server.process.stop(), 0);
  expect_words(server.process.log(), {"warning", "serving without a cache"});
}

void wait_until_draining(Client& client) {
  while (client.chunk_status(chunk_request({0, 0})).error_code() != grpc::UNAVAILABLE) continue;
}

TEST(lifecycle, a_reader_that_stalls_is_cut_off_when_the_drain_timeout_is_over) {
  const TempDirectory data;
  RunningServer server(data, {"--drain-timeout", "1"});
  const StalledReader stalled(server.process.address());
  EXPECT_EQ(server.process.stop(), 0);
  expect_words(server.process.log(), {"1 calls had not ended after 1 s (--drain-timeout)"});
  EXPECT_LT(server.process.total("pipeline", "requests"), 512u)
      << "work was done that the reader has no room for";
}

TEST(lifecycle, a_second_signal_ends_it_at_once) {
  const TempDirectory data;
  RunningServer server(data, {"--drain-timeout", "3600"});
  const StalledReader stalled(server.process.address());
  server.process.terminate();
  Client another(server.process.address());
  wait_until_draining(another);
  server.process.terminate();
  EXPECT_EQ(server.process.wait(), -1);
}

TEST(lifecycle, a_wrong_configuration_ends_with_code_2_and_the_reason) {
  ServerProcess server({"--workers", "none"});
  EXPECT_EQ(server.wait(), 2);
  expect_words(server.log(), {"--workers", "'none'", "1 to 1024"});
}

TEST(lifecycle, an_instruction_set_that_this_machine_lacks_is_a_wrong_configuration) {
#ifdef __x86_64__
  ServerProcess server({"--simd", "neon", "--no-cache"});
#else
  ServerProcess server({"--simd", "avx2", "--no-cache"});
#endif
  EXPECT_EQ(server.wait(), 2);
  expect_words(server.log(), {"--simd", "scalar"});
}

}  // namespace
}  // namespace terrane::e2e
