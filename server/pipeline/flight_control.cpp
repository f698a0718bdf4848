#include "pipeline/flight_control.h"

#include <algorithm>
#include <exception>
#include <iterator>

#include "log.h"

namespace terrane::pipeline {
namespace {

std::string describe(const ChunkRequest& request) {
  return "chunk (" + std::to_string(request.coord.x) + ", " + std::to_string(request.coord.y) +
         ") at lod " + std::to_string(request.lod) + " of world " + request.world->name;
}

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

void FlightControl::request(std::span<const ChunkRequest> requests, const std::stop_token& stop,
                            ChunkPipeline::Deliver deliver) {
  const auto batch = std::make_shared<Batch>();
  batch->deliver = std::move(deliver);
  batch->asked = std::chrono::steady_clock::now();
  std::vector<ChunkKey> keys;
  keys.reserve(requests.size());
  for (const ChunkRequest& request : requests) keys.push_back(key_of(request));
  // no waiter has to change threads for these
  std::vector<codec::EncodedChunk> found = memory_cache_.find(keys);
  const auto found_at = std::chrono::steady_clock::now();
  std::uint64_t from_memory = 0;
  RefusedWaiters refused;
  Waiters late;
  {
    const MutexLock lock(mutex_);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (stopping_) {
        found[i] = nullptr;
        late.push_back({batch, i});
      } else if (found[i]) {
        ++from_memory;
      } else {
        join_or_start(requests[i], keys[i], batch, i, refused);
      }
    }
    start_lookups();
  }
  count_from_memory(from_memory, found_at - batch->asked);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (found[i]) deliver_to({batch, i}, std::move(found[i]));
  }
  deliver_all(std::move(late), shutting_down());
  deliver_refusals(std::move(refused));
  if (batch->flights.empty() || !stop.stop_possible()) return;
  // Weak, since the batch owns the callback. It runs at once when the stop came first.
  batch->on_stop.emplace(stop, [control = weak_from_this(), stopped = std::weak_ptr(batch)] {
    const auto alive = control.lock();
    const auto waiting = stopped.lock();
    if (alive && waiting) alive->cancel(waiting);
  });
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
  const auto asked = std::chrono::steady_clock::now();
  const ChunkKey key = key_of(request);
  auto chunk = std::move(memory_cache_.find({&key, 1}).front());
  if (chunk) count_from_memory(1, std::chrono::steady_clock::now() - asked);
  return chunk;
}

void FlightControl::count_from_memory(std::uint64_t chunks, std::chrono::nanoseconds time) {
  from_memory_.fetch_add(chunks, std::memory_order_relaxed);
  timers_.memory.observe(time, chunks);
}

/// Adds a waiter to its key's flight, which starts when there is none.
void FlightControl::join_or_start(const ChunkRequest& request, const ChunkKey& key,
                                  const std::shared_ptr<Batch>& batch, std::size_t index,
                                  RefusedWaiters& refused) {
  ++stats_.requests;
  auto& flight = flights_[key];
  const bool joins = flight != nullptr;
  if (!joins) flight = std::make_shared<Flight>(key, request);
  flight->waiters.push_back(
      {batch, index, joins, request.priority, request.source, request.patience});
  batch->flights.push_back(flight);
  if (joins) {
    ++stats_.joined;
    join(*flight, refused);
  } else if (store_ != nullptr) {
    awaiting_lookup_.add(flight);
  } else {
    submit(FlightPtr(flight), refused);
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
  refused.emplace_back(Waiters{std::move(flight.waiters.back())}, *why);
  flight.waiters.pop_back();
}

void FlightControl::count_refused(const schedule::Refused& why) {
  ++stats_.refused;
  ++stats_.refused_by[static_cast<std::size_t>(why.refusal)];
}

/// Queues a flight for a worker, for all its waiters but those that are refused; ends it when all
/// are.
void FlightControl::submit(const FlightPtr& flight, RefusedWaiters& refused) {
  flight->stage = Stage::kLookingUp;  // until one is taken
  Waiters staying;
  for (Waiter& waiter : flight->waiters) {
    const auto why = flight->stage == Stage::kQueued ? workers_.join(flight->job, waiter.priority,
                                                                     waiter.source, waiter.patience)
                                                     : submit_for(flight, waiter);
    if (why) {
      count_refused(*why);
      refused.emplace_back(Waiters{std::move(waiter)}, *why);
    } else {
      staying.push_back(std::move(waiter));
    }
  }
  flight->waiters = std::move(staying);
  if (flight->waiters.empty()) end(*flight);
}

std::optional<schedule::Refused> FlightControl::submit_for(const FlightPtr& flight,
                                                           const Waiter& waiter) {
  const auto self = shared_from_this();
  const auto job = workers_.submit(
      waiter.priority,
      {[self, flight] { self->run_job(flight); },
       [self, flight](const schedule::Refused& why) { self->evicted(flight, why); }},
      waiter.source, waiter.patience);
  if (!job) return job.error();
  flight->stage = Stage::kQueued;
  flight->job = *job;
  ++jobs_;
  return std::nullopt;
}

/// Its job has made room for another client's.
void FlightControl::evicted(const FlightPtr& flight, const schedule::Refused& why) {
  RefusedWaiters refused;
  {
    const MutexLock lock(mutex_);
    for (std::size_t i = 0; i < flight->waiters.size(); ++i) count_refused(why);
    refused.emplace_back(end(*flight), why);
  }
  deliver_refusals(std::move(refused));
  end_job();
}

void FlightControl::run_job(const FlightPtr& flight) {
  generate_for(flight);
  end_job();
}

void FlightControl::end_job() {
  if (--jobs_ > 0) return;
  const MutexLock lock(mutex_);
  no_jobs_.notify_all();
}

void FlightControl::generate_for(const FlightPtr& flight) {
  ChunkRequest request;
  std::stop_token stop;
  {
    const MutexLock lock(mutex_);
    if (flight->waiters.empty()) {  // abandoned when it was too late to cancel the job
      end(*flight);
      return;
    }
    flight->stage = Stage::kGenerating;
    flight->stop = std::stop_source();
    stop = flight->stop.get_token();
    request = flight->request;
  }
  const Result<codec::EncodedChunk> chunk = make_chunk(request, stop);
  // Before the flight ends: whoever asks after that finds it in the store.
  if (chunk && *chunk) {
    memory_cache_.add(flight->key, *chunk);
    if (store_ != nullptr) store_->put(flight->key, *chunk);
  }

  Waiters done;
  RefusedWaiters refused;
  {
    const MutexLock lock(mutex_);
    if (!chunk) ++stats_.failed;
    if (chunk && *chunk) ++stats_.generated;
    const bool stopped = chunk && !*chunk;
    if (stopped && !flight->waiters.empty() && !stopping_) {
      submit(flight, refused);  // joined after the stop
    } else {
      done = end(*flight);
    }
  }
  if (chunk) time(done, timers_.generated, std::chrono::steady_clock::now());
  deliver_all(std::move(done), chunk);
  deliver_refusals(std::move(refused));
}

/// Of chunks that are about to be handed out.
void FlightControl::time(std::span<const Waiter> waiters, const ops::Histogram& origin,
                         std::chrono::steady_clock::time_point now) const {
  for (const Waiter& waiter : waiters)
    (waiter.joined ? timers_.joined : origin).observe(now - waiter.batch->asked);
}

/// The encoded chunk, null when told to stop, or kInternal.
Result<codec::EncodedChunk> FlightControl::make_chunk(const ChunkRequest& request,
                                                      const std::stop_token& stop) {
  std::string cause = "it returned nothing without being told to stop";
  try {
    const std::optional<Chunk> chunk = generate_(request, stop);
    if (chunk) {
      const auto start = std::chrono::steady_clock::now();
      auto encoded = std::make_shared<const std::string>(codec::encode(*chunk));
      timers_.encode.observe(std::chrono::steady_clock::now() - start);
      return encoded;
    }
    if (stop.stop_requested()) return nullptr;
  } catch (const std::exception& e) {
    cause = e.what();
  } catch (...) {
    cause = "an exception of unknown type";
  }
  spdlog::error("the generator failed for {}, seed {}: {}", describe(request), request.seed, cause);
  return tl::unexpected(Error{
      .code = ErrorCode::kInternal,
      .message = "the generator failed for " + describe(request) + "; the server's log says why",
      .reason = ErrorReason::kGeneratorFailed});
}

/// Takes the batch's waiters off their flights; flights that lose their last one are dropped.
void FlightControl::cancel(const std::shared_ptr<Batch>& batch) {
  Waiters cancelled;
  std::vector<FlightPtr> flights;
  std::vector<std::stop_source> stops;
  {
    const MutexLock lock(mutex_);
    flights.swap(batch->flights);
    for (const FlightPtr& flight : flights) {
      const auto ours =
          std::stable_partition(flight->waiters.begin(), flight->waiters.end(),
                                [&](const Waiter& waiter) { return waiter.batch != batch; });
      // answered already, or taken off by a repeat of its key
      if (ours == flight->waiters.end()) continue;
      const auto count = static_cast<std::uint64_t>(std::distance(ours, flight->waiters.end()));
      if (flight->stage == Stage::kQueued) stats_.cancelled_queued += count;
      if (flight->stage == Stage::kGenerating) stats_.cancelled_generating += count;
      std::move(ours, flight->waiters.end(), std::back_inserter(cancelled));
      flight->waiters.erase(ours, flight->waiters.end());
      if (!flight->waiters.empty()) {
        leave(*flight, cancelled.back().source);
      } else if (abandon(*flight)) {
        stops.push_back(flight->stop);
      }
    }
    stats_.cancelled += cancelled.size();
  }
  for (auto& stop : stops) stop.request_stop();
  deliver_all(std::move(cancelled), fail(ErrorCode::kCancelled, "the request was cancelled"));
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
