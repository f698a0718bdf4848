#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/bench/report.h"
#include "cli/session.h"
#include "terrane/chunk_stream.h"

namespace terrane::cli {

enum class BenchKind {
  kHot,   // the same squares of chunks again and again: cached
  kCold,  // squares never asked for before
};

/// What one connection, or all of them, received. Times in milliseconds.
struct BenchCounts {
  std::uint64_t chunks = 0;
  std::uint64_t bytes = 0;                  // of encoded chunks
  std::vector<double> request_ms = {};      // of each request, from asking to the last chunk
  std::vector<double> first_chunk_ms = {};  // of each request, from asking to the first chunk
  std::vector<EncodedChunk> examples = {};  // some of what came
  double seconds = 0;                       // of it all
};

/// The `index`-th square of `edge` x `edge` chunks; squares do not overlap.
[[nodiscard]] ChunkRectangle bench_square(std::uint64_t index, std::int64_t edge);

/// Opens connections, each of which streams one square after another and throws them away, until
/// the time is over. Hot: each keeps to a square of its own, which it asks for once beforehand.
/// Blocks; uses a thread for each connection.
/// @param ref         world and seed; for kCold a seed that the server has not met
/// @param per_square  chunks that one request may ask for
/// Errors: the first that any connection met, a chunk's failure included.
[[nodiscard]] Result<BenchCounts> bench_run(const GlobalOptions& globals, const WorldRef& ref,
                                            BenchKind kind, std::uint64_t per_square,
                                            std::size_t connections,
                                            std::chrono::duration<double> time);

/// Microseconds to decode one of these chunks, on this thread. Errors: kDataLoss.
[[nodiscard]] Result<double> decoding_us(const std::vector<EncodedChunk>& chunks);

/// What they say, in figures.
[[nodiscard]] BenchReport bench_report(const BenchCounts& counts, const std::string& scenario,
                                       std::size_t connections, double decode_us);

}  // namespace terrane::cli
