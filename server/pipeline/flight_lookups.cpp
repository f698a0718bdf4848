// The part of FlightControl that runs on the look-up threads.

#include <exception>

#include "log.h"
#include "pipeline/flight_control.h"

namespace terrane::pipeline {
namespace {

// keys in one read transaction: about 0.2 ms when in memory
constexpr std::size_t kLookupBatch = 256;

}  // namespace

void FlightControl::start_lookups() {
  if (awaiting_lookup_.empty() || running_lookups_ == lookup_threads_) return;
  if (lookups_->submit(schedule::Priority::kPlayerWaits, [this] { run_lookups(); }))
    ++running_lookups_;
}

void FlightControl::run_lookups() {
  for (;;) {
    LookupQueue::Lookups lookups;
    {
      const MutexLock lock(mutex_);
      lookups = awaiting_lookup_.take(kLookupBatch);
      if (lookups.flights.empty()) {
        --running_lookups_;
        return;
      }
      for (const FlightPtr& flight : lookups.flights) flight->stage = Stage::kLookingUp;
    }
    const std::vector<FlightPtr>& flights = lookups.flights;
    const auto start = std::chrono::steady_clock::now();
    const std::vector<codec::EncodedChunk> found = look_up(flights);
    {
      // the time, as the disk is what there is least of
      const MutexLock lock(mutex_);
      awaiting_lookup_.end(lookups, std::chrono::steady_clock::now() - start);
    }
    for (std::size_t i = 0; i < flights.size(); ++i) {
      if (found[i]) memory_cache_.add(flights[i]->key, found[i]);
    }
    std::vector<Waiters> done(flights.size());
    RefusedWaiters refused;
    for (std::size_t i = 0; i < flights.size(); ++i) {
      const MutexLock lock(mutex_);  // of each by itself: workers want it too
      settle_lookup(flights[i], found[i] != nullptr, done[i], refused);
    }
    const auto now = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < flights.size(); ++i) {
      time(done[i], timers_.disk, now);
      deliver_all(std::move(done[i]), found[i]);
    }
    deliver_refusals(std::move(refused));
  }
}

std::vector<codec::EncodedChunk> FlightControl::look_up(std::span<const FlightPtr> flights) {
  std::vector<ChunkKey> keys;
  keys.reserve(flights.size());
  for (const FlightPtr& flight : flights) keys.push_back(flight->key);
  try {
    return store_->find(keys);
  } catch (const std::exception& e) {  // out of memory, that is; the flights must not be stranded
    spdlog::error("looking up {} chunks failed: {}; they count as misses", keys.size(), e.what());
    return std::vector<codec::EncodedChunk>(keys.size());
  }
}

void FlightControl::settle_lookup(const FlightPtr& flight, bool hit, Waiters& done,
                                  RefusedWaiters& refused) {
  if (hit && !flight->waiters.empty()) ++stats_.hits;
  if (hit || flight->waiters.empty()) {
    done = end(*flight);
  } else {
    submit(flight, refused);
  }
}

}  // namespace terrane::pipeline
