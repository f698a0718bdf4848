#include "cli/bench/run.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <latch>
#include <string>
#include <thread>

#include "terrane/result_macros.h"

namespace terrane::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kExamples = 256;  // of each connection
constexpr std::uint64_t kSquaresInARow = 1024;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// One request; adds to `counts`.
Result<void> take_square(const Client& client, const WorldRef& ref, const ChunkRectangle& square,
                         BenchCounts& counts) {
  const auto start = Clock::now();
  auto stream = client.chunks({.world = ref, .area = square});
  for (bool first = true;; first = false) {
    TERRANE_ASSIGN_OR_RETURN(auto item, stream.next_encoded());
    if (!item) break;
    if (!*item) {
      const auto& [coord, error] = item->error();
      return fail(error.code, "chunk " + std::to_string(coord.x) + "," + std::to_string(coord.y) +
                                  ": " + error.message);
    }
    if (first) counts.first_chunk_ms.push_back(ms_since(start));
    ++counts.chunks;
    counts.bytes += (*item)->bytes.size();
    if (counts.examples.size() < kExamples) counts.examples.push_back(**std::move(item));
  }
  counts.request_ms.push_back(ms_since(start));
  return {};
}

void add(BenchCounts& total, BenchCounts part) {
  total.chunks += part.chunks;
  total.bytes += part.bytes;
  total.request_ms.insert(total.request_ms.end(), part.request_ms.begin(), part.request_ms.end());
  total.first_chunk_ms.insert(total.first_chunk_ms.end(), part.first_chunk_ms.begin(),
                              part.first_chunk_ms.end());
  std::move(part.examples.begin(), part.examples.end(), std::back_inserter(total.examples));
}

/// One connection's part of the run.
struct Runner {
  Client client;
  BenchCounts counts = {};
  Result<void> outcome = {};

  /// @param next_square  which square to ask for
  void run(const WorldRef& ref, std::int64_t edge,
           const std::function<std::uint64_t()>& next_square, Clock::time_point end) {
    do {
      outcome = take_square(client, ref, bench_square(next_square(), edge), counts);
    } while (outcome && Clock::now() < end);
  }
};

}  // namespace

ChunkRectangle bench_square(std::uint64_t index, std::int64_t edge) {
  const auto x = static_cast<std::int64_t>(index % kSquaresInARow) * edge;
  const auto y = static_cast<std::int64_t>(index / kSquaresInARow) * edge;
  return {{x, y}, {x + edge - 1, y + edge - 1}};
}

Result<BenchCounts> bench_run(const GlobalOptions& globals, const WorldRef& ref, BenchKind kind,
                              std::uint64_t per_square, std::size_t connections,
                              std::chrono::duration<double> time) {
  const auto edge = std::max<std::int64_t>(
      1, std::llround(std::floor(std::sqrt(static_cast<double>(per_square)))));
  std::vector<Runner> runners;
  for (std::size_t i = 0; i < connections; ++i) {
    TERRANE_ASSIGN_OR_RETURN(auto client, connect(globals));
    runners.push_back({.client = std::move(client)});
    // Also where nothing is to be warmed: connecting is not what is measured. Cold: a square that
    // is not asked for again.
    BenchCounts ignored;
    const std::uint64_t beforehand =
        kind == BenchKind::kHot ? i : kSquaresInARow * kSquaresInARow + i;
    TERRANE_RETURN_IF_ERROR(
        take_square(runners.back().client, ref, bench_square(beforehand, edge), ignored));
  }
  std::atomic<std::uint64_t> next_cold = 0;
  const auto start = Clock::now();
  const auto end = start + std::chrono::duration_cast<Clock::duration>(time);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < connections; ++i) {
    threads.emplace_back([&, i] {
      const auto next_square = [&, i] {
        return kind == BenchKind::kHot ? std::uint64_t{i} : next_cold++;
      };
      runners[i].run(ref, edge, next_square, end);
    });
  }
  for (std::thread& thread : threads) thread.join();
  BenchCounts total;
  total.seconds = ms_since(start) / 1000;
  for (Runner& runner : runners) {
    TERRANE_RETURN_IF_ERROR(runner.outcome);
    add(total, std::move(runner.counts));
  }
  return total;
}

Result<double> decoding_us(const std::vector<EncodedChunk>& chunks) {
  const auto start = Clock::now();
  for (const EncodedChunk& chunk : chunks) {
    TERRANE_RETURN_IF_ERROR(decode(chunk));
  }
  return chunks.empty() ? 0.0 : ms_since(start) * 1000 / static_cast<double>(chunks.size());
}

BenchReport bench_report(const BenchCounts& counts, const std::string& scenario,
                         std::size_t connections, double decode_us) {
  const std::string what = scenario == "hot" ? "chunks that the server has at hand"
                                             : "chunks that nobody has asked for before";
  BenchReport report{scenario, what + ", streamed and thrown away without decoding"};
  const auto chunks = static_cast<double>(counts.chunks), bytes = static_cast<double>(counts.bytes);
  report.figures = {
      {"connections", static_cast<double>(connections)},
      {"seconds", counts.seconds, 3},
      {"requests", static_cast<double>(counts.request_ms.size()), 0, "for a square of chunks each"},
      {"chunks", chunks},
      {"bytes", bytes, 0, "of these, as encoded"},
      {"chunks_per_s", chunks / counts.seconds, 1},
      {"bytes_per_s", bytes / counts.seconds, 0},
      {"bytes_per_chunk", bytes / chunks, 0}};
  add_quantiles(report, counts.request_ms, "request_p50_ms", "request_p99_ms",
                "from asking to the last chunk");
  add_quantiles(report, counts.first_chunk_ms, "first_chunk_p50_ms", "first_chunk_p99_ms",
                "from asking to the first chunk");
  report.figures.push_back({"decode_us_per_chunk", decode_us, 2,
                            "on one thread of this machine; not part of the above"});
  return report;
}

}  // namespace terrane::cli
