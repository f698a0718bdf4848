#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/serving_bench_client.h"
#include "bench/serving_bench_report.h"
#include "e2e/server_process.h"

namespace terrane::bench {

struct Options {
  int repeats = 5;                          // of each pair of measurements; medians are reported
  std::chrono::duration<double> each{0.6};  // one measurement
  std::vector<std::size_t> streams{1, 4, kMostStreams};  // at a time; the most come last
  std::size_t cold_squares = 8;                          // of 1,024 chunks, per cold measurement
  std::chrono::duration<double> idle{60};                // 0: without
};

inline constexpr std::uint64_t kHotSeed = 7;
// the default, and chunks three times as large
inline constexpr std::array kHotWorlds{"continents", "classic"};

/// terraned and the bare server beside it, which sends messages of the sizes that the former does.
struct Pair {
  std::string world;
  // its cache holds a square of the world for each stream
  std::unique_ptr<e2e::ServerProcess> terrane;
  std::unique_ptr<e2e::ServerProcess> bare;
  std::vector<std::string> chunks = {};  // encoded, of one square
};

/// @param self  path of this program, which is also the bare server
[[nodiscard]] Pair start_pair(const std::string& self, const std::string& world,
                              const std::string& cache_directory, std::size_t streams);

/// Cached chunks, streamed.
[[nodiscard]] Table hot(std::span<const Pair> pairs, const Options& options);

/// Cached chunks, one by one.
[[nodiscard]] Table unary(std::span<const Pair> pairs, const Options& options);

/// What the SDK's decoding costs beside all that.
[[nodiscard]] Table decoding(std::span<const Pair> pairs, const Options& options);

/// Chunks that nobody has asked for before, beside generating and encoding them in this process on
/// one thread.
[[nodiscard]] Table cold(const Options& options);

/// Servers that are left alone for a while, and then asked.
class IdleServers {
 public:
  /// Starts them, and asks each once.
  IdleServers(const std::string& self, std::chrono::duration<double> idle);
  ~IdleServers();

  /// Waits until they have been idle long enough, and asks again.
  [[nodiscard]] Table wake();

 private:
  struct Server;
  std::vector<std::unique_ptr<Server>> servers_;
  std::chrono::duration<double> idle_;
  std::chrono::steady_clock::time_point since_;
};

}  // namespace terrane::bench
