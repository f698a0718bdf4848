// Many viewers at once.
#include <atomic>
#include <latch>
#include <random>
#include <thread>

#include "e2e/explore_client.h"
#include "e2e/running_server.h"
#include "support/http_connection.h"
#include "support/prometheus_text.h"

namespace terrane::e2e {
namespace {

using namespace std::chrono_literals;

double metric(const ServerProcess& server, const std::string& series) {
  const auto answer = test::Connection(server.http_address()).ask(test::get("/metrics"));
  EXPECT_TRUE(answer);
  return answer ? test::value_of(answer->body, series) : -1;
}

/// Asks again and again, a minute at most; every question goes to the server and back.
bool becomes(const ServerProcess& server, const std::string& series, double value) {
  const auto deadline = std::chrono::steady_clock::now() + 1min;
  while (metric(server, series) != value) {
    if (std::chrono::steady_clock::now() > deadline) return false;
  }
  return true;
}

/// Does something on several threads at once.
void on_threads(int count, const std::function<void(int)>& work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
}

TEST(explore_crowd, a_thousand_viewers_of_one_cold_view_cause_one_generation_of_each_chunk) {
  constexpr int kThreads = 8, kViewersEach = 125;
  const TempDirectory data;
  RunningServer server(data);
  const std::set<Tile> view = tiles_in_view({3}, 0, 0);
  on_threads(kThreads, [&](int) {
    std::vector<std::unique_ptr<ExploreClient>> viewers;
    for (int i = 0; i < kViewersEach; ++i)
      viewers.push_back(std::make_unique<ExploreClient>(server.client, hello({3}, 0, 0), 200s));
    for (const auto& viewer : viewers) {
      EXPECT_TRUE(viewer->read_view({3}, 0, 0));
      EXPECT_EQ(viewer->arrivals().size(), view.size());
      EXPECT_TRUE(viewer->finish().ok());
    }
  });
  server.stop_cleanly();
  EXPECT_EQ(server.process.total("pipeline", "generated"), view.size());
}

/// A viewer that jumps about, stops in the middle of anything, and comes back.
void storm(Client& client, int number, int rounds) {
  std::mt19937 random(static_cast<unsigned>(number));
  for (int round = 0; round < rounds; ++round) {
    const auto somewhere = [&] {
      return static_cast<double>(static_cast<int>(random() % 2'000'000) - 1'000'000);
    };
    ExploreClient viewer(client, hello({8, 4}, somewhere(), somewhere()));
    const bool acknowledges = random() % 4 != 0;  // who does not gets little to read
    viewer.acknowledge(acknowledges);
    const auto jumps = random() % 4;
    for (std::size_t jump = 0; jump < jumps; ++jump) {
      for (auto reads = acknowledges ? random() % 6 : 0; reads > 0; --reads) {
        if (!viewer.read()) break;
      }
      viewer.move(somewhere(), somewhere());
    }
    if (random() % 2 == 0) {
      viewer.cancel();
    } else {
      const grpc::Status status = viewer.finish();
      EXPECT_TRUE(status.ok() || status.error_code() == grpc::RESOURCE_EXHAUSTED)
          << status.error_message();
    }
  }
}

TEST(explore_crowd, a_storm_of_jumps_and_cancels_leaves_nothing_behind) {
  constexpr int kThreads = 20, kStorms = 10;  // 200 streams
  const TempDirectory data;
  RunningServer server(data);
  on_threads(kThreads, [&](int number) { storm(server.client, number, kStorms); });
  ExploreClient viewer(server.client, hello({4}, 5e6, 5e6));
  EXPECT_TRUE(viewer.read_view({4}, 5e6, 5e6)) << "the server goes on";
  EXPECT_TRUE(viewer.finish().ok());
  EXPECT_TRUE(becomes(server.process, "terrane_open_calls{rpc=\"Explore\"}", 0));
  EXPECT_TRUE(becomes(server.process, "terrane_unsent_chunk_bytes", 0));
  const double sent = metric(server.process, "terrane_sent_chunks_total{clients=\"strangers\"}");
  server.stop_cleanly();
  const auto generated = static_cast<double>(server.process.total("pipeline", "generated"));
  std::printf("storm: %.0f chunks generated, %.0f sent\n", generated, sent);
  EXPECT_LT(generated, 2 * sent + 1000);
}

}  // namespace
}  // namespace terrane::e2e
