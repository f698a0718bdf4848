#include "rpc/admin/admin_messages.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "ops/metrics.h"
#include "schedule/processor_time.h"

namespace terrane::rpc {
namespace {

constexpr double kNanosecondsOfSecond = 1e9;

/// Empty where there is none.
std::string name_of(WorldFingerprint fingerprint, const worlds::WorldCatalog& worlds) {
  for (const auto& [name, world] : worlds) {
    if (world->fingerprint == fingerprint) return name;
  }
  return "";
}

void add_chunks(const pipeline::PipelineStats& chunks, v1::GetServerStatsResponse& response) {
  response.set_chunk_requests(chunks.requests);
  response.set_chunks_from_memory(chunks.from_memory);
  response.set_chunks_from_disk(chunks.hits - chunks.from_memory);
  response.set_chunks_generated(chunks.generated);
  response.set_chunks_joined(chunks.joined);
  response.set_chunks_refused(chunks.refused);
  response.set_chunks_cancelled(chunks.cancelled);
  response.set_chunks_failed(chunks.failed);
  response.set_memory_cache_chunks(chunks.memory_cache_chunks);
  response.set_memory_cache_bytes(chunks.memory_cache_bytes);
}

void add_cache(const admin::CacheNumbers& cache, v1::GetServerStatsResponse& response) {
  response.set_has_cache(true);
  response.set_cache_chunks(cache.entries);
  response.set_cache_bytes(cache.used_bytes);
  response.set_cache_max_bytes(cache.max_bytes);
  response.set_cache_evictions(cache.evictions);
  response.set_cache_dropped(cache.dropped_puts);
  response.set_cache_damaged(cache.bad_checksums);
}

}  // namespace

v1::PregenerateResponse to_message(const admin::PregenerationProgress& progress) {
  v1::PregenerateResponse message;
  message.set_cursor(progress.cursor);
  message.set_total(progress.total);
  message.set_generated(progress.generated);
  message.set_found(progress.found);
  message.set_failed(progress.failed);
  message.set_seconds_left(progress.seconds_left);
  message.set_yields(progress.yields);
  return message;
}

v1::GetServerStatsResponse describe(const admin::Operations& operations, std::uint64_t viewers) {
  const admin::ServerNumbers numbers = operations.numbers();
  v1::GetServerStatsResponse response;
  response.set_version(numbers.version);
  response.set_uptime_seconds(numbers.uptime_seconds);
  response.set_workers(static_cast<std::uint32_t>(operations.workers()));
  response.set_processor_seconds(
      std::chrono::duration<double>(schedule::processor_time_of_process()).count());
  response.set_memory_bytes(numbers.memory_bytes);
  response.set_memory_limit_bytes(numbers.memory_limit_bytes);
  add_chunks(operations.chunks(), response);
  response.set_queued_jobs(operations.queued());
  response.set_viewers(viewers);
  if (const auto cache = operations.cache()) add_cache(*cache, response);
  for (const std::uint64_t bound : ops::Histogram::bounds_ns())
    response.add_bounds(static_cast<double>(bound) / kNanosecondsOfSecond);
  for (const admin::WaitTimes& waits : numbers.waits) {
    auto& told = *response.add_waits();
    told.set_kind(waits.kind);
    told.mutable_counts()->Add(waits.counts.begin(), waits.counts.end());
  }
  for (const admin::ClientCost& client : numbers.costliest) {
    auto& told = *response.add_costliest_clients();
    told.set_name(client.name);
    told.set_processors(client.processors);
    told.set_weight(client.weight);
  }
  response.set_clients(numbers.clients);
  return response;
}

v1::GetCacheStatsResponse describe(std::vector<admin::WorldContents> contents,
                                   const worlds::WorldCatalog& worlds) {
  std::sort(contents.begin(), contents.end(),
            [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  v1::GetCacheStatsResponse response;
  for (const admin::WorldContents& world : contents) {
    auto& told = *response.add_worlds();
    told.set_fingerprint(world.fingerprint);
    told.set_world(name_of(world.fingerprint, worlds));
    told.set_chunks(world.chunks);
    told.set_bytes(world.bytes);
    told.set_seeds(world.seeds);
  }
  return response;
}

}  // namespace terrane::rpc
