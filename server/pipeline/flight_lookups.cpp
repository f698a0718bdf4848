// The part of FlightControl that runs on the look-up threads.

#include <new>

#include "log.h"
#include "pipeline/flight_control.h"

namespace terrane::pipeline {
namespace {

// keys in one read transaction: about 0.2 ms when in memory
constexpr std::size_t kLookupBatch = 256;

}  // namespace

/// Sees to it that somebody looks up what waits for it; where there is no memory to begin, ends it.
void FlightControl::look_up_waiting() {
  for (;;) {
    Waiters unserved;
    {
      const MutexLock lock(mutex_);
      start_lookups();
      if (awaiting_lookup_.empty() || running_lookups_ > 0) return;
      unserved = end_first_lookup();
    }
    deliver_all(std::move(unserved), tl::unexpected(schedule::out_of_memory()));
  }
}

void FlightControl::start_lookups() {
  if (awaiting_lookup_.empty() || running_lookups_ == lookup_threads_) return;
  try {
    if (lookups_->submit(schedule::Priority::kPlayerWaits, [this] { run_lookups(); }))
      ++running_lookups_;
  } catch (const std::bad_alloc&) {
    // one that runs does it; where there is none, see look_up_waiting()
  }
}

void FlightControl::run_lookups() {
  for (;;) {
    {
      // first: whether there is memory is asked for those that wait, and not for those to come
      const MutexLock lock(mutex_);
      if (awaiting_lookup_.empty()) {
        --running_lookups_;
        return;
      }
    }
    LookupQueue::Lookups lookups;
    bool has_room = true;
    try {
      lookups.flights.reserve(kLookupBatch);
      lookups.turns.reserve(kLookupBatch);
      lookups.done.reserve(kLookupBatch);
    } catch (const std::bad_alloc&) {
      has_room = false;
    }
    Waiters stranded;
    {
      const MutexLock lock(mutex_);
      if (awaiting_lookup_.empty()) continue;
      if (has_room) {
        awaiting_lookup_.take(kLookupBatch, lookups);
        for (const FlightPtr& flight : lookups.flights) flight->stage = Stage::kLookingUp;
      } else {
        stranded = end_first_lookup();
      }
    }
    if (has_room) run_lookups(lookups);
    deliver_all(std::move(stranded), tl::unexpected(schedule::out_of_memory()));
  }
}

/// Without memory for more: ends the flight whose turn it is.
Waiters FlightControl::end_first_lookup() {
  const FlightPtr flight = awaiting_lookup_.drop_first();
  for (std::size_t i = 0; i < flight->waiters.size(); ++i)
    count_refused({schedule::Refusal::kOutOfMemory});
  return end(*flight);
}

void FlightControl::run_lookups(LookupQueue::Lookups& lookups) {
  const std::vector<FlightPtr>& flights = lookups.flights;
  std::vector<codec::EncodedChunk> found;
  const auto start = std::chrono::steady_clock::now();
  const bool has_looked = look_up(flights, found);
  {
    // the time, as the disk is what there is least of
    const MutexLock lock(mutex_);
    awaiting_lookup_.end(lookups, std::chrono::steady_clock::now() - start);
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i]) remember_found(*flights[i], found[i]);
  }
  RefusedWaiters refused;
  for (std::size_t i = 0; i < flights.size(); ++i)
    lookups.done.push_back(settle_lookup(flights[i], has_looked && found[i] != nullptr, refused));
  const auto now = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < flights.size(); ++i) {
    time(lookups.done[i], timers_.disk, now);
    if (!lookups.done[i].empty()) deliver_all(std::move(lookups.done[i]), found[i]);
  }
  deliver_refusals(std::move(refused));
}

/// @return false where there is no memory to look them up: they count as misses
bool FlightControl::look_up(std::span<const FlightPtr> flights,
                            std::vector<codec::EncodedChunk>& found) {
  try {
    std::vector<ChunkKey> keys;
    keys.reserve(flights.size());
    for (const FlightPtr& flight : flights) keys.push_back(flight->key);
    found = store_->find(keys);
    return true;
  } catch (const std::bad_alloc&) {
    spdlog::error("no memory to look up {} chunks; they count as misses", flights.size());
    return false;
  }
}

void FlightControl::remember_found(const Flight& flight, const codec::EncodedChunk& chunk) {
  if (is_for_the_store(flight.request)) return;
  try {
    memory_cache_.add(flight.key, chunk);
  } catch (const std::bad_alloc&) {
    // whoever asks next has it looked up again
  }
}

/// @return who gets what was found
Waiters FlightControl::settle_lookup(const FlightPtr& flight, bool hit, RefusedWaiters& refused) {
  Waiters stranded;
  {
    const MutexLock lock(mutex_);  // of each by itself: workers want it too
    if (hit && !flight->waiters.empty()) ++stats_.hits;
    if (hit || flight->waiters.empty()) return end(*flight);
    try {
      submit(flight, refused);
      return {};
    } catch (const std::bad_alloc&) {
      for (std::size_t i = 0; i < flight->waiters.size(); ++i)
        count_refused({schedule::Refusal::kOutOfMemory});
      stranded = end(*flight);
    }
  }
  deliver_all(std::move(stranded), tl::unexpected(schedule::out_of_memory()));
  return {};
}

}  // namespace terrane::pipeline
