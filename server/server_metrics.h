#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "http/routes.h"
#include "ops/metrics.h"
#include "pipeline/chunk_pipeline.h"
#include "schedule/worker_pool.h"
#include "store/chunk_store.h"
#include "worlds/live_catalog.h"

/// The names of what is measured of pipeline, workers, cache and worlds, and where each number
/// comes from; rooms that measure themselves name it themselves.
/// What these functions are given must outlive the use of `metrics`.
namespace terrane {

/// Times the generator, by the name of the world and the level of detail. Thread-safe; copies count
/// together.
class TimedGenerator {
 public:
  TimedGenerator(pipeline::Generator generate, ops::Metrics& metrics);

  /// What `generate` yields; only what it finished is timed. Throws what it throws.
  std::optional<Chunk> operator()(const pipeline::ChunkRequest& request,
                                  const std::stop_token& stop) const;

 private:
  class Seconds;
  pipeline::Generator generate_;
  std::shared_ptr<Seconds> seconds_;
};

[[nodiscard]] pipeline::PipelineTimers pipeline_timers(ops::Metrics& metrics);

/// How long jobs wait for a worker, by priority.
using QueueWaits = std::array<ops::Histogram, schedule::kPriorities>;
[[nodiscard]] QueueWaits queue_waits(ops::Metrics& metrics);

/// Everything that pipeline and workers count themselves, and what the system says of the process.
void scrape_server(ops::Metrics& metrics, const pipeline::ChunkPipeline& pipeline,
                   const schedule::WorkerPool& workers);

/// How many worlds there are, and files that should have been worlds.
void scrape_worlds(ops::Metrics& metrics, const worlds::LiveCatalog& worlds,
                   const std::atomic<std::size_t>& refused_files);

/// Everything that the cache counts itself, and whether it is of use; and what it holds of the
/// worlds on offer, and of others.
/// @param cache  null: one was wanted and can't be had
void scrape_cache(ops::Metrics& metrics, const store::ChunkStore* cache,
                  const worlds::LiveCatalog& worlds);

/// The memory that the process may use and what it does use. @param limit  in bytes; 0: unknown
void scrape_memory(ops::Metrics& metrics, std::uint64_t limit);

/// Whether calls are taken. A server that drains has the fewest calls and the shortest queue of
/// all: whoever chooses by those asks for this as well.
void scrape_phase(ops::Metrics& metrics, const std::atomic<http::Phase>& phase,
                  const net::PortStates& ports);

/// Logs what was done since the start, in a form that tests and scripts read: name=value.
/// @param cache  null: none
void log_totals(const pipeline::PipelineStats& chunks, const store::ChunkStore* cache);

}  // namespace terrane
