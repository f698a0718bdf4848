#include <iostream>
#include <memory>
#include <random>

#include "bench_run.h"
#include "commands.h"
#include "text.h"

namespace terrane::cli {
namespace {

struct Options {
  std::string scenario;
  double seconds = 5;
  std::size_t connections = 1;
  bool json = false;
};

/// What is printed, in this order.
struct Figures {
  double chunks_per_s, mb_per_s, bytes_per_chunk, request_p50_ms, request_p99_ms, first_p50_ms, first_p99_ms, decode_us;
};

Figures figures(const BenchCounts& counts, double decode_us) {
  const auto chunks = static_cast<double>(counts.chunks);
  const auto bytes = static_cast<double>(counts.bytes);
  return {chunks / counts.seconds,
          bytes / counts.seconds / 1e6,
          bytes / chunks,
          quantile(counts.request_ms, 0.5),
          quantile(counts.request_ms, 0.99),
          quantile(counts.first_chunk_ms, 0.5),
          quantile(counts.first_chunk_ms, 0.99),
          decode_us};
}

void print_json(const Session& session, const Options& options, const BenchCounts& counts, const Figures& all) {
  std::cout << "{\"scenario\":" << json_string(options.scenario) << ",\"world\":" << json_string(session.ref.name)
            << ",\"seed\":" << session.ref.seed << ",\"connections\":" << options.connections
            << ",\"seconds\":" << number(counts.seconds) << ",\"requests\":" << counts.request_ms.size()
            << ",\"chunks\":" << counts.chunks << ",\"bytes\":" << counts.bytes
            << ",\"chunks_per_s\":" << rounded(all.chunks_per_s, 1) << ",\"bytes_per_s\":" << rounded(all.mb_per_s * 1e6, 0)
            << ",\"request_p50_ms\":" << rounded(all.request_p50_ms, 3)
            << ",\"request_p99_ms\":" << rounded(all.request_p99_ms, 3)
            << ",\"first_chunk_p50_ms\":" << rounded(all.first_p50_ms, 3)
            << ",\"first_chunk_p99_ms\":" << rounded(all.first_p99_ms, 3)
            << ",\"decode_us_per_chunk\":" << rounded(all.decode_us, 2) << "}\n";
}

void print_text(const Session& session, const Options& options, const BenchCounts& counts, const Figures& all) {
  const bool hot = options.scenario == "hot";
  std::cout << options.scenario << ": "
            << (hot ? "chunks that the server has at hand" : "chunks that nobody has asked for before")
            << ", streamed and thrown away without decoding; world " << session.ref.name << ", seed " << session.ref.seed << ", "
            << options.connections << (options.connections == 1 ? " connection, " : " connections, ")
            << rounded(counts.seconds, 1) << " s\n"
            << "  received     " << rounded(all.chunks_per_s, 0) << " chunks/s, " << rounded(all.mb_per_s, 1) << " MB/s; "
            << counts.chunks << " chunks, " << rounded(static_cast<double>(counts.bytes) / 1e6, 1) << " MB, "
            << rounded(all.bytes_per_chunk, 0) << " bytes a chunk\n"
            << "  a request    of " << counts.chunks / counts.request_ms.size() << " chunks: p50 "
            << rounded(all.request_p50_ms, 2) << " ms, p99 " << rounded(all.request_p99_ms, 2) << " ms\n"
            << "  first chunk  p50 " << rounded(all.first_p50_ms, 2) << " ms, p99 " << rounded(all.first_p99_ms, 2) << " ms\n"
            << "  decoding     " << rounded(all.decode_us, 1)
            << " us a chunk on one thread of this machine; not part of the above\n";
}

Result<void> run(const GlobalOptions& globals, const Options& options) {
  auto session = Session::open(globals);
  if (!session) return tl::unexpected(session.error());
  const auto limits = session->client.limits();
  if (!limits) return tl::unexpected(limits.error());
  const bool hot = options.scenario == "hot";
  if (!hot) {
    std::random_device random;
    session->ref.seed = std::uint64_t{random()} << 32 | random();
  }
  const auto counts = bench_run(globals, session->ref, hot ? BenchKind::kHot : BenchKind::kCold, limits->max_chunks_per_request,
                                options.connections, std::chrono::duration<double>(options.seconds));
  if (!counts) return tl::unexpected(counts.error());
  const auto decode_us = decoding_us(counts->examples);
  if (!decode_us) return tl::unexpected(decode_us.error());
  (options.json ? print_json : print_text)(*session, options, *counts, figures(*counts, *decode_us));
  return {};
}

}  // namespace

void add_bench(CLI::App& app, const GlobalOptions& globals, Command& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("bench", "How fast the server sends chunks to this machine");
  command->add_option("scenario", options->scenario, "hot: chunks that it has at hand; cold: chunks that it has to generate")
      ->required()
      ->type_name("hot|cold")
      ->check(CLI::IsMember({"hot", "cold"}));
  command->add_option("--seconds", options->seconds, "How long to measure; requests under way then are finished")
      ->check(CLI::Range(0.001, 86400.0))
      ->capture_default_str();
  command->add_option("--connections", options->connections, "Connections, each with one request at a time")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1024}))
      ->capture_default_str();
  command->add_flag("--json", options->json, "One JSON object");
  command->footer(
      "Each request streams a square of as many chunks as the server lets one request have. hot asks for each connection's "
      "square\n"
      "once before it measures; cold takes a new random seed, ignores --seed, and says which it was. Chunks are received and "
      "thrown\n"
      "away; what decoding them would cost is measured apart. Client and server on one machine share its processors.\n"
      "Example: terrane bench cold --connections 4 --seconds 10");
  command->callback([&globals, &chosen, options] { chosen = [&globals, options] { return run(globals, *options); }; });
}

}  // namespace terrane::cli
