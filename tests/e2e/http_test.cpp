#include <stdio.h>
#include <sys/resource.h>

#include <fstream>

#include "e2e/running_server.h"
#include "e2e/stalled_reader.h"
#include "support/http_connection.h"
#include "support/prometheus_text.h"

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

/// A page of metrics, and what it says.
class Page {
 public:
  explicit Page(const ServerProcess& server) : text_(fetch(server, "/metrics").body) {}

  void expect(const std::string& series, double value) const {
    EXPECT_EQ(test::value_of(text_, series), value) << series << " in:\n" << text_;
  }
  [[nodiscard]] double value_of(const std::string& series) const {
    return test::value_of(text_, series);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

TEST(http, the_ready_line_tells_the_port) {
  const TempDirectory data;
  RunningServer server(data);
  EXPECT_NE(server.process.ready_line().find(", http " + server.process.http_address() + ", "),
            std::string::npos)
      << server.process.ready_line();
  EXPECT_EQ(fetch(server.process, "/healthz").status, 200);
  EXPECT_EQ(fetch(server.process, "/readyz").body, "serving\n");
  server.stop_cleanly();
}

TEST(http, the_counters_say_what_was_asked_and_where_it_came_from) {
  const TempDirectory data;
  RunningServer server(data);
  const std::string first = server.client.chunk(chunk_request({3, 4}));   // generated
  const std::string second = server.client.chunk(chunk_request({3, 4}));  // from the cache
  EXPECT_EQ(server.client.chunk_status(chunk_request({3, 4}, 99)).error_code(), grpc::OUT_OF_RANGE);
  EXPECT_TRUE(server.client.chunks(rectangle_request({3, 4}, {4, 4})).status.ok());  // one of each

  const Page page(server.process);
  page.expect("terrane_requests_total{rpc=\"GetChunk\",code=\"OK\"}", 2);
  page.expect("terrane_requests_total{rpc=\"GetChunk\",code=\"OUT_OF_RANGE\"}", 1);
  page.expect("terrane_requests_total{rpc=\"GetChunks\",code=\"OK\"}", 1);
  page.expect("terrane_request_seconds_count{rpc=\"GetChunk\"}", 3);
  page.expect("terrane_open_calls{rpc=\"GetChunks\"}", 0);
  page.expect("terrane_chunk_requests_total", 4);
  page.expect("terrane_chunks_total{origin=\"memory\"}", 2);
  page.expect("terrane_chunks_total{origin=\"disk\"}", 0);
  page.expect("terrane_chunks_total{origin=\"generated\"}", 2);
  page.expect("terrane_chunk_seconds_count{origin=\"memory\"}", 2);
  page.expect("terrane_chunk_seconds_count{origin=\"generated\"}", 2);
  page.expect("terrane_joined_total", 0);
  page.expect("terrane_generation_seconds_count{world=\"classic\",lod=\"0\"}", 2);
  page.expect("terrane_encode_seconds_count", 2);
  page.expect("terrane_queue_wait_seconds_count{priority=\"player_waits\"}", 1);
  page.expect("terrane_queue_wait_seconds_count{priority=\"view\"}", 1);
  page.expect("terrane_queue_jobs{priority=\"view\"}", 0);
  page.expect("terrane_sent_chunks_total{clients=\"strangers\"}", 4);
  page.expect("terrane_sent_chunks_total{clients=\"weighted\"}", 0);
  page.expect("terrane_unsent_chunk_bytes", 0);
  page.expect("terrane_memory_cache_entries", 2);
  EXPECT_GT(page.value_of("terrane_memory_cache_bytes"), static_cast<double>(first.size()));
  page.expect("terrane_cache_hits_total", 0);  // what is asked for again so soon comes from memory
  page.expect("terrane_cache_misses_total", 2);
  page.expect("terrane_cache_bad_checksums_total", 0);
  page.expect("terrane_cache_readers", 0);
  page.expect("terrane_cache_oldest_reader_seconds", 0);
  page.expect("terrane_cache_usable", 1);
  page.expect("terrane_ready", 1);
  page.expect("terrane_worker_failures_total", 0);
  EXPECT_GE(page.value_of("terrane_sent_chunk_bytes_total{clients=\"strangers\"}"),
            3.0 * static_cast<double>(first.size()));
  EXPECT_GT(page.value_of("process_resident_memory_bytes"), 1 << 20);
  EXPECT_GT(page.value_of("terrane_memory_anonymous_bytes"), 1 << 20);
  EXPECT_LT(page.value_of("terrane_memory_anonymous_bytes"),
            page.value_of("process_resident_memory_bytes"));
  server.stop_cleanly();
}

TEST(http, who_costs_what_is_told_by_address) {
  const TempDirectory data;
  RunningServer server(data);
  EXPECT_TRUE(server.client.chunks(rectangle_request({0, 0}, {15, 15})).status.ok());
  const Page page(server.process);
  const double spent = page.value_of("terrane_work_seconds_total");
  EXPECT_GT(spent, 256 * 20e-6) << "chunks that take some 100 us each";
  // a minute's mean: all of it, but for what the last seconds have taken off
  const double processors = page.value_of("terrane_client_processors{client=\"127.0.0.1\"}");
  EXPECT_GT(processors, 0.5 * spent / 60);
  EXPECT_LE(processors, 1.01 * spent / 60);
  page.expect("terrane_clients", 1);
  server.stop_cleanly();
}

TEST(http, every_method_is_counted_under_its_name) {
  const TempDirectory data;
  RunningServer server(data);
  v1::ListWorldsResponse worlds;
  EXPECT_TRUE(server.client.stub().ListWorlds(bounded().get(), {}, &worlds).ok());
  v1::GetWorldRequest unknown;
  unknown.set_name("atlantis");
  v1::GetWorldResponse world;
  EXPECT_FALSE(server.client.stub().GetWorld(bounded().get(), unknown, &world).ok());
  v1::SamplePointsRequest points;
  *points.mutable_world() = world_ref();
  v1::SamplePointsResponse samples;
  EXPECT_TRUE(server.client.stub().SamplePoints(bounded().get(), points, &samples).ok());
  EXPECT_FALSE(server.client.chunks(v1::GetChunksRequest()).status.ok());

  const Page page(server.process);
  page.expect("terrane_requests_total{rpc=\"ListWorlds\",code=\"OK\"}", 1);
  page.expect("terrane_requests_total{rpc=\"GetWorld\",code=\"NOT_FOUND\"}", 1);
  page.expect("terrane_requests_total{rpc=\"SamplePoints\",code=\"OK\"}", 1);
  page.expect("terrane_requests_total{rpc=\"GetChunks\",code=\"INVALID_ARGUMENT\"}", 1);
  server.stop_cleanly();
}

TEST(http, without_a_cache_there_are_no_metrics_of_one) {
  const TempDirectory data;
  RunningServer server(data, {"--no-cache"});
  EXPECT_NE(server.client.chunk(chunk_request({0, 0})), "");
  const Page page(server.process);
  page.expect("terrane_chunks_total{origin=\"generated\"}", 1);
  page.expect("terrane_cache_hits_total", -1);
  page.expect("terrane_cache_usable", -1);
  server.stop_cleanly();
}

TEST(http, a_cache_that_can_no_longer_be_written_shows_in_readiness_and_metrics) {
  const TempDirectory data;
  rlimit usual{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &usual), 0);
  const rlimit small{rlim_t{600} << 10, usual.rlim_max};  // as a disk that is full soon
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  RunningServer server(data);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &usual), 0);
  EXPECT_EQ(fetch(server.process, "/readyz").body, "serving\n");
  const auto is_told = [&] {
    return fetch(server.process, "/readyz").body.find("without a cache") != std::string::npos;
  };
  for (std::int64_t row = 0; row < 200 && !is_told(); ++row)
    EXPECT_TRUE(server.client.chunks(rectangle_request({0, row}, {15, row})).status.ok());
  EXPECT_TRUE(is_told());
  EXPECT_EQ(fetch(server.process, "/readyz").status, 200) << "it serves";
  Page(server.process).expect("terrane_cache_usable", 0);
  EXPECT_EQ(server.process.stop(), 0);
}

TEST(http, a_cache_that_cannot_be_used_shows_in_readiness_and_metrics) {
  const TempDirectory data;
  std::ofstream(data.path() / "cache") << "a file where the directory should be";
  RunningServer server(data);
  const Answer ready = fetch(server.process, "/readyz");
  EXPECT_EQ(ready.status, 200) << "it serves";
  EXPECT_NE(ready.body.find("--data can't be used"), std::string::npos) << ready.body;
  const Page page(server.process);
  page.expect("terrane_cache_usable", 0);
  page.expect("terrane_ready", 1);
  EXPECT_EQ(server.process.stop(), 0);
}

TEST(http, the_limit_of_memory_is_a_metric) {
  const TempDirectory data;
  RunningServer server(data, {"--memory-limit", "900MiB"});
  Page(server.process).expect("terrane_memory_limit_bytes", 900 << 20);
  server.stop_cleanly();
}

TEST(http, a_reader_that_stalls_shows_as_an_open_call_with_unsent_bytes_and_leaves_none_behind) {
  const TempDirectory data;
  RunningServer server(data);
  {
    const StalledReader stalled(server.process.address());
    const Page page(server.process);
    page.expect("terrane_open_calls{rpc=\"GetChunks\"}", 1);
    while (Page(server.process).value_of("terrane_unsent_chunk_bytes") < 65536) continue;
    EXPECT_LT(Page(server.process).value_of("terrane_unsent_chunk_bytes"), 1 << 20);
  }
  while (Page(server.process).value_of("terrane_open_calls{rpc=\"GetChunks\"}") > 0) continue;
  const Page page(server.process);
  page.expect("terrane_unsent_chunk_bytes", 0);
  page.expect("terrane_requests_total{rpc=\"GetChunks\",code=\"CANCELLED\"}", 1);
  server.stop_cleanly();
}

TEST(http, readiness_ends_when_the_drain_begins_and_the_port_stays_until_its_end) {
  const TempDirectory data;
  RunningServer server(data, {"--drain-timeout", "3600", "--drain-delay", "0"});
  auto stalled = std::make_unique<StalledReader>(server.process.address());
  Connection kept(server.process.http_address());
  EXPECT_EQ(kept.ask(get("/readyz"))->status, 200);
  server.process.terminate();
  Answer ready;
  do ready = *kept.ask(get("/readyz"));
  while (ready.status == 200);
  EXPECT_EQ(ready.status, 503);
  EXPECT_EQ(ready.body.substr(0, 8), "draining");
  EXPECT_EQ(fetch(server.process, "/healthz").status, 200);
  const Page draining(server.process);
  draining.expect("terrane_open_calls{rpc=\"GetChunks\"}", 1);
  draining.expect("terrane_ready", 0);  // however idle it looks
  stalled.reset();
  EXPECT_EQ(server.process.wait(), 0) << server.process.log();
  EXPECT_TRUE(kept.is_closed());
}

TEST(http, promtool_finds_nothing_wrong_with_the_metrics) {
  const TempDirectory data;
  RunningServer server(data);
  EXPECT_TRUE(server.client.chunks(rectangle_request({0, 0}, {3, 3})).status.ok());
  EXPECT_TRUE(server.client.chunks(rectangle_request({0, 0}, {3, 3})).status.ok());
  const auto page = data.path() / "metrics";
  std::ofstream(page) << Page(server.process).text();
  FILE* const promtool =
      popen(("promtool check metrics < '" + page.string() + "' 2>&1").c_str(), "r");
  ASSERT_NE(promtool, nullptr);
  std::string found;
  for (int c = fgetc(promtool); c != EOF; c = fgetc(promtool)) found += static_cast<char>(c);
  EXPECT_EQ(pclose(promtool), 0) << "promtool, of Debian's package prometheus, says: " << found;
  EXPECT_EQ(found, "");
  server.stop_cleanly();
}

TEST(http, a_port_in_use_is_a_clear_error) {
  const TempDirectory data;
  RunningServer first(data);
  ServerProcess second({"--http", first.process.http_address(), "--no-cache"});
  EXPECT_EQ(second.ready_line(), "");
  EXPECT_EQ(second.wait(), 1);
  for (const std::string& word :
       {"can't serve HTTP on " + first.process.http_address(),
        std::string("Address already in use"), std::string("--http"), std::string("critical")}) {
    EXPECT_NE(second.log().find(word), std::string::npos) << second.log();
  }
  first.stop_cleanly();
}

TEST(http, it_can_be_switched_off) {
  const TempDirectory data;
  RunningServer server(data, {"--http", "off"});
  EXPECT_EQ(server.process.http_address(), "off");
  EXPECT_NE(server.client.chunk(chunk_request({0, 0})), "");
  server.stop_cleanly();
}

}  // namespace
}  // namespace terrane::e2e
