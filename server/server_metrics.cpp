#include "server_metrics.h"

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "log.h"
#include "ops/build_info.h"
#include "ops/process_metrics.h"
#include "terrane/mutex.h"

namespace terrane {
namespace {

constexpr std::array<const char*, schedule::kPriorities> kPriorityNames{
    "player_waits", "view", "prefetch", "pregeneration"};

double number(std::uint64_t count) { return static_cast<double>(count); }

double seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

void scrape_pipeline(ops::Scrape& scrape, const pipeline::PipelineStats& stats) {
  scrape.counter("terrane_chunk_requests_total", "Chunks asked for, by unary calls and streams.",
                 number(stats.requests));
  const char* const chunks = "terrane_chunks_total";
  const char* const origin =
      "Chunks made available, by origin: each once, however many asked for it.";
  scrape.counter(chunks, origin, number(stats.from_memory), {{"origin", "memory"}});
  scrape.counter(chunks, origin, number(stats.hits - stats.from_memory), {{"origin", "disk"}});
  scrape.counter(chunks, origin, number(stats.generated), {{"origin", "generated"}});
  scrape.counter("terrane_joined_total", "Requests for a chunk that was on its way already.",
                 number(stats.joined));
  const char* const cancelled = "terrane_cancelled_total";
  const char* const stage = "Requests for chunks that were cancelled, by what they waited for.";
  scrape.counter(cancelled, stage,
                 number(stats.cancelled - stats.cancelled_queued - stats.cancelled_generating),
                 {{"stage", "lookup"}});
  scrape.counter(cancelled, stage, number(stats.cancelled_queued), {{"stage", "queue"}});
  scrape.counter(cancelled, stage, number(stats.cancelled_generating), {{"stage", "generation"}});
  for (std::size_t i = 0; i < stats.refused_by.size(); ++i) {
    scrape.counter("terrane_shed_total",
                   "Requests for chunks that were refused, by the limit they met.",
                   number(stats.refused_by[i]),
                   {{"reason", schedule::to_string(static_cast<schedule::Refusal>(i))}});
  }
  scrape.counter("terrane_generations_stopped_total",
                 "Chunks that were not made to the end, since nobody waited for them any more.",
                 number(stats.stopped));
  scrape.counter("terrane_generator_failures_total", "Chunks whose generator threw.",
                 number(stats.failed));
  scrape.gauge("terrane_memory_cache_bytes", "Memory that chunks asked for lately take.",
               number(stats.memory_cache_bytes));
  scrape.gauge("terrane_memory_cache_entries", "Chunks kept in memory.",
               number(stats.memory_cache_chunks));
}

void scrape_workers(ops::Scrape& scrape, const schedule::WorkerPool& workers) {
  for (std::size_t i = 0; i < kPriorityNames.size(); ++i) {
    scrape.gauge("terrane_queue_jobs", "Jobs that wait for a worker.",
                 number(workers.queued(static_cast<schedule::Priority>(i))),
                 {{"priority", kPriorityNames[i]}});
  }
  scrape.gauge("terrane_workers", "Threads that generate.", number(workers.workers()));
  scrape.counter("terrane_worker_failures_total", "Jobs that threw; their worker goes on.",
                 number(workers.failed_jobs()));
}

/// Of the check after an unclean exit.
void scrape_check(ops::Scrape& scrape, const store::StoreStats& stats) {
  const double share =
      stats.check_pages == 0 ? 0 : number(stats.checked_pages) / number(stats.check_pages);
  scrape.gauge(
      "terrane_cache_checked_ratio",
      "How much of the cache is checked after an unclean exit, 0 to 1; 1 when it is done, or "
      "there was no need. Below 1 nothing is written to the cache.",
      stats.checking ? share : 1);
  scrape.gauge("terrane_cache_check_pages",
               "Pages to be checked after an unclean exit; 0 when there was no need.",
               number(stats.check_pages));
  scrape.gauge("terrane_cache_checked_pages", "Pages of those that have been checked.",
               number(stats.checked_pages));
}

void scrape_store(ops::Scrape& scrape, const store::StoreStats& stats) {
  scrape.counter("terrane_cache_hits_total", "Chunks found in the cache.", number(stats.hits));
  scrape.counter("terrane_cache_misses_total", "Chunks not found in the cache.",
                 number(stats.misses));
  scrape.counter("terrane_cache_puts_total", "Chunks committed to the cache.", number(stats.puts));
  scrape.counter("terrane_cache_dropped_puts_total",
                 "Chunks not kept: queue or cache full, or a write failed.",
                 number(stats.dropped_puts));
  scrape.counter("terrane_cache_bad_checksums_total",
                 "Damaged entries found; each was a miss and has been deleted.",
                 number(stats.bad_checksums));
  scrape.counter("terrane_cache_evictions_total", "Entries deleted to make room for others.",
                 number(stats.evictions));
  scrape.counter("terrane_cache_commits_total", "Write transactions.", number(stats.commits));
  scrape.counter("terrane_cache_commit_seconds_total", "How long they took, all together.",
                 seconds(stats.commit_time));
  scrape.gauge("terrane_cache_entries", "Chunks in the cache.", number(stats.entries));
  scrape.gauge("terrane_cache_used_bytes", "Size of the cache's pages in use.",
               number(stats.used_bytes));
  scrape.gauge(
      "terrane_cache_max_bytes",
      "Size that the cache never grows past: --cache-size, or less once the disk had no room for "
      "that.",
      number(stats.max_bytes));
  scrape.gauge("terrane_cache_readers", "Look-ups that read the cache now.", number(stats.readers));
  scrape.gauge("terrane_cache_oldest_reader_seconds",
               "Age of the look-up that has read longest; it keeps pages from reuse.",
               seconds(stats.oldest_reader_age));
  scrape.gauge("terrane_cache_fill_ratio", "Used of the greatest size, 0 to 1.",
               stats.max_bytes == 0 ? 0 : number(stats.used_bytes) / number(stats.max_bytes));
  scrape_check(scrape, stats);
}

void scrape_worlds_in_cache(ops::Scrape& scrape, const store::StoreStats& stats,
                            const worlds::WorldCatalog& worlds) {
  auto others = stats.entries_by_world;
  for (const auto& [name, world] : worlds) {
    const auto found = stats.entries_by_world.find(world->fingerprint);
    scrape.gauge("terrane_cache_world_entries", "Chunks in the cache of the worlds on offer.",
                 number(found == stats.entries_by_world.end() ? 0 : found->second),
                 {{"world", name}, {"fingerprint", fmt::format("{:016x}", world->fingerprint)}});
    others.erase(world->fingerprint);
  }
  std::uint64_t stale = 0;
  for (const auto& [fingerprint, count] : others) stale += count;
  scrape.gauge("terrane_cache_stale_entries",
               "Chunks in the cache of worlds that are not on offer any more, as after an upgrade: "
               "they are evicted before any other.",
               number(stale));
}

}  // namespace

/// Histograms, made when a world's first chunk is: worlds come and go.
class TimedGenerator::Seconds {
 public:
  explicit Seconds(ops::Metrics& metrics) : metrics_(metrics) {}

  ops::Histogram of(const std::string& world, Lod lod) {
    const MutexLock lock(mutex_);
    const auto [entry, is_new] = histograms_.try_emplace(world);
    auto& by_lod = entry->second;
    for (std::size_t i = 0; is_new && i < by_lod.size(); ++i) {
      by_lod[i] = metrics_.histogram("terrane_generation_seconds",
                                     "How long it took to generate a chunk, without encoding it.",
                                     {{"world", world}, {"lod", std::to_string(i)}});
    }
    return by_lod[lod];
  }

 private:
  ops::Metrics& metrics_;
  using ByLod = std::array<ops::Histogram, std::size_t{kMaxLod} + 1>;

  Mutex mutex_;
  std::map<std::string, ByLod> histograms_ ABSL_GUARDED_BY(mutex_);  // by the world's name
};

TimedGenerator::TimedGenerator(pipeline::Generator generate, ops::Metrics& metrics)
    : generate_(std::move(generate)), seconds_(std::make_shared<Seconds>(metrics)) {}

std::optional<Chunk> TimedGenerator::operator()(const pipeline::ChunkRequest& request,
                                                const std::stop_token& stop) const {
  const auto start = std::chrono::steady_clock::now();
  auto chunk = generate_(request, stop);
  if (chunk)
    seconds_->of(request.world->name, request.lod)
        .observe(std::chrono::steady_clock::now() - start);
  return chunk;
}

pipeline::PipelineTimers pipeline_timers(ops::Metrics& metrics) {
  const auto origin = [&](const char* name) {
    return metrics.histogram("terrane_chunk_seconds",
                             "From a request for a chunk to its bytes, by origin: memory, disk, "
                             "generated, or joined (on its way already).",
                             {{"origin", name}});
  };
  return {
      .memory = origin("memory"),
      .disk = origin("disk"),
      .generated = origin("generated"),
      .joined = origin("joined"),
      .encode = metrics.histogram("terrane_encode_seconds", "How long it took to encode a chunk.")};
}

QueueWaits queue_waits(ops::Metrics& metrics) {
  QueueWaits waits;
  for (std::size_t i = 0; i < waits.size(); ++i) {
    waits[i] = metrics.histogram("terrane_queue_wait_seconds", "How long jobs waited for a worker.",
                                 {{"priority", kPriorityNames[i]}});
  }
  return waits;
}

void scrape_server(ops::Metrics& metrics, const pipeline::ChunkPipeline& pipeline,
                   const schedule::WorkerPool& workers) {
  metrics.at_scrape([&pipeline, &workers](ops::Scrape& scrape) {
    ops::scrape_build(scrape);
    ops::scrape_process(scrape);
    scrape_pipeline(scrape, pipeline.stats());
    scrape_workers(scrape, workers);
  });
}

void scrape_worlds(ops::Metrics& metrics, const worlds::LiveCatalog& worlds,
                   const std::atomic<std::size_t>& refused_files) {
  metrics.at_scrape([&worlds, &refused_files](ops::Scrape& scrape) {
    scrape.gauge("terrane_worlds", "Worlds on offer.", number(worlds.now()->size()));
    scrape.gauge("terrane_world_files_refused",
                 "Files in --world-dir with an error, or whose name another file has.",
                 number(refused_files));
  });
}

void scrape_cache(ops::Metrics& metrics, const store::ChunkStore* cache,
                  const worlds::LiveCatalog& worlds) {
  metrics.at_scrape([cache, &worlds](ops::Scrape& scrape) {
    const store::StoreStats stats = cache == nullptr ? store::StoreStats() : cache->stats();
    scrape.gauge("terrane_cache_usable",
                 "1: the cache on disk takes chunks; 0: --data can't be used or written.",
                 cache != nullptr && stats.writable ? 1 : 0);
    if (cache == nullptr) return;
    scrape_store(scrape, stats);
    scrape_worlds_in_cache(scrape, stats, *worlds.now());
  });
}

void scrape_memory(ops::Metrics& metrics, std::uint64_t limit) {
  metrics.at_scrape([limit](ops::Scrape& scrape) {
    scrape.gauge(
        "terrane_memory_limit_bytes",
        "Memory that the server may use: --memory-limit, or what the system allows; 0 when "
        "that is unknown.",
        number(limit));
    scrape.gauge("terrane_memory_anonymous_bytes",
                 "Memory in use that the system can't take back: without the mapped cache's pages.",
                 number(ops::anonymous_memory()));
  });
}

void scrape_phase(ops::Metrics& metrics, const std::atomic<http::Phase>& phase,
                  const net::PortStates& ports) {
  metrics.at_scrape([&phase, &ports](ops::Scrape& scrape) {
    scrape.gauge(
        "terrane_ready",
        "1: calls are taken; 0: the server starts or drains, however idle it looks, or a port "
        "can't accept connections.",
        http::is_ready(phase) && ports.all_accept() ? 1 : 0);
    const http::Phase now = phase;
    scrape.gauge("terrane_draining", "1: the server is about to stop, or stops.",
                 now == http::Phase::kLeaving || now == http::Phase::kDraining ? 1 : 0);
  });
}

void log_totals(const pipeline::PipelineStats& chunks, const store::ChunkStore* cache) {
  spdlog::info(
      "pipeline totals: requests={} hits={} generated={} joined={} cancelled={} refused={} "
      "failed={}",
      chunks.requests, chunks.hits, chunks.generated, chunks.joined, chunks.cancelled,
      chunks.refused, chunks.failed);
  if (cache == nullptr) return;
  const store::StoreStats stored = cache->stats();
  spdlog::info(
      "store totals: hits={} misses={} puts={} dropped_puts={} bad_checksums={} evictions={} "
      "commits={} used_bytes={} "
      "max_bytes={} entries={}",
      stored.hits, stored.misses, stored.puts, stored.dropped_puts, stored.bad_checksums,
      stored.evictions, stored.commits, stored.used_bytes, stored.max_bytes, stored.entries);
}

}  // namespace terrane
