#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "e2e/client.h"
#include "terrane/mutex.h"

namespace terrane::drills {

using Clock = std::chrono::steady_clock;

/// Chunks of a world that nobody has asked for before, in rows.
class FreshLand {
 public:
  FreshLand(std::string world, std::uint64_t seed) : world_(std::move(world)), seed_(seed) {}

  /// The next `chunks` chunks, for GetChunks. Threads: any.
  v1::GetChunksRequest row(int chunks);
  /// The next one, for GetChunk. Threads: any.
  v1::GetChunkRequest one();

 private:
  std::string world_;
  std::uint64_t seed_;
  std::atomic<std::int64_t> next_ = 0;
};

/// Writes a world, `slow`, whose chunks take milliseconds: so that a test can ask for ten times
/// what the server can take, and its own work does not count.
/// @param lines  in each region; what a chunk costs grows with them
void write_slow_world(const std::filesystem::path& directory, int lines = 1024);

/// What became of requests for rows of chunks.
struct Outcome {
  std::atomic<std::uint64_t> chunks = 0;   // that came before their request's deadline
  std::atomic<std::uint64_t> refused = 0;  // requests: RESOURCE_EXHAUSTED
  std::atomic<std::uint64_t> late = 0;     // requests: DEADLINE_EXCEEDED
  std::atomic<std::uint64_t> other = 0;    // requests: anything else that is not OK
  std::atomic<int> open = 0;               // requests
};

/// Asks for a row without waiting for it. `outcome` must outlive the request: wait until none is
/// open.
void ask(e2e::Client& client, v1::GetChunksRequest request, std::chrono::milliseconds deadline,
         Outcome& outcome);

/// Asks for as many rows at a time as `streams` says, one after another, for so long. @return
/// chunks a second
double closed_loop(e2e::Client& client, FreshLand& land, int streams, Clock::duration time);

/// Asks for so many chunks a second, come what may, for so long. Blocks until all requests are
/// over. @return chunks a second that came, while it was asking
double open_loop(e2e::Client& client, FreshLand& land, double chunks_a_second, Clock::duration time,
                 Outcome& outcome);

/// How long things took.
class Latencies {
 public:
  void add(Clock::duration time);
  /// Milliseconds. @param share  0 … 1
  [[nodiscard]] double quantile_ms(double share) const;
  [[nodiscard]] std::size_t count() const;

 private:
  mutable Mutex mutex_;
  std::vector<double> all_ms_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace terrane::drills
