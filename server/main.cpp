// The composition root: builds everything in dependency order, owns everything, handles signals.

#include <malloc.h>
#include <pthread.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "config/config.h"
#include "http/server.h"
#include "ops/build_info.h"
#include "ops/logging.h"
#include "ops/metrics.h"
#include "pipeline/chunk_pipeline.h"
#include "rpc/health_check.h"
#include "rpc/server.h"
#include "schedule/worker_pool.h"
#include "server_metrics.h"
#include "store/chunk_store.h"
#include "world_commands.h"
#include "worldgen/float_environment.h"
#include "worldgen/generate.h"
#include "worldgen/objects.h"
#include "worlds/live_catalog.h"
#include "worlds/world_catalog.h"
#include "worlds/world_directory.h"

namespace {

using namespace terrane;

constexpr int kFailed = 1;
constexpr int kWrongConfiguration = 2;

/// Blocked before the first thread starts, so that only serve_until_stopped() sees them. Without
/// world files to read again, SIGHUP keeps its meaning: the terminal is gone.
sigset_t awaited_signals(const config::Config& config) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  if (!config.world_dir.empty()) sigaddset(&signals, SIGHUP);
  return signals;
}

/// glibc would give memory back to the system after every chunk, and ask for it again.
void hold_on_to_memory() {
  constexpr int kMiB = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 32 * kMiB);
  mallopt(M_TRIM_THRESHOLD, 256 * kMiB);
  mallopt(M_TOP_PAD, kMiB);
}

/// glibc widens a thread's heap by no more than is asked for, with a system call for every page or
/// so that chunks in memory fill. So do it once; a page is taken only when it is used.
void widen_heap() {
  constexpr std::size_t kBytes = std::size_t{24} << 20;
  void* volatile const heap = std::malloc(kBytes);  // volatile, or the compiler leaves both out
  std::free(heap);
}

/// Worlds are the same everywhere only where floating-point numbers are rounded the same.
void prepare_worker() {
  widen_heap();
  worldgen::set_default_float_environment();
  if (!worldgen::has_default_float_environment()) {
    spdlog::critical(
        "this machine's floating-point environment can't be set to its defaults: worlds would "
        "differ from other servers'");
    std::abort();
  }
}

/// The worlds on offer, kept as the files in --world-dir are.
struct Worlds {
  Worlds(const config::Config& config, const worlds::WorldCatalog& builtin)
      : directory(config.world_dir, builtin), live(builtin) {}

  /// Errors: the directory can't be read; the worlds stay as they are.
  Result<void> look(worlds::WorldDirectory::Read read) {
    auto found = directory.look(read);
    if (!found) return tl::unexpected(found.error());
    for (const auto& news : found->news)
      spdlog::log(news.refused ? spdlog::level::warn : spdlog::level::info, "{}", news.text);
    refused_files = found->refused_files;
    if (!found->news.empty()) live.exchange(std::move(found->worlds));
    return {};
  }

  worlds::WorldDirectory directory;
  worlds::LiveCatalog live;
  std::atomic<std::size_t> refused_files = 0;
};

/// Looks after the world files, once a second and on SIGHUP, until told to stop.
void serve_until_stopped(const config::Config& config, Worlds& worlds) {
  using Read = worlds::WorldDirectory::Read;
  const sigset_t signals = awaited_signals(config);
  const timespec second{1, 0};
  std::string problem;
  int signal = 0;
  while (signal != SIGTERM && signal != SIGINT) {
    signal = config.world_dir.empty() ? sigwaitinfo(&signals, nullptr)
                                      : sigtimedwait(&signals, nullptr, &second);
    if (signal == SIGHUP) spdlog::info("SIGHUP: reading the world files again");
    if (signal != SIGHUP && (signal != -1 || errno != EAGAIN)) continue;
    const auto looked = worlds.look(signal == SIGHUP ? Read::kAll : Read::kChanged);
    const std::string now = looked ? "" : looked.error().message;
    if (now != problem && !looked) spdlog::error("{}; the worlds stay as they are", now);
    if (now != problem && looked)
      spdlog::info("the worlds in {} can be read again", config.world_dir.string());
    problem = now;
  }
  spdlog::info("stopping on {}; once more stops at once", signal == SIGTERM ? "SIGTERM" : "SIGINT");
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);  // by default they end the process
}

/// @return the store, or null to serve without one. Errors: the directory is another server's.
Result<std::unique_ptr<store::ChunkStore>> open_store(const config::Config& config) {
  if (!config.cache) return nullptr;
  auto opened = store::ChunkStore::open({.directory = config.data, .max_bytes = config.cache_size});
  if (opened || opened.error().code == ErrorCode::kFailedPrecondition) return opened;
  spdlog::warn("serving without a cache: {}", opened.error().message);
  return nullptr;
}

/// In a form that tests and scripts read: name=value.
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

/// @return the port, or null when none is wanted. Errors: the address can't be listened on.
Result<std::unique_ptr<http::Server>> start_http(const config::Config& config,
                                                 ops::Metrics& metrics,
                                                 const std::atomic<http::Phase>& phase) {
  if (config.http.empty()) return nullptr;
  return http::Server::start(config.http, metrics, phase);
}

rpc::TerrainQueries terrain_queries(worldgen::noise::SimdTarget target) {
  using worldgen::World;
  return {.sample =
              [target](const World& world, std::uint64_t seed, std::span<const BlockPos> points) {
                return worldgen::sample_points(world, seed, points, target);
              },
          .biomes =
              [target](const World& world, std::uint64_t seed, ChunkCoord coord, Lod lod) {
                return worldgen::generate(world, seed, coord, lod, target).biome;
              },
          .structures =
              [target](const World& world, std::uint64_t seed, BlockPos from, BlockPos to) {
                return worldgen::structures_within(world, seed, from, to, target);
              },
          .rooms =
              [target](const World& world, std::uint64_t seed, BlockPos anchor) {
                return worldgen::rooms_of(world, seed, anchor, target);
              }};
}

void announce(const rpc::Server& server, const http::Server* http, std::size_t worlds,
              const config::Config& config, const store::ChunkStore* cache) {
  const std::string cached = cache == nullptr ? "off"
                                              : fmt::format("{} ({} chunks)", config.data.string(),
                                                            cache->stats().entries);
  std::cout << fmt::format("terraned ready: grpc {}, http {}, {} worlds, cache {}",
                           server.address(), http == nullptr ? "off" : http->address(), worlds,
                           cached)
            << std::endl;
}

void drain(rpc::Server& server, const config::Config& config) {
  if (const std::size_t cut = server.drain(config.drain_timeout); cut > 0) {
    spdlog::warn("{} calls had not ended after {} s (--drain-timeout) and were cancelled", cut,
                 config.drain_timeout.count());
  }
}

int serve(const config::Config& config) {
  const auto target = worldgen::noise::choose_target(config.simd);
  if (!target) {
    spdlog::critical("--simd: {}", target.error().message);
    return kWrongConfiguration;
  }
  const auto builtin = worlds::builtin_worlds();
  if (!builtin) {
    spdlog::critical("{}", builtin.error().message);
    return kFailed;
  }
  Worlds worlds(config, *builtin);
  if (const auto looked = worlds.look(worlds::WorldDirectory::Read::kAll); !looked) {
    spdlog::critical("--world-dir: {}", looked.error().message);
    return kWrongConfiguration;
  }
  const auto cache = open_store(config);
  if (!cache) {
    spdlog::critical("{}", cache.error().message);
    return kFailed;
  }
  ops::Metrics metrics;
  schedule::WorkerPool workers({.workers = config.workers,
                                .max_queued = config.queue_limit,
                                .on_thread_start = prepare_worker,
                                .on_job_start = queue_waits(metrics)});
  const auto generate = [target = *target](const pipeline::ChunkRequest& request,
                                           const std::stop_token& stop) -> std::optional<Chunk> {
    if (stop.stop_requested()) return std::nullopt;
    return worldgen::generate(*request.world, request.seed, request.coord, request.lod, target);
  };
  pipeline::ChunkPipeline pipeline({.lookup_threads = config.lookup_threads,
                                    .memory_cache_bytes = config.memory_cache,
                                    .timers = pipeline_timers(metrics)},
                                   TimedGenerator(generate, metrics), workers, cache->get());
  scrape_server(metrics, pipeline, workers);
  scrape_worlds(metrics, worlds.live, worlds.refused_files);
  if (*cache) scrape_cache(metrics, **cache);
  std::atomic<http::Phase> phase = http::Phase::kStarting;
  const auto http = start_http(config, metrics, phase);
  if (!http) {
    spdlog::critical("{}", http.error().message);
    return kFailed;
  }
  const auto server = rpc::Server::start(
      config.listen, {worlds.live, pipeline, workers, terrain_queries(*target), metrics}, {}, {},
      {.slow_client = config.slow_client});
  if (!server) {
    spdlog::critical("{}", server.error().message);
    return kFailed;
  }
  spdlog::info(
      "computing with {}, {} workers, cache {}", worldgen::noise::to_string(*target),
      config.workers,
      *cache ? fmt::format("of at most {} MiB in {}", config.cache_size >> 20, config.data.string())
             : "off");
  phase = http::Phase::kServing;
  announce(**server, http->get(), worlds.live.now()->size(), config, cache->get());
  serve_until_stopped(config, worlds);
  phase = http::Phase::kDraining;
  drain(**server, config);
  if (*cache) (*cache)->flush();
  log_totals(pipeline.stats(), cache->get());
  return 0;
}

/// For a container's health check.
int report_health(const std::string& address) {
  const auto health = rpc::check_health(address, std::chrono::seconds(2));
  if (health) return 0;
  std::cerr << health.error().message << '\n';
  return kFailed;
}

}  // namespace

int main(int argc, char** argv) {
  const auto configured = config::read_config(argc, argv, ops::build_info());
  if (const auto* exit = std::get_if<config::Exit>(&configured)) {
    (exit->code == 0 ? std::cout : std::cerr) << exit->text << std::flush;
    return exit->code;
  }
  const auto& config = std::get<config::Config>(configured);
  if (config.check_health) return report_health(config.listen);
  if (!config.print_world.empty()) return print_world(config.print_world);
  if (!config.check_world.empty()) return check_world(config.check_world);
  ops::set_up_logging(config.log_format == "json" ? ops::LogFormat::kJson : ops::LogFormat::kText,
                      spdlog::level::from_str(config.log_level));
  spdlog::info("{}", ops::build_info());
  const sigset_t signals = awaited_signals(config);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  hold_on_to_memory();
  std::signal(SIGPIPE, SIG_IGN);  // a peer that is gone is an error of that write
  std::signal(SIGXFSZ, SIG_IGN);  // and so is a file at its limit
  try {
    return serve(config);
  } catch (const std::exception& failure) {
    spdlog::critical("stopped by a bug or a lack of memory: {}", failure.what());
    return kFailed;
  }
}
