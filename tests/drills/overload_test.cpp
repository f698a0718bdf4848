#include <gtest/gtest.h>

#include <cstdio>
#include <thread>

#include "drills/overload_load.h"
#include "e2e/explore_client.h"
#include "e2e/running_server.h"
#include "support/time_scale.h"

namespace terrane::drills {
namespace {

using namespace std::chrono_literals;

constexpr double kTimes = 10;  // the load that the server can take
// of the peak: 0.9 is the aim, the rest is for what else the machine does
constexpr double kLeastGoodput = 0.75;
constexpr double kLongestWaitMs = 250;  // of a player, for 99 of 100
constexpr auto kLongestRecovery = 5s;

/// Asks for one chunk after another, as a player does whose game waits for it, until told to stop.
void wait_for_chunks(e2e::Client& client, FreshLand& land, Latencies& latencies,
                     const std::atomic<bool>& enough) {
  while (!enough) {
    const auto start = Clock::now();
    const grpc::Status status = client.chunk_status(land.one());
    latencies.add(Clock::now() - start);
    EXPECT_TRUE(status.ok()) << status.error_message();
    std::this_thread::sleep_for(20ms);  // a load comes when it comes
  }
}

/// Jumps from place to place, each time when the chunk underfoot is there. @return how many chunks
/// came
std::size_t jump_about(e2e::Client& client, Latencies& latencies, const std::atomic<bool>& enough) {
  v1::Hello hello = e2e::hello({4}, 0, -1e6);
  hello.mutable_world()->set_name("slow");
  e2e::ExploreClient viewer(client, hello);
  for (int jump = 1; !enough; ++jump) {
    const double x = 6400.0 * jump, y = -1e6;
    const auto start = Clock::now();
    viewer.move(x, y);
    const bool came = viewer.read_until([&] { return viewer.held().contains(e2e::tile_at(x, y)); });
    EXPECT_TRUE(came) << viewer.finish().error_message();
    if (!came) break;
    latencies.add(Clock::now() - start);
  }
  return viewer.arrivals().size();
}

/// How long until a request for a few fresh chunks takes no longer than it should.
Clock::duration recovery(e2e::Client& client, FreshLand& land, double chunks_a_second) {
  constexpr int kChunks = 16;
  const auto usual = std::chrono::duration<double>(3 * kChunks / chunks_a_second + 0.1);
  const auto start = Clock::now();
  for (;;) {
    const auto before = Clock::now();
    const bool ok = client.chunks(land.row(kChunks)).status.ok();
    if (ok && Clock::now() - before < usual) return before - start;
    if (Clock::now() - start > 60s) return Clock::now() - start;
  }
}

TEST(overload, ten_times_the_load_leaves_goodput_players_and_the_server_unharmed) {
  const e2e::TempDirectory data, worlds;
  write_slow_world(worlds.path());
  e2e::RunningServer server(
      data, {"--world-dir", worlds.path(), "--no-cache", "--memory-cache", "0", "--workers", "1"});
  FreshLand land("slow", 1);
  const double peak = closed_loop(server.client, land, 4, 3s);
  ASSERT_GT(peak, 0);

  std::atomic<bool> enough = false;
  Latencies asked, underfoot;
  e2e::Client player(server.process.address());
  std::thread one([&] { wait_for_chunks(player, land, asked, enough); });
  std::size_t seen = 0;
  std::thread other([&] { seen = jump_about(player, underfoot, enough); });
  Outcome outcome;
  const auto time = 6s;
  double goodput = open_loop(server.client, land, kTimes * peak, time, outcome);
  enough = true;
  one.join();
  other.join();
  goodput +=
      static_cast<double>(seen + asked.count()) / std::chrono::duration<double>(time).count();
  const double recovered =
      std::chrono::duration<double>(recovery(server.client, land, peak)).count();

  std::printf(
      "drill overload: peak %.0f chunks/s, at %.0fx %.0f %% of it (%llu requests refused, %llu "
      "late, %llu otherwise); a player's "
      "chunk p99 %.0f ms of %zu, underfoot after a jump %.0f ms of %zu; normal after %.1f s\n",
      peak, kTimes, 100 * goodput / peak, static_cast<unsigned long long>(outcome.refused),
      static_cast<unsigned long long>(outcome.late), static_cast<unsigned long long>(outcome.other),
      asked.quantile_ms(0.99), asked.count(), underfoot.quantile_ms(0.99), underfoot.count(),
      recovered);
  EXPECT_GE(goodput, kLeastGoodput * peak / time_scale());
  EXPECT_EQ(outcome.other, 0u);
  EXPECT_LT(asked.quantile_ms(0.99), kLongestWaitMs * time_scale());
  EXPECT_LT(underfoot.quantile_ms(0.99), kLongestWaitMs * time_scale());
  EXPECT_GT(underfoot.count(), 10u);
  EXPECT_LT(recovered, std::chrono::duration<double>(kLongestRecovery).count() * time_scale());
  server.stop_cleanly();
}

}  // namespace
}  // namespace terrane::drills
