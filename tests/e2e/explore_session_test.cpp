#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "e2e/explore_client.h"
#include "e2e/running_server.h"
#include "support/http_connection.h"
#include "support/prometheus_text.h"

namespace terrane::e2e {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// explore.proto's server never has more on its way
constexpr std::uint64_t kMostUnread = 256 * 1024;

/// A copy of the built-in perlin under another name, with hills of another height.
void write_world(const std::filesystem::path& directory, const std::string& name, int amplitude) {
  std::string text;
  FILE* const pipe = popen((std::string(TERRANED_PATH) + " --print-world perlin").c_str(), "r");
  char buffer[4096];
  for (std::size_t got = 0; pipe != nullptr && (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    text.append(buffer, got);
  ASSERT_NE(pipe, nullptr);
  pclose(pipe);
  const std::string old_name = "\"name\": \"perlin\"";
  text.replace(text.find(old_name), old_name.size(), "\"name\": \"" + name + "\"");
  const std::size_t at = text.find(':', text.find("\"amplitude\"")) + 1;
  text.replace(at, text.find(',', at) - at, std::to_string(amplitude));
  std::ofstream(directory / (name + ".json")) << text;
}

v1::Hello hello_in(const std::string& world, const ViewDistances& distances) {
  v1::Hello result = hello(distances, 0, 0);
  result.mutable_world()->set_name(world);
  return result;
}

TEST(explore_session, a_client_that_says_no_more_gets_ok) {
  const TempDirectory data;
  RunningServer server(data);
  ExploreClient viewer(server.client, hello({2}, 0, 0));
  ASSERT_TRUE(viewer.read());
  EXPECT_TRUE(viewer.finish().ok());
  server.stop_cleanly();
}

TEST(explore_session, a_viewer_with_nothing_to_see_hears_that_the_server_is_there) {
  const TempDirectory data;
  RunningServer server(data);
  ExploreClient viewer(server.client, hello({1}, 0, 0));
  ASSERT_TRUE(viewer.read_view({1}, 0, 0));
  const int before = viewer.responses();
  const auto start = Clock::now();
  ASSERT_TRUE(viewer.read());
  EXPECT_EQ(viewer.responses(), before + 1);
  EXPECT_LT(Clock::now() - start, std::chrono::milliseconds(3 * viewer.welcome()->heartbeat_ms()));
  EXPECT_EQ(viewer.arrivals().size(), 5u);
}

TEST(explore_session, told_to_stop_the_server_says_when_to_come_back_and_ends_streams_in_time) {
  const TempDirectory data;
  RunningServer server(data);
  ExploreClient busy(server.client, hello({64}, 0, 0)), idle(server.client, hello({1}, 0, 0));
  ASSERT_TRUE(idle.read_view({1}, 0, 0));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(busy.read());
  server.process.terminate();
  const auto start = Clock::now();
  for (ExploreClient* viewer : {&busy, &idle}) {
    viewer->read_until([] { return false; });
    EXPECT_TRUE(viewer->go_away());
    const grpc::Status status = viewer->finish();
    EXPECT_EQ(status.error_code(), grpc::UNAVAILABLE) << status.error_message();
  }
  server.expect_clean_end();
  EXPECT_LT(Clock::now() - start, 20s);
}

TEST(explore_session, a_viewer_that_reads_nothing_does_not_keep_the_server_from_stopping) {
  const TempDirectory data;
  RunningServer server(data, {"--drain-timeout", "3"});
  ExploreClient silent(server.client, hello({32}, 0, 0));
  ASSERT_TRUE(silent.read());
  const auto start = Clock::now();
  server.process.terminate();
  EXPECT_EQ(server.process.wait(), 0) << server.process.log();
  EXPECT_LT(Clock::now() - start, 30s);
}

TEST(explore_session, a_changed_world_file_is_announced_and_the_stream_goes_on_with_the_old_one) {
  const TempDirectory data, worlds;
  write_world(worlds.path(), "mine", 100);
  RunningServer server(data, {"--world-dir", worlds.path()});
  ExploreClient viewer(server.client, hello_in("mine", {2}));
  ASSERT_TRUE(viewer.read_view({2}, 0, 0));
  const std::map<Tile, std::string> before = viewer.held();
  write_world(worlds.path(), "mine", 10);
  server.process.reload();
  ASSERT_TRUE(viewer.read_until([&] { return viewer.world_changed().has_value(); }));
  EXPECT_TRUE(viewer.world_changed()->has_fingerprint());
  EXPECT_NE(viewer.world_changed()->fingerprint(), viewer.welcome()->fingerprint());
  viewer.forget({block(0, -2, 0, 5)});
  const std::size_t known = viewer.arrivals().size();
  ASSERT_TRUE(viewer.read_until([&] { return viewer.arrivals().size() >= known + 5; }));
  EXPECT_TRUE(viewer.held() == before) << "chunks of two worlds in one stream";
  std::filesystem::remove(worlds.path() / "mine.json");
  server.process.reload();
  ASSERT_TRUE(viewer.read_until([&] { return !viewer.world_changed()->has_fingerprint(); }));
  viewer.move(6400, 0);
  ASSERT_TRUE(viewer.read_view({2}, 6400, 0));
  server.stop_cleanly();
}

TEST(explore_session, a_client_that_reads_and_never_acknowledges_gets_one_window) {
  const TempDirectory data;
  RunningServer server(data);
  warm(server.client, 0, 0, 16);
  ExploreClient viewer(server.client, hello({16}, 0, 0), 5s);
  viewer.acknowledge(false);
  viewer.read_until([] { return false; });
  EXPECT_GT(viewer.bytes(), 0u);
  EXPECT_LE(viewer.bytes(), kMostUnread);
  EXPECT_EQ(viewer.finish().error_code(), grpc::DEADLINE_EXCEEDED);
}

/// 30 seconds: see ExplorePace.
TEST(explore_slow, a_client_that_never_acknowledges_is_cut_off_and_one_that_does_is_not) {
  const TempDirectory data;
  RunningServer server(data);
  warm(server.client, 0, 0, 16);
  ExploreClient good(server.client, hello({1}, 0, 0), 100s),
      silent(server.client, hello({16}, 0, 0), 100s);
  silent.acknowledge(false);
  ASSERT_TRUE(good.read_view({1}, 0, 0));
  const auto start = Clock::now();
  silent.read_until([] { return false; });
  const auto waited = Clock::now() - start;
  const grpc::Status status = silent.finish();
  EXPECT_EQ(status.error_code(), grpc::DEADLINE_EXCEEDED);
  for (const char* word : {"batch 1 ", "30000 ms", "ack_deadline_ms"})
    EXPECT_NE(status.error_message().find(word), std::string::npos) << status.error_message();
  EXPECT_GE(waited, 25s);
  EXPECT_LE(waited, 60s);
  EXPECT_LE(silent.bytes(), kMostUnread);
  good.move(6400, 0);
  EXPECT_TRUE(good.read_view({1}, 6400, 0)) << "who has acknowledged owes nothing";
  EXPECT_TRUE(good.finish().ok());
  server.stop_cleanly();
}

TEST(explore_session, who_is_too_slow_is_told_what_was_waited_for_and_for_how_long) {
  const TempDirectory data;
  RunningServer server(data, {"--slow-client", "2"});
  ExploreClient owing(server.client, hello({4}, 0, 0));
  owing.acknowledge(false);
  const auto context = bounded();
  const auto silent = server.client.stub().Explore(context.get());
  const auto expect_told = [](const grpc::Status& status, const std::vector<std::string>& words) {
    EXPECT_EQ(status.error_code(), grpc::DEADLINE_EXCEEDED) << status.error_message();
    for (const std::string& word : words)
      EXPECT_NE(status.error_message().find(word), std::string::npos) << status.error_message();
  };
  v1::ExploreResponse response;
  EXPECT_FALSE(silent->Read(&response));
  expect_told(silent->Finish(), {"Hello", "2000 ms"});
  owing.read_until([] { return false; });
  EXPECT_EQ(owing.welcome()->ack_deadline_ms(), 2000u);
  expect_told(owing.finish(), {"batch 1 ", "2000 ms", "ack_deadline_ms"});
  server.stop_cleanly();
}

/// Acknowledges what it has not read, so that the send window opens and nothing but flow control
/// holds the server up.
TEST(explore_session, who_reads_nothing_is_cut_off_and_finds_the_reason_when_it_reads_again) {
  const TempDirectory data;
  RunningServer server(data, {"--slow-client", "2"});
  warm(server.client, 0, 0, 32);
  grpc::ChannelArguments small_window;
  small_window.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  small_window.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  small_window.SetInt(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, 65535);
  Client client(server.process.address(), small_window);
  const auto context = bounded();
  const auto stream = client.stub().Explore(context.get());
  v1::ExploreRequest request;
  *request.mutable_hello() = hello({32}, 0, 0);
  ASSERT_TRUE(stream->Write(request));
  const auto start = Clock::now();
  std::uint64_t batch = 0;
  while (Clock::now() - start < 8s) {
    request.mutable_ack()->set_batch(batch + 1);
    // a batch that was not sent yet ends the stream: so it is given time to be
    std::this_thread::sleep_for(20ms);
    if (batch < 60 && stream->Write(request)) ++batch;
  }
  v1::ExploreResponse response;
  while (stream->Read(&response)) continue;
  const grpc::Status status = stream->Finish();
  EXPECT_EQ(status.error_code(), grpc::DEADLINE_EXCEEDED) << status.error_message();
  EXPECT_NE(status.error_message().find("write_deadline_ms"), std::string::npos)
      << status.error_message();
}

TEST(explore_session, clients_that_stop_reading_do_not_harm_others) {
  const TempDirectory data;
  RunningServer server(data);
  grpc::ChannelArguments own_connection;
  own_connection.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  std::vector<std::unique_ptr<Client>> clients;
  std::vector<std::unique_ptr<ExploreClient>> stopped;
  for (int i = 0; i < 20; ++i) {
    // Some share the other viewer's connection, some do not.
    if (i % 2 == 0)
      clients.push_back(std::make_unique<Client>(server.process.address(), own_connection));
    Client& client = i % 2 == 0 ? *clients.back() : server.client;
    stopped.push_back(std::make_unique<ExploreClient>(client, hello({32}, i * 6400, 0)));
    ASSERT_TRUE(stopped.back()->read());
  }
  ExploreClient viewer(server.client, hello({8}, -64'000, 0));
  ASSERT_TRUE(viewer.read_view({8}, -64'000, 0));
  for (int i = 1; i <= 10; ++i) {
    viewer.move(-64'000, i * 6400);
    ASSERT_TRUE(
        viewer.read_until([&] { return viewer.held().contains(tile_at(-64'000, i * 6400)); }));
  }
  EXPECT_TRUE(viewer.finish().ok());
}

}  // namespace
}  // namespace terrane::e2e
