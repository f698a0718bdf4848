#include <sched.h>
#include <sys/resource.h>

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

TEST(lifecycle, where_a_cache_is_required_and_none_can_be_kept_it_does_not_start) {
  const TempDirectory data;
  std::ofstream(data.path() / "cache") << "a file where the directory should be";
  ServerProcess server({"--require-cache", "--data", data.path() / "cache"});
  EXPECT_EQ(server.ready_line(), "");
  EXPECT_EQ(server.wait(), 1);
  expect_words(server.log(), {"critical", (data.path() / "cache").string(), "--require-cache"});
}

TEST(lifecycle, the_log_tells_what_the_system_allows_and_what_is_doubtful) {
  const TempDirectory data;
  RunningServer server(data,
                       {"--memory-limit", "256MiB", "--http", "off", "--memory-cache", "250MiB"});
  EXPECT_EQ(server.process.stop(), 0);
  expect_words(server.process.log(), {"the system allows: memory ", "processors ", "descriptors ",
                                      "memory: limit 256 MiB, of which at most 250 MiB",
                                      "connections: at most ", "warning  --memory-cache 250 MiB"});
}

TEST(lifecycle, a_cache_larger_than_its_disk_is_warned_of) {
  const TempDirectory data;
  const std::string size =
      std::to_string(2 * (std::filesystem::space(data.path()).available >> 20) + 1024);
  ServerProcess server({"--data", data.path() / "cache", "--cache-size", size + "MiB"});
  EXPECT_EQ(server.stop(), 0);
  expect_words(server.log(), {"warning", size + " MiB (--cache-size)", "has room for"});
}

/// Its processes may use one processor only, and have few descriptors unless they ask for more.
class Confined {
 public:
  Confined() {
    sched_getaffinity(0, sizeof(mask_), &mask_);
    getrlimit(RLIMIT_NOFILE, &descriptors_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    EXPECT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
    const rlimit few{256, descriptors_.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  }
  ~Confined() {
    sched_setaffinity(0, sizeof(mask_), &mask_);
    setrlimit(RLIMIT_NOFILE, &descriptors_);
  }
  Confined(const Confined&) = delete;
  Confined& operator=(const Confined&) = delete;

  [[nodiscard]] std::string most_descriptors() const {
    return std::to_string(descriptors_.rlim_max);
  }

 private:
  cpu_set_t mask_{};
  rlimit descriptors_{};
};

TEST(lifecycle, it_has_a_worker_for_each_processor_it_may_use_and_all_descriptors_it_may_have) {
  const TempDirectory data;
  const Confined confined;
  RunningServer server(data);
  server.stop_cleanly();
  expect_words(server.process.log(), {" 1 workers, ", "descriptors " + confined.most_descriptors() +
                                                          " (raised from 256)"});
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
