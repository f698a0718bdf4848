#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pipeline/chunk_pipeline.h"
#include "schedule/fair_queue.h"

namespace terrane::pipeline {

struct Flight;

/// One call of request(): where its answers go and what it waits for. Owned by its waiters, hence
/// gone with the last answer.
///
/// Never to be released under a lock that cancelling takes: its end waits for a stop callback that
/// runs on another thread.
struct Batch {
  ChunkPipeline::Deliver deliver;
  std::chrono::steady_clock::time_point asked;
  std::vector<std::shared_ptr<Flight>> flights;  // guarded like the flights themselves
  std::optional<std::stop_callback<std::function<void()>>> on_stop;
};

/// One request that waits for a flight.
struct Waiter {
  std::shared_ptr<Batch> batch;
  std::size_t index = 0;  // in its batch
  bool joined = false;    // a flight that was on its way
  schedule::Priority priority = schedule::Priority::kView;
  schedule::Source source = {};
  std::chrono::nanoseconds patience = schedule::WorkerPool::kEndless;
};

using Waiters = std::vector<Waiter>;

/// One whose chunk no worker took on, with the reason.
struct RefusedWaiter {
  Waiter waiter;
  schedule::Refused why;
};
using RefusedWaiters = std::vector<RefusedWaiter>;

// These never throw: whoever is owed an answer gets one, though without memory perhaps one without
// texts.

/// Hands a result to one; no lock is held.
void deliver_to(const Waiter& waiter, Result<codec::EncodedChunk> result) noexcept;

/// Hands the same result to all. Takes them over, so that what they own is released where the
/// caller holds no lock.
void deliver_all(Waiters waiters, const Result<codec::EncodedChunk>& result) noexcept;

/// Tells each which limit it has met.
void deliver_refusals(RefusedWaiters refused) noexcept;

enum class Stage : std::uint8_t {
  kAwaitingLookup,
  kLookingUp,
  kQueued,  // for a worker
  kGenerating,
};

/// The one way of a chunk through the pipeline, whoever waits for it. Guarded by the mutex of the
/// pipeline.
struct Flight {
  Flight(ChunkKey its_key, ChunkRequest first) : key(its_key), request(std::move(first)) {}

  const ChunkKey key;
  const ChunkRequest request;  // the first one
  Stage stage = Stage::kAwaitingLookup;
  schedule::JobId job = 0;                  // in the queue of look-ups, or of the workers
  std::stop_source stop{std::nostopstate};  // of the generator's present run
  Waiters waiters;
};

/// Whether it is nobody's who waits, but to be kept on disk.
[[nodiscard]] inline bool is_for_the_store(const ChunkRequest& request) {
  return request.priority == schedule::Priority::kPregeneration;
}

/// Flights that wait to be looked up. They take turns as jobs do. Guarded by the mutex of the
/// pipeline.
class LookupQueue {
 public:
  /// Queues it for its only waiter. Throws std::bad_alloc, and has then changed nothing.
  void add(std::shared_ptr<Flight> flight);
  /// Queues it for another one, too.
  void join(const Flight& flight, const Waiter& waiter);
  void leave(const Flight& flight, const schedule::Source& source);
  void remove(const Flight& flight);
  /// Those that are looked up together.
  struct Lookups {
    std::vector<std::shared_ptr<Flight>> flights;
    std::vector<schedule::FairQueue::Running> turns;  // of each
    std::vector<Waiters> done;                        // of each: who gets what was found
  };
  /// Takes the first ones out. An end() is owed.
  /// @param into  empty, with room for so many: nothing is lost for want of memory
  void take(std::size_t max_flights, Lookups& into);
  /// Takes the first one out, which is not looked up. There must be one.
  std::shared_ptr<Flight> drop_first();
  /// @param cost  of them all
  void end(const Lookups& lookups, std::chrono::nanoseconds cost);
  [[nodiscard]] bool empty() const { return flights_.empty(); }

 private:
  schedule::FairQueue queue_;
  std::unordered_map<schedule::JobId, std::shared_ptr<Flight>> flights_;
};

}  // namespace terrane::pipeline
