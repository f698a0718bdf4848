// What serving costs. Starts the real terraned, and beside it a bare gRPC server that sends
// ready-made messages of the same sizes, each as a process of its own; asks both in turn over
// loopback with one and the same client, which throws payloads away; prints medians and ratios.
//
//   serving_bench                   the whole: about three minutes, one for servers that idle
//   serving_bench --quick           whether it still works: a few seconds, figures without meaning
//   serving_bench --only hot        one table: hot, unary, decode, cold or idle
//   serving_bench --tls             all of it encrypted, the bare server too
//   serving_bench --json            for programs
//
// The promises (server/ARCHITECTURE.md): ratio >= 0.7 in `hot`, >= 0.9 in `cold`. Server and client
// share the machine's processors, so processor time per chunk is the steadier figure where
// something else runs too.

#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/serving_bench_bare.h"
#include "bench/serving_bench_cases.h"
#include "support/certificates.h"
#include "support/temp_directory.h"

using namespace terrane::bench;

namespace {

struct CommandLine {
  Options options;
  bool json = false;
  bool tls = false;
  std::string only;
  std::size_t bare_unary = 0;
  std::vector<std::vector<std::size_t>> bare_streams;  // not empty: be the bare server
};

CommandLine read(const std::vector<std::string>& arguments) {
  CommandLine line;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& flag = arguments[i];
    const auto value = [&] {
      if (i + 1 == arguments.size()) throw std::runtime_error(flag + " needs a value");
      return arguments[++i];
    };
    if (flag == "--json") {
      line.json = true;
    } else if (flag == "--tls") {
      line.tls = true;
    } else if (flag == "--quick") {
      line.options = {.repeats = 1,
                      .each = std::chrono::duration<double>(0.02),
                      .streams = {1, 2},
                      .cold_squares = 1,
                      .idle = {}};
    } else if (flag == "--only") {
      line.only = value();
    } else if (flag == "--seconds") {
      line.options.each = std::chrono::duration<double>(std::stod(value()));
    } else if (flag == "--repeats") {
      line.options.repeats = std::stoi(value());
    } else if (flag == "--idle-seconds") {
      line.options.idle = std::chrono::duration<double>(std::stod(value()));
    } else if (flag == "--bare-unary") {
      line.bare_unary = std::stoul(value());
    } else if (flag == "--bare-stream") {
      auto& sizes = line.bare_streams.emplace_back();
      while (i + 1 < arguments.size() && !arguments[i + 1].starts_with("--"))
        sizes.push_back(std::stoul(value()));
    } else {
      throw std::runtime_error("no flag '" + flag +
                               "': --quick, --only TABLE, --seconds S, --repeats N, --idle-seconds "
                               "S (0: none), --tls and --json are");
    }
  }
  return line;
}

/// Certificates in variables that terraned, the bare server and this one's client read.
void use_tls(const std::filesystem::path& directory) {
  const terrane::test::Authority authority("the bench");
  const auto own = authority.issue("a server");
  const auto keep = [&](const char* variable, const std::string& text) {
    std::ofstream(directory / variable) << text;
    setenv(variable, (directory / variable).c_str(), 1);
  };
  keep("TERRANE_TLS_CERT", own.certificate);
  keep("TERRANE_TLS_KEY", own.key);
  keep("TERRANE_TLS_CA", authority.certificate());
}

std::vector<Table> measure(const std::string& self, const CommandLine& line,
                           std::ostream& progress) {
  std::vector<Table> tables;
  const auto wanted = [&](std::string_view name) { return line.only.empty() || line.only == name; };
  const auto keep = [&](Table table) {
    progress << to_text(table) << std::endl;
    tables.push_back(std::move(table));
  };
  std::optional<IdleServers> idle;  // they idle while the others are measured
  if (wanted("idle") && line.options.idle.count() > 0) idle.emplace(self, line.options.idle);
  if (wanted("hot") || wanted("unary") || wanted("decode")) {
    const terrane::test::TempDirectory caches;
    std::vector<Pair> pairs;
    pairs.reserve(kHotWorlds.size());
    for (const std::string world : kHotWorlds)
      pairs.push_back(start_pair(self, world, caches.path() / world, line.options.streams.back()));
    if (wanted("hot")) keep(hot(pairs, line.options));
    if (wanted("unary")) keep(unary(pairs, line.options));
    if (wanted("decode")) keep(decoding(pairs, line.options));
  }
  if (wanted("cold")) keep(cold(line.options));
  if (idle) keep(idle->wake());
  return tables;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const CommandLine line = read({argv + 1, argv + argc});
    if (!line.bare_streams.empty()) return serve_bare(line.bare_streams, line.bare_unary);
    const terrane::test::TempDirectory certificates;
    if (line.tls) use_tls(certificates.path());
    const auto tables = measure("/proc/self/exe", line, line.json ? std::cerr : std::cout);
    if (line.json) std::cout << to_json(tables);
    return EXIT_SUCCESS;
  } catch (const std::exception& failure) {
    std::cerr << "serving_bench: " << failure.what() << '\n';
    return EXIT_FAILURE;
  }
}
