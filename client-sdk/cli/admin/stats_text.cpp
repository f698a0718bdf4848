#include "cli/admin/stats_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "cli/terminal/progress.h"
#include "cli/terminal/text.h"

namespace terrane::cli {
namespace {

constexpr std::size_t kLabelColumns = 12;  // columns

std::string line(std::string_view label, const std::string& text) {
  return pad_right(std::string(label), kLabelColumns) + text + "\n";
}

std::string chunks_text(const ServerStats& stats) {
  const auto part = [&](std::uint64_t count, const char* what) {
    return ", " + grouped(count) + " " + what + " (" + percent_text(count, stats.requests) + ")";
  };
  return grouped(stats.requests) + " asked for" + part(stats.from_memory, "from memory") +
         part(stats.from_disk, "from disk") + part(stats.joined, "with another") + ", " +
         grouped(stats.generated) + " generated";
}

std::string troubles_text(const ServerStats& stats) {
  return grouped(stats.refused) + " refused for overload, " + grouped(stats.cancelled) +
         " no longer wanted, " + grouped(stats.failed) + " failed";
}

std::string cache_usage_text(const CacheUsage& cache) {
  return grouped(cache.chunks) + " chunks, " + bytes_text(cache.bytes) + " of " +
         bytes_text(cache.max_bytes) + " (" + percent_text(cache.bytes, cache.max_bytes) + "), " +
         grouped(cache.evictions) + " evicted, " + grouped(cache.dropped) + " not kept, " +
         grouped(cache.damaged) + " damaged";
}

std::string memory_text(const ServerStats& stats) {
  std::string text = bytes_text(stats.memory_bytes);
  if (stats.memory_limit_bytes > 0) text += " of " + bytes_text(stats.memory_limit_bytes);
  return text + ", of which " + grouped(stats.memory_cache_chunks) + " chunks take " +
         bytes_text(stats.memory_cache_bytes);
}

std::string waits_text(const ServerStats& stats) {
  std::string text;
  for (const WaitTimes& waits : stats.waits) {
    const auto at = [&](double share) {
      return time_text(quantile(waits.counts, stats.bounds_s, share));
    };
    const std::string label = waits.kind == "queue" ? "for a worker" : waits.kind;
    text += std::string(kLabelColumns, ' ') + pad_right(label, 12) + "  p50 " +
            pad_right(at(0.5), 8) + "  p99 " + at(0.99) + "\n";
  }
  return text;
}

}  // namespace

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 4> kUnits{"B", "KiB", "MiB", "GiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return rounded(value, unit == 0 || value >= 100 ? 0 : 1) + " " + kUnits[unit];
}

std::string grouped(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
  return text;
}

std::string percent_text(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "-";
  return rounded(100 * static_cast<double>(part) / static_cast<double>(whole), 0) + " %";
}

std::optional<double> quantile(const std::vector<std::uint64_t>& counts,
                               const std::vector<double>& bounds_s, double share) {
  const auto all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  if (all == 0) return std::nullopt;
  const double wanted = share * static_cast<double>(all);
  double below = 0;
  for (std::size_t i = 0; i < counts.size() && i < bounds_s.size(); ++i) {
    const auto here = static_cast<double>(counts[i]);
    if (here > 0 && below + here >= wanted) {
      const double low = i == 0 ? 0 : bounds_s[i - 1];
      return low + (bounds_s[i] - low) * (wanted - below) / here;
    }
    below += here;
  }
  return std::numeric_limits<double>::infinity();
}

std::string time_text(std::optional<double> seconds) {
  if (!seconds) return "-";
  if (std::isinf(*seconds)) return "> 10 s";
  if (*seconds < 1e-3) return rounded(*seconds * 1e6, 0) + " us";
  if (*seconds < 1) return rounded(*seconds * 1e3, *seconds < 0.1 ? 1 : 0) + " ms";
  return rounded(*seconds, 1) + " s";
}

std::vector<std::uint64_t> counts_since(const ServerStats& before, const ServerStats& now,
                                        std::string_view kind) {
  const auto of = [kind](const ServerStats& stats) {
    const auto at = std::find_if(stats.waits.begin(), stats.waits.end(),
                                 [kind](const WaitTimes& waits) { return waits.kind == kind; });
    return at == stats.waits.end() ? std::vector<std::uint64_t>() : at->counts;
  };
  std::vector<std::uint64_t> counts = of(now);
  const std::vector<std::uint64_t> earlier = of(before);
  for (std::size_t i = 0; i < counts.size() && i < earlier.size(); ++i)
    counts[i] -= std::min(counts[i], earlier[i]);
  return counts;
}

std::string stats_text(const ServerStats& stats) {
  const double share = stats.uptime_s > 0 ? stats.processor_s / stats.uptime_s : 0;
  std::string text = line("server", stats.version) +
                     line("up", duration_text(stats.uptime_s) + ", " + rounded(share, 2) +
                                    " processors on average, " + counted(stats.workers, "worker")) +
                     line("memory", memory_text(stats)) + line("chunks", chunks_text(stats)) +
                     line("", troubles_text(stats)) +
                     line("times", "until a chunk is there, by where it is from:") +
                     waits_text(stats) +
                     line("now", counted(stats.queued, "job") + " queued, " +
                                     counted(stats.viewers, "Explore stream") + " open, " +
                                     counted(stats.clients, "client") + " within a minute") +
                     line("cache", stats.cache ? cache_usage_text(*stats.cache) : "none");
  for (const ClientCost& client : stats.costliest) {
    text += line(&client == &stats.costliest.front() ? "clients" : "",
                 rounded(client.processors, 2) + " processors  " + client.name +
                     (client.weight > 1 ? ", weight " + std::to_string(client.weight) : ""));
  }
  return text;
}

std::string cache_text(const std::vector<CachedWorld>& worlds) {
  if (worlds.empty()) return "The cache is empty.\n";
  std::size_t width = 5;
  for (const CachedWorld& world : worlds) width = std::max(width, world.world.size());
  std::string text = pad_right("WORLD", width) + "  FINGERPRINT       " + pad_left("CHUNKS", 12) +
                     pad_left("SIZE", 11) + pad_left("SEEDS", 10) + "\n";
  bool has_stale = false;
  for (const CachedWorld& world : worlds) {
    has_stale = has_stale || world.world.empty();
    text += pad_right(world.world.empty() ? "-" : world.world, width) + "  " +
            hex64(world.fingerprint) + "  " + pad_left(grouped(world.chunks), 12) +
            pad_left(bytes_text(world.bytes), 11) + pad_left(grouped(world.seeds), 10) + "\n";
  }
  if (has_stale)
    text += "-: no world of this server; `terrane purge --stale` removes these chunks.\n";
  return text;
}

}  // namespace terrane::cli
