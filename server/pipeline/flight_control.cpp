#include "pipeline/flight_control.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <new>

#include "log.h"

namespace terrane::pipeline {
namespace {

ChunkKey key_of(const ChunkRequest& request) {
  return {request.world->fingerprint, request.seed, request.lod, request.coord};
}

tl::unexpected<Error> shutting_down() {
  return tl::unexpected(schedule::to_error({schedule::Refusal::kStopping}));
}

void append(Waiters& to, Waiters from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

}  // namespace

FlightControl::FlightControl(ChunkPipeline::Options options, Generator generate,
                             schedule::WorkerPool& workers, store::ChunkStore* store)
    : lookup_threads_(std::max<std::size_t>(options.lookup_threads, 1)),
      timers_(options.timers),
      generate_(std::move(generate)),
      workers_(workers),
      store_(store),
      memory_cache_(options.memory_cache_bytes) {
  if (store_ == nullptr) return;
  lookups_ = std::make_unique<schedule::WorkerPool>(schedule::WorkerPool::Options{
      .workers = lookup_threads_, .max_queued = lookup_threads_, .on_thread_start = {}});
}

struct FlightControl::Asking {
  std::vector<ChunkKey> keys;
  std::vector<codec::EncodedChunk> found;  // in memory
  std::chrono::steady_clock::time_point found_at;
  RefusedWaiters refused;
  std::shared_ptr<Batch> batch;
};

void FlightControl::request(std::span<const ChunkRequest> requests, const std::stop_token& stop,
                            ChunkPipeline::Deliver deliver) {
  ask(requests, stop, std::move(deliver));
  look_up_waiting();
}

void FlightControl::request_each(std::span<ChunkPipeline::SingleRequest> requests) {
  for (ChunkPipeline::SingleRequest& one : requests)
    ask({&one.request, 1}, one.stop, std::move(one.deliver));
  look_up_waiting();
}

/// As request(), but look_up_waiting() is owed.
void FlightControl::ask(std::span<const ChunkRequest> requests, const std::stop_token& stop,
                        ChunkPipeline::Deliver deliver) {
  Asking asking;
  try {
    asking.batch = std::make_shared<Batch>();
    asking.batch->asked = std::chrono::steady_clock::now();
    asking.keys.reserve(requests.size());
    for (const ChunkRequest& request : requests) asking.keys.push_back(key_of(request));
    // no waiter has to change threads for these
    asking.found = memory_cache_.find(asking.keys);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (is_for_the_store(requests[i])) asking.found[i] = nullptr;
    }
    asking.found_at = std::chrono::steady_clock::now();
    const auto rest =
        static_cast<std::size_t>(std::count(asking.found.begin(), asking.found.end(), nullptr));
    asking.refused.reserve(rest);
    asking.batch->flights.reserve(rest);
  } catch (const std::bad_alloc&) {
    for (std::size_t i = 0; i < requests.size(); ++i)
      deliver(i, tl::unexpected(schedule::out_of_memory()));
    return;
  }
  asking.batch->deliver = std::move(deliver);
  serve(requests, asking);
  const std::shared_ptr<Batch>& batch = asking.batch;
  if (batch->flights.empty() || !stop.stop_possible()) return;
  // Weak, since the batch owns the callback. It runs at once when the stop came first.
  try {
    batch->on_stop.emplace(stop, [control = weak_from_this(), stopped = std::weak_ptr(batch)] {
      const auto alive = control.lock();
      const auto waiting = stopped.lock();
      if (alive && waiting) alive->cancel(waiting);
    });
  } catch (const std::bad_alloc&) {
    // it can't be stopped, and gets its chunks
  }
}

/// Answers what is in memory, and puts the rest on flights.
void FlightControl::serve(std::span<const ChunkRequest> requests, Asking& asking) {
  std::uint64_t from_memory = 0;
  bool stopping = false;
  {
    const MutexLock lock(mutex_);
    stopping = stopping_;
    for (std::size_t i = 0; i < requests.size() && !stopping; ++i) {
      if (asking.found[i]) {
        ++from_memory;
        continue;
      }
      try {
        join_or_start(requests[i], asking.keys[i], asking.batch, i, asking.refused);
      } catch (const std::bad_alloc&) {
        constexpr schedule::Refused kWhy{schedule::Refusal::kOutOfMemory};
        count_refused(kWhy);
        asking.refused.push_back({{asking.batch, i}, kWhy});
      }
    }
  }
  count_from_memory(from_memory, asking.found_at - asking.batch->asked);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (stopping) {
      deliver_to({asking.batch, i}, shutting_down());
    } else if (asking.found[i]) {
      deliver_to({asking.batch, i}, std::move(asking.found[i]));
    }
  }
  deliver_refusals(std::move(asking.refused));
}

void FlightControl::raise(const ChunkRequest& request) {
  const MutexLock lock(mutex_);
  const auto found = flights_.find(key_of(request));
  if (found == flights_.end()) return;
  Flight& flight = *found->second;
  for (Waiter& waiter : flight.waiters) {
    if (waiter.source != request.source || waiter.priority <= request.priority) continue;
    waiter.priority = request.priority;
    if (flight.stage == Stage::kAwaitingLookup) awaiting_lookup_.join(flight, waiter);
    if (flight.stage == Stage::kQueued) workers_.join(flight.job, waiter.priority, waiter.source);
  }
}

codec::EncodedChunk FlightControl::find_in_memory(const ChunkRequest& request) {
  const ChunkKey key = key_of(request);
  return std::move(find_in_memory({&key, 1}).front());
}

std::vector<codec::EncodedChunk> FlightControl::find_in_memory(std::span<const ChunkKey> keys) {
  const auto asked = std::chrono::steady_clock::now();
  auto chunks = memory_cache_.find(keys);
  const auto missing = std::count(chunks.begin(), chunks.end(), nullptr);
  const auto found = keys.size() - static_cast<std::size_t>(missing);
  if (found > 0) count_from_memory(found, std::chrono::steady_clock::now() - asked);
  return chunks;
}

void FlightControl::count_from_memory(std::uint64_t chunks, std::chrono::nanoseconds time) {
  from_memory_.fetch_add(chunks, std::memory_order_relaxed);
  timers_.memory.observe(time, chunks);
}

/// Adds a waiter to its key's flight, which starts when there is none. Throws std::bad_alloc, and
/// has then changed nothing.
/// @param refused  has room for one more
void FlightControl::join_or_start(const ChunkRequest& request, const ChunkKey& key,
                                  const std::shared_ptr<Batch>& batch, std::size_t index,
                                  RefusedWaiters& refused) {
  auto entry = flights_.find(key);
  const bool joins = entry != flights_.end();
  if (!joins) entry = flights_.emplace(key, std::make_shared<Flight>(key, request)).first;
  const FlightPtr flight = entry->second;
  try {
    flight->waiters.push_back(
        {batch, index, joins, request.priority, request.source, request.patience});
    if (!joins) start(flight, refused);
  } catch (...) {
    if (!joins) end(*flight);
    throw;
  }
  batch->flights.push_back(flight);  // has room
  ++stats_.requests;
  if (!joins) return;
  ++stats_.joined;
  join(*flight, refused);
}

void FlightControl::start(const FlightPtr& flight, RefusedWaiters& refused) {
  if (store_ != nullptr) {
    awaiting_lookup_.add(flight);
  } else {
    submit(flight, refused);
  }
}

/// The last waiter brings its own urgency, turns and patience.
void FlightControl::join(Flight& flight, RefusedWaiters& refused) {
  const Waiter& waiter = flight.waiters.back();
  if (flight.stage == Stage::kAwaitingLookup) awaiting_lookup_.join(flight, waiter);
  if (flight.stage != Stage::kQueued) return;
  const auto why = workers_.join(flight.job, waiter.priority, waiter.source, waiter.patience);
  if (!why) return;
  count_refused(*why);
  refused.push_back({std::move(flight.waiters.back()), *why});
  flight.waiters.pop_back();
}

void FlightControl::count_refused(const schedule::Refused& why) {
  ++stats_.refused;
  ++stats_.refused_by[static_cast<std::size_t>(why.refusal)];
}

/// Queues a flight for a worker, for all its waiters but those that are refused; ends it when all
/// are. Throws std::bad_alloc, and has then changed nothing.
void FlightControl::submit(const FlightPtr& flight, RefusedWaiters& refused) {
  Waiters& waiters = flight->waiters;
  refused.reserve(refused.size() + waiters.size());
  flight->stage = Stage::kLookingUp;  // until one is taken
  auto staying = waiters.begin();
  for (Waiter& waiter : waiters) {
    const auto why = flight->stage == Stage::kQueued ? workers_.join(flight->job, waiter.priority,
                                                                     waiter.source, waiter.patience)
                                                     : submit_for(flight, waiter);
    if (why) {
      count_refused(*why);
      refused.push_back({std::move(waiter), *why});
    } else {
      if (&*staying != &waiter) *staying = std::move(waiter);
      ++staying;
    }
  }
  waiters.erase(staying, waiters.end());
  if (waiters.empty()) end(*flight);
}

std::optional<schedule::Refused> FlightControl::submit_for(const FlightPtr& flight,
                                                           const Waiter& waiter) {
  const auto self = shared_from_this();
  std::optional<schedule::Job> job;
  try {
    job.emplace([self, flight] { self->run_job(flight); },
                [self, flight](const schedule::Refused& why) { self->evicted(flight, why); });
  } catch (const std::bad_alloc&) {
    return schedule::Refused{schedule::Refusal::kOutOfMemory};
  }
  const auto taken =
      workers_.submit(waiter.priority, *std::move(job), waiter.source, waiter.patience);
  if (!taken) return taken.error();
  flight->stage = Stage::kQueued;
  flight->job = *taken;
  ++jobs_;
  return std::nullopt;
}

/// Its job has made room for another client's.
void FlightControl::evicted(const FlightPtr& flight, const schedule::Refused& why) {
  Waiters refused;
  {
    const MutexLock lock(mutex_);
    refused = end(*flight);
    for (std::size_t i = 0; i < refused.size(); ++i) count_refused(why);
  }
  deliver_all(std::move(refused), tl::unexpected(schedule::to_error(why)));
  end_job();
}

/// Of chunks that are about to be handed out.
void FlightControl::time(std::span<const Waiter> waiters, const ops::Histogram& origin,
                         std::chrono::steady_clock::time_point now) const {
  for (const Waiter& waiter : waiters)
    (waiter.joined ? timers_.joined : origin).observe(now - waiter.batch->asked);
}

/// Takes the batch's waiters off their flights; flights that lose their last one are dropped. Those
/// that there is no memory to take off get their chunks.
void FlightControl::cancel(const std::shared_ptr<Batch>& batch) noexcept {
  Waiters cancelled;
  std::vector<FlightPtr> flights;
  std::vector<std::stop_source> stops;
  {
    const MutexLock lock(mutex_);
    flights.swap(batch->flights);
    try {
      stops.reserve(flights.size());
      for (const FlightPtr& flight : flights) take_off(*flight, batch, cancelled, stops);
    } catch (const std::bad_alloc&) {
    }
    stats_.cancelled += cancelled.size();
  }
  for (auto& stop : stops) stop.request_stop();
  // so short that it needs no memory
  deliver_all(std::move(cancelled), tl::unexpected(Error{ErrorCode::kCancelled, "cancelled"}));
}

/// Throws std::bad_alloc, and has then changed nothing.
/// @param stops  has room for one more
void FlightControl::take_off(Flight& flight, const std::shared_ptr<Batch>& batch,
                             Waiters& cancelled, std::vector<std::stop_source>& stops) {
  const auto is_others = [&](const Waiter& waiter) { return waiter.batch != batch; };
  const auto count = static_cast<std::size_t>(
      std::count_if(flight.waiters.begin(), flight.waiters.end(), std::not_fn(is_others)));
  if (count == 0) return;  // answered already, or taken off by a repeat of its key
  // more at once, as there may be many flights
  if (cancelled.capacity() < cancelled.size() + count)
    cancelled.reserve(2 * (cancelled.size() + count));
  if (flight.stage == Stage::kQueued) stats_.cancelled_queued += count;
  if (flight.stage == Stage::kGenerating) stats_.cancelled_generating += count;
  auto staying = flight.waiters.begin();
  for (Waiter& waiter : flight.waiters) {
    if (!is_others(waiter)) {
      cancelled.push_back(std::move(waiter));
    } else {
      if (&*staying != &waiter) *staying = std::move(waiter);
      ++staying;
    }
  }
  flight.waiters.erase(staying, flight.waiters.end());
  if (!flight.waiters.empty()) {
    leave(flight, cancelled.back().source);
  } else if (abandon(flight)) {
    stops.push_back(flight.stop);
  }
}

/// A source has taken waiters off a flight, which goes on for others.
void FlightControl::leave(const Flight& flight, const schedule::Source& source) {
  const auto is_its = [&](const Waiter& waiter) { return waiter.source == source; };
  if (std::ranges::any_of(flight.waiters, is_its)) return;
  if (flight.stage == Stage::kAwaitingLookup) awaiting_lookup_.leave(flight, source);
  if (flight.stage == Stage::kQueued) workers_.leave(flight.job, source);
}

/// Drops the work of a flight that nobody waits for. One that is being looked up or generated stays
/// in the map, so that whoever comes now joins it, and is ended or started again by the thread that
/// works on it.
/// @return whether its generator is to be stopped, outside of the lock
bool FlightControl::abandon(Flight& flight) {
  if (flight.stage == Stage::kAwaitingLookup) {
    awaiting_lookup_.remove(flight);
    end(flight);
  } else if (flight.stage == Stage::kQueued && workers_.cancel(flight.job)) {
    --jobs_;
    end(flight);
  }
  return flight.stage == Stage::kGenerating;
}

/// Takes a flight out of the map and its waiters with it.
Waiters FlightControl::end(Flight& flight) {
  const auto found = flights_.find(flight.key);
  if (found != flights_.end() && found->second.get() == &flight) flights_.erase(found);
  return std::exchange(flight.waiters, {});
}

PipelineStats FlightControl::stats() const {
  const MemoryCache::Usage memory = memory_cache_.usage();
  const MutexLock lock(mutex_);
  PipelineStats stats = stats_;
  stats.from_memory = from_memory_.load(std::memory_order_relaxed);
  stats.requests += stats.from_memory;
  stats.hits += stats.from_memory;
  stats.memory_cache_bytes = memory.bytes;
  stats.memory_cache_chunks = memory.chunks;
  return stats;
}

void FlightControl::shut_down() {
  Waiters unanswered;
  std::vector<FlightPtr> flights;
  std::vector<std::stop_source> stops;
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    for (const auto& entry : flights_) flights.push_back(entry.second);
    for (const FlightPtr& flight : flights) {
      append(unanswered, std::exchange(flight->waiters, {}));
      if (abandon(*flight)) stops.push_back(flight->stop);
    }
  }
  for (auto& stop : stops) stop.request_stop();
  deliver_all(std::move(unanswered), shutting_down());
  lookups_.reset();
  const MutexLock lock(mutex_);
  while (jobs_ != 0) no_jobs_.wait(mutex_);
}

}  // namespace terrane::pipeline
