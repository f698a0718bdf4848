#include <iostream>
#include <memory>
#include <string>

#include "cli/admin/stats_text.h"
#include "cli/commands.h"
#include "cli/terminal/text.h"
#include "terrane/admin.h"
#include "terrane/result_macros.h"

namespace terrane::cli {
namespace {

struct StatsOptions {
  bool json = false;
};

std::string member(const char* name, std::uint64_t value) {
  return std::string("\"") + name + "\":" + std::to_string(value);
}

void print_json(const ServerStats& stats, const std::vector<CachedWorld>& worlds) {
  std::cout << "{\"version\":" << json_string(stats.version)
            << ",\"uptime_seconds\":" << number(stats.uptime_s)
            << ",\"processor_seconds\":" << number(stats.processor_s) << ','
            << member("workers", stats.workers) << ',' << member("memory_bytes", stats.memory_bytes)
            << ',' << member("memory_limit_bytes", stats.memory_limit_bytes) << ",\"chunks\":{"
            << member("requests", stats.requests) << ',' << member("from_memory", stats.from_memory)
            << ',' << member("from_disk", stats.from_disk) << ',' << member("joined", stats.joined)
            << ',' << member("generated", stats.generated) << ','
            << member("refused", stats.refused) << ',' << member("cancelled", stats.cancelled)
            << ',' << member("failed", stats.failed) << "},\"times\":{";
  for (const WaitTimes& waits : stats.waits) {
    const auto at = [&](double share) {
      return number(quantile(waits.counts, stats.bounds_s, share).value_or(0));
    };
    std::cout << (&waits == &stats.waits.front() ? "" : ",") << json_string(waits.kind)
              << ":{\"p50\":" << at(0.5) << ",\"p99\":" << at(0.99) << '}';
  }
  std::cout << "}," << member("queued", stats.queued) << ',' << member("viewers", stats.viewers)
            << ",\"memory_cache\":{" << member("chunks", stats.memory_cache_chunks) << ','
            << member("bytes", stats.memory_cache_bytes) << "},\"cache\":";
  if (const auto& cache = stats.cache) {
    std::cout << '{' << member("chunks", cache->chunks) << ',' << member("bytes", cache->bytes)
              << ',' << member("max_bytes", cache->max_bytes) << ','
              << member("evictions", cache->evictions) << ',' << member("dropped", cache->dropped)
              << ',' << member("damaged", cache->damaged) << ",\"worlds\":[";
    for (const CachedWorld& world : worlds) {
      std::cout << (&world == &worlds.front() ? "" : ",")
                << "{\"world\":" << (world.world.empty() ? "null" : json_string(world.world))
                << ",\"fingerprint\":\"" << hex64(world.fingerprint) << "\","
                << member("chunks", world.chunks) << ',' << member("bytes", world.bytes) << ','
                << member("seeds", world.seeds) << '}';
    }
    std::cout << "]}";
  } else {
    std::cout << "null";
  }
  std::cout << ",\"clients\":[";
  for (const ClientCost& client : stats.costliest) {
    std::cout << (&client == &stats.costliest.front() ? "" : ",")
              << "{\"name\":" << json_string(client.name)
              << ",\"processors\":" << number(client.processors) << ','
              << member("weight", client.weight) << '}';
  }
  std::cout << "]}\n";
}

Result<void> run(const GlobalOptions& globals, const StatsOptions& options) {
  TERRANE_ASSIGN_OR_RETURN(const auto admin, Admin::connect(client_options(globals)));
  TERRANE_ASSIGN_OR_RETURN(const auto stats, admin.stats());
  std::vector<CachedWorld> worlds;
  if (stats.cache) {
    TERRANE_ASSIGN_OR_RETURN(worlds, admin.cache());
  }
  if (options.json) {
    print_json(stats, worlds);
  } else {
    std::cout << stats_text(stats);
    if (stats.cache) std::cout << '\n' << cache_text(worlds);
  }
  return {};
}

}  // namespace

void add_stats(CommandLine& line, const GlobalOptions& globals) {
  auto options = std::make_shared<StatsOptions>();
  FlagSet command = line.add_command("stats", "What the server does and holds, for administrators");
  command.add("--json", options->json, "One object");
  command.footer(
      "Administrators show a token with the role \"admin\" (TERRANE_TOKEN, --token-file), or call\n"
      "from the machine of a server that was started with --admin-from-loopback.");
  command.runs([options, &globals] { return run(globals, *options); });
}

}  // namespace terrane::cli
