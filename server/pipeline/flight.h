#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "pipeline/chunk_pipeline.h"

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
};

using Waiters = std::vector<Waiter>;

/// Those whose chunks no worker took on, with the reason.
using RefusedWaiters = std::vector<std::pair<Waiters, schedule::Refused>>;

/// Hands a result to one; no lock is held.
void deliver_to(const Waiter& waiter, Result<codec::EncodedChunk> result);

/// Hands the same result to all. Takes them over, so that what they own is released where the
/// caller holds no lock.
void deliver_all(Waiters waiters, const Result<codec::EncodedChunk>& result);

/// Tells each which limit it has met.
void deliver_refusals(RefusedWaiters refused);

enum class Stage : std::uint8_t {
  kAwaitingLookup,
  kLookingUp,
  kQueued,  // for a worker
  kGenerating,
};

/// The one way of a chunk through the pipeline, whoever waits for it. Guarded by the mutex of the
/// pipeline.
struct Flight {
  Flight(ChunkKey its_key, std::uint64_t its_sequence, ChunkRequest first)
      : key(its_key), sequence(its_sequence), request(std::move(first)) {}

  const ChunkKey key;
  const std::uint64_t sequence;  // order of arrival
  ChunkRequest request;          // its priority is the most urgent of the waiters'
  Stage stage = Stage::kAwaitingLookup;
  schedule::JobId job = 0;                  // while queued
  std::stop_source stop{std::nostopstate};  // of the generator's present run
  Waiters waiters;
};

/// Flights that wait to be looked up: the most urgent first, equal ones in order of arrival.
/// Guarded by the mutex of the pipeline.
class LookupQueue {
 public:
  void add(std::shared_ptr<Flight> flight);
  void remove(const Flight& flight);
  /// Gives a flight that is in the queue another priority.
  void raise(Flight& flight, schedule::Priority priority);
  /// Takes the first ones out.
  std::vector<std::shared_ptr<Flight>> take(std::size_t max_flights);
  [[nodiscard]] bool empty() const { return flights_.empty(); }
  void clear() { flights_.clear(); }

 private:
  using Position = std::pair<schedule::Priority, std::uint64_t>;
  static Position position(const Flight& flight) {
    return {flight.request.priority, flight.sequence};
  }

  std::map<Position, std::shared_ptr<Flight>> flights_;
};

}  // namespace terrane::pipeline
