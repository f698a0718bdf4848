#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pipeline/flight.h"
#include "pipeline/memory_cache.h"
#include "terrane/mutex.h"

namespace terrane::pipeline {

/// All flights and where they are. Laws: a key has at most one flight; a flight leaves the map only
/// once its chunk can be found in the store, or failed, or nobody waits for it and its generator is
/// not running; whoever takes a waiter out of its flight delivers to it, outside of the lock.
/// Memory may end anywhere: so it is taken first, then things are changed, and a flight that can't
/// go on ends with schedule::out_of_memory() for all its waiters.
class FlightControl : public std::enable_shared_from_this<FlightControl> {
 public:
  FlightControl(ChunkPipeline::Options options, Generator generate, schedule::WorkerPool& workers,
                store::ChunkStore* store);

  void request(std::span<const ChunkRequest> requests, const std::stop_token& stop,
               ChunkPipeline::Deliver deliver);
  void request_each(std::span<ChunkPipeline::SingleRequest> requests);
  void raise(const ChunkRequest& request);
  [[nodiscard]] codec::EncodedChunk find_in_memory(const ChunkRequest& request);
  [[nodiscard]] std::vector<codec::EncodedChunk> find_in_memory(std::span<const ChunkKey> keys);
  void forget(WorldFingerprint fingerprint, std::optional<std::uint64_t> seed) {
    memory_cache_.remove(fingerprint, seed);
  }
  [[nodiscard]] PipelineStats stats() const;

  /// Answers everything with kUnavailable and waits until no job of the pipeline is left. Further
  /// requests get kUnavailable too.
  void shut_down();

 private:
  using FlightPtr = std::shared_ptr<Flight>;

  /// What a request() works with: all the memory that it needs before it changes anything.
  struct Asking;

  void ask(std::span<const ChunkRequest> requests, const std::stop_token& stop,
           ChunkPipeline::Deliver deliver);
  void serve(std::span<const ChunkRequest> requests, Asking& asking);
  void join_or_start(const ChunkRequest& request, const ChunkKey& key,
                     const std::shared_ptr<Batch>& batch, std::size_t index,
                     RefusedWaiters& refused) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void start(const FlightPtr& flight, RefusedWaiters& refused)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void join(Flight& flight, RefusedWaiters& refused) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void leave(const Flight& flight, const schedule::Source& source)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void count_refused(const schedule::Refused& why) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void look_up_waiting();
  void start_lookups() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void run_lookups();
  void run_lookups(LookupQueue::Lookups& lookups);
  Waiters end_first_lookup() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void count_from_memory(std::uint64_t chunks, std::chrono::nanoseconds time);
  bool look_up(std::span<const FlightPtr> flights, std::vector<codec::EncodedChunk>& found);
  void remember_found(const Flight& flight, const codec::EncodedChunk& chunk);
  Waiters settle_lookup(const FlightPtr& flight, bool hit, RefusedWaiters& refused);
  void submit(const FlightPtr& flight, RefusedWaiters& refused)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::optional<schedule::Refused> submit_for(const FlightPtr& flight, const Waiter& waiter)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void evicted(const FlightPtr& flight, const schedule::Refused& why);
  void run_job(const FlightPtr& flight);
  void end_job();
  void generate_for(const FlightPtr& flight);
  bool begin_generating(Flight& flight, std::stop_token& stop);
  [[nodiscard]] bool is_awaited(const Flight& flight) const;
  Result<codec::EncodedChunk> make_chunk(const Flight& flight, const std::stop_token& stop);
  void remember(const Flight& flight, const codec::EncodedChunk& chunk);
  void time(std::span<const Waiter> waiters, const ops::Histogram& origin,
            std::chrono::steady_clock::time_point now) const;
  void cancel(const std::shared_ptr<Batch>& batch) noexcept;
  void take_off(Flight& flight, const std::shared_ptr<Batch>& batch, Waiters& cancelled,
                std::vector<std::stop_source>& stops) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool abandon(Flight& flight) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Waiters end(Flight& flight) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::size_t lookup_threads_;
  const PipelineTimers timers_;
  const Generator generate_;
  schedule::WorkerPool& workers_;
  store::ChunkStore* const store_;
  MemoryCache memory_cache_;
  std::atomic<std::uint64_t> from_memory_ = 0;  // requests answered from there

  // Guards the flights themselves, too. Not held while the generator, the store or a Deliver is
  // called.
  mutable Mutex mutex_;
  std::unordered_map<ChunkKey, FlightPtr, ChunkKeyHash> flights_ ABSL_GUARDED_BY(mutex_);
  LookupQueue awaiting_lookup_ ABSL_GUARDED_BY(mutex_);
  // jobs in lookups_, each of which goes on until nothing waits
  std::size_t running_lookups_ ABSL_GUARDED_BY(mutex_) = 0;
  std::atomic<std::size_t> jobs_ = 0;  // in workers_, queued or running; grows under the mutex only
  CondVar no_jobs_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  PipelineStats stats_ ABSL_GUARDED_BY(mutex_);

  // threads of their own: a hit never waits behind generation
  std::unique_ptr<schedule::WorkerPool> lookups_;
};

}  // namespace terrane::pipeline
