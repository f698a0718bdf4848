#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "codec/chunk_codec.h"
#include "ops/metrics.h"
#include "schedule/worker_pool.h"
#include "store/chunk_store.h"
#include "terrane/chunk.h"
#include "terrane/coord.h"
#include "terrane/result.h"
#include "worldgen/world.h"

namespace terrane::pipeline {

/// What a request names: a world that the caller keeps alive by sharing it, and a chunk of it.
struct ChunkRequest {
  std::shared_ptr<const worldgen::World> world;
  std::uint64_t seed = 0;
  ChunkCoord coord;
  Lod lod = 0;
  schedule::Priority priority = schedule::Priority::kView;
  schedule::Source source = {};                                        // on whose behalf
  std::chrono::nanoseconds patience = schedule::WorkerPool::kEndless;  // see WorkerPool::submit
};

/// Makes a chunk from scratch; empty only when told to stop. May throw: that is INTERNAL for the
/// chunk's waiters, or RESOURCE_EXHAUSTED where it is std::bad_alloc.
using Generator = std::function<std::optional<Chunk>(const ChunkRequest&, const std::stop_token&)>;

struct PipelineStats {
  std::uint64_t requests = 0;
  std::uint64_t hits = 0;                  // chunks that came from a cache: memory or disk
  std::uint64_t from_memory = 0;           // of those, from memory
  std::uint64_t generated = 0;             // chunks
  std::uint64_t joined = 0;                // requests that waited for a flight already on its way
  std::uint64_t cancelled = 0;             // requests dropped by their stop token
  std::uint64_t cancelled_queued = 0;      // of those, while they waited for a worker
  std::uint64_t cancelled_generating = 0;  // of those, while their chunk was generated
  std::uint64_t stopped = 0;               // generations, as nobody waited any more
  std::uint64_t refused = 0;               // requests turned away for overload
  // of those, by schedule::Refusal
  std::array<std::uint64_t, schedule::kRefusals> refused_by{};
  std::uint64_t failed = 0;               // chunks whose generator threw
  std::uint64_t memory_cache_bytes = 0;   // that it takes now
  std::uint64_t memory_cache_chunks = 0;  // in it now
};

/// Where the pipeline's times go.
struct PipelineTimers {
  // from a request to its chunk, by origin; joined: another's flight
  ops::Histogram memory, disk, generated, joined;
  ops::Histogram encode;  // one chunk
};

class FlightControl;

/// Look up -> generate -> encode -> remember -> hand out, with one flight per key: however many ask
/// for a chunk, it is looked up and generated once. Thread-safe; no call but the destructor blocks.
class ChunkPipeline {
 public:
  struct Options {
    std::size_t lookup_threads = 1;
    // for chunks asked for lately, which then need no look-up; 0: no such cache
    std::size_t memory_cache_bytes = 0;
    PipelineTimers timers = {};
  };

  /// Receives request `index` of a batch, exactly once: the chunk or why not. Called on a look-up
  /// or worker thread, on the one that requests stop, or inside request(), and at once for several
  /// indices: brief, never blocking; what it throws is logged and lost. May call request(); must
  /// not destroy the pipeline.
  using Deliver = std::function<void(std::size_t index, Result<codec::EncodedChunk>)>;

  /// @param workers, store  outlive the pipeline; the store may be null: serve without a cache
  ChunkPipeline(Options options, Generator generate, schedule::WorkerPool& workers,
                store::ChunkStore* store);
  /// Answers what is in flight with kUnavailable, stops generators and waits for them.
  ~ChunkPipeline();
  ChunkPipeline(const ChunkPipeline&) = delete;
  ChunkPipeline& operator=(const ChunkPipeline&) = delete;

  /// Asks for a batch of chunks; work starts in the batch's order within equal priorities. Every
  /// request is delivered exactly once; once `stop` is requested, those not yet answered are
  /// delivered as kCancelled, and work that nobody else waits for is dropped. What is of priority
  /// kPregeneration is for the store: it is not looked for in memory, nor kept there. Errors
  /// delivered:
  /// kResourceExhausted (no worker takes it, or there is no memory: schedule::to_error),
  /// kCancelled, kInternal (the generator threw), kUnavailable (shutting down).
  void request(std::vector<ChunkRequest> batch, std::stop_token stop, Deliver deliver);

  /// One of several requests that are made together, each for itself.
  struct SingleRequest {
    ChunkRequest request;
    std::stop_token stop;
    Deliver deliver;  // with index 0
  };
  /// As request() for each, but they are looked up together: a look-up by itself costs two changes
  /// of threads.
  /// @param requests  their `deliver` is taken over
  void request_each(std::span<SingleRequest> requests);

  /// Makes a chunk that is on its way at least as urgent as `request` says; nothing if there is
  /// none on its way.
  void raise(const ChunkRequest& request);

  /// The chunk if it is in memory, which counts as a request; else null, which does not.
  [[nodiscard]] codec::EncodedChunk find_in_memory(const ChunkRequest& request);
  /// The same for many: entry i is that of keys[i]. May throw std::bad_alloc.
  [[nodiscard]] std::vector<codec::EncodedChunk> find_in_memory(std::span<const ChunkKey> keys);

  /// Takes out of memory what is of a world, or of one seed of it.
  void forget(WorldFingerprint fingerprint, std::optional<std::uint64_t> seed);

  [[nodiscard]] PipelineStats stats() const;

 private:
  std::shared_ptr<FlightControl> flights_;
};

}  // namespace terrane::pipeline
