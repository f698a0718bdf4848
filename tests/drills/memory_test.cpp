#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <thread>

#include "drills/overload_load.h"
#include "e2e/explore_client.h"
#include "e2e/running_server.h"

namespace terrane::drills {
namespace {

using namespace std::chrono_literals;

constexpr double kMiB = 1 << 20;
constexpr std::uint64_t kMemoryCache = 16;  // MiB: full, and turned over, within the drill
// Of anonymous memory. The promise (server/adr/0012-memory-follows-the-flags.md) is 1.3 x (the
// cache + 100 MiB), for crowds and hours. So few viewers don't need half of those 100 MiB, and with
// glibc's malloc they take more within seconds: 132 MiB.
constexpr double kMostMiB = 1.3 * (kMemoryCache + 50);
constexpr auto kTime = 10s;

/// Jumps from place to place with a wide view, and does not wait for all of it.
void jump_about(const std::string& address, int which, const std::atomic<bool>& enough) {
  e2e::Client client(address);
  const double y = 1e7 + 1e6 * which;
  v1::Hello hello = e2e::hello({12, 8, 4}, 0, y);
  hello.mutable_world()->set_name("continents");
  e2e::ExploreClient viewer(client, hello);
  for (int jump = 1; !enough; ++jump) {
    const double x = 20000.0 * jump;
    viewer.move(x, y);
    const auto held = [&] { return viewer.held().contains(e2e::tile_at(x, y)); };
    if (!viewer.read_until(held)) {
      ADD_FAILURE() << viewer.finish().error_message();
      return;
    }
  }
}

/// The most that the server had while it was under load, and what it has some seconds later: MiB.
struct Memory {
  double peak = 0;
  double after = 0;
};

Memory load(const e2e::RunningServer& server) {
  const std::string address = server.process.address();
  std::atomic<bool> enough = false;
  std::vector<std::thread> load;
  for (int i = 0; i < 8; ++i) load.emplace_back([&, i] { jump_about(address, i, enough); });
  load.emplace_back([&] {
    e2e::Client client(address);
    FreshLand land("continents", 12);
    closed_loop(client, land, 8, kTime);
    enough = true;
  });
  Memory memory;
  while (!enough) {
    memory.peak = std::max(memory.peak, static_cast<double>(server.process.anonymous_bytes()));
    std::this_thread::sleep_for(20ms);  // it is sampled
  }
  for (std::thread& thread : load) thread.join();
  std::this_thread::sleep_for(5s);  // in which what is not used is given back
  memory.after = static_cast<double>(server.process.anonymous_bytes());
  return {memory.peak / kMiB, memory.after / kMiB};
}

TEST(memory, under_a_cold_load_it_stays_what_the_flags_say) {
  const e2e::TempDirectory data;
  e2e::RunningServer server(data, {"--memory-cache", std::to_string(kMemoryCache) + "MiB"});
  const Memory memory = load(server);
  server.stop_cleanly();
  const std::uint64_t made = server.process.total("pipeline", "generated");
  std::printf(
      "drill memory: --memory-cache %llu MiB, %llu chunks made; at most %.0f MiB of anonymous "
      "memory, %.0f MiB when idle again; %.0f are allowed\n",
      static_cast<unsigned long long>(kMemoryCache), static_cast<unsigned long long>(made),
      memory.peak, memory.after, kMostMiB);
  EXPECT_LE(memory.peak, kMostMiB);
  EXPECT_LE(memory.after, kMostMiB);
  EXPECT_GT(made, 2000u) << "too little to say anything";
}

}  // namespace
}  // namespace terrane::drills
