#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

#include "drills/cached_server.h"
#include "support/time_scale.h"

namespace terrane::drills {
namespace {

constexpr int kEdge = 24;  // 576 chunks: commits are at 256 and at the end
constexpr double kRestartLimitSeconds = 2;

/// Each round kills the server while chunks that it has just sent are being written, starts it
/// again, and reads them.
void kill_during_writes(int kills) {
  const TempDirectory directory;
  Truth truth;
  std::minstd_rand random(1);
  std::uniform_int_distribution<std::size_t> chunks(100, kEdge * kEdge - 1);
  std::vector<double> restarts;
  std::size_t wrong = 0, kept = 0;
  CachedServer server(directory.path());
  for (int round = 0; round < kills; ++round) {
    ASSERT_TRUE(server.ready()) << server.process().log();
    const ChunkRectangle area = square(round, kEdge);
    server.kill_after(area, chunks(random));
    server = CachedServer(directory.path());
    restarts.push_back(server.start_seconds());
    const auto got = server.fetch(area);
    ASSERT_TRUE(got) << server.process().log();
    wrong += truth.wrong(*got, area);
    kept = server.chunks_at_start();
  }
  for (int round = 0; round < kills; ++round) {
    const ChunkRectangle area = square(round, kEdge);
    wrong += truth.wrong(server.fetch(area).value_or(Chunks{}), area);
  }
  EXPECT_EQ(server.process().stop(), 0) << server.process().log();
  std::sort(restarts.begin(), restarts.end());
  std::printf(
      "drill kill_during_writes: %d kills, %zu wrong chunks, restart %.2f s in the middle and %.2f "
      "s at most, "
      "%zu chunks kept through the last kill\n",
      kills, wrong, restarts[restarts.size() / 2], restarts.back(), kept);
  EXPECT_EQ(wrong, 0u);
  EXPECT_LT(restarts[restarts.size() / 2], kRestartLimitSeconds * time_scale());
  EXPECT_GT(kept, 0u) << "nothing that was read came from the cache";
}

TEST(kill, ten_times_during_writes) { kill_during_writes(10); }
TEST(kill_slow, a_hundred_times_during_writes) { kill_during_writes(100); }

}  // namespace
}  // namespace terrane::drills
