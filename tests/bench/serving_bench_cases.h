#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/serving_bench_child.h"
#include "bench/serving_bench_client.h"
#include "bench/serving_bench_report.h"

namespace terrane::bench {

struct Options {
  int repeats = 5;                          // of each pair of measurements; medians are reported
  std::chrono::duration<double> each{0.6};  // one measurement
  std::size_t cold_squares = 8;             // of 1,024 chunks, per cold measurement
  std::chrono::duration<double> idle{60};   // 0: without
};

inline constexpr std::uint64_t kHotSeed = 7;
inline constexpr const char* kHotWorld = "classic";

/// terraned and the bare server beside it, which sends messages of the sizes that the former does.
struct Pair {
  std::unique_ptr<Child> terrane;  // its cache holds the first kMostStreams squares of the hot world
  std::unique_ptr<Child> bare;
  std::size_t messages_per_call = 0;
  std::vector<std::string> chunks = {};  // encoded, of one square
};

/// @param self  path of this program, which is also the bare server
[[nodiscard]] Pair start_pair(const std::string& self, const std::string& cache_directory);

/// Cached chunks, streamed.
[[nodiscard]] Table hot(const Pair& pair, const Options& options);

/// Cached chunks, one by one.
[[nodiscard]] Table unary(const Pair& pair, const Options& options);

/// What the SDK's decoding costs beside all that.
[[nodiscard]] Table decoding(const Pair& pair, const Options& options);

/// Chunks that nobody has asked for before, beside generating and encoding them in this process on one thread.
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
