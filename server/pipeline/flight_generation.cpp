// The part of FlightControl that runs on the workers.
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "log.h"
#include "pipeline/flight_control.h"

namespace terrane::pipeline {
namespace {

std::string describe(const ChunkRequest& request) {
  return "chunk (" + std::to_string(request.coord.x) + ", " + std::to_string(request.coord.y) +
         ") at lod " + std::to_string(request.lod) + " of world " + request.world->name;
}

}  // namespace

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
  std::stop_token stop;
  if (!begin_generating(*flight, stop)) return;
  Result<codec::EncodedChunk> chunk = make_chunk(*flight, stop);
  // Before the flight ends: whoever asks after that finds it in the store.
  if (chunk && *chunk) remember(*flight, *chunk);

  Waiters done;
  RefusedWaiters refused;
  {
    const MutexLock lock(mutex_);
    const bool stopped = chunk && !*chunk;
    if (stopped) ++stats_.stopped;
    if (chunk && *chunk) ++stats_.generated;
    if (stopped && !flight->waiters.empty() && !stopping_) {
      try {
        submit(flight, refused);  // joined after the stop
      } catch (const std::bad_alloc&) {
        chunk = tl::unexpected(schedule::out_of_memory());
      }
    }
    if (!chunk && chunk.error().reason == ErrorReason::kOutOfMemory) {
      for (std::size_t i = 0; i < flight->waiters.size(); ++i)
        count_refused({schedule::Refusal::kOutOfMemory});
    } else if (!chunk) {
      ++stats_.failed;
    }
    if (flight->stage == Stage::kGenerating) done = end(*flight);
  }
  if (chunk) time(done, timers_.generated, std::chrono::steady_clock::now());
  deliver_all(std::move(done), chunk);
  deliver_refusals(std::move(refused));
}

/// @param stop  stops the generator
/// @return whether anybody waits for the chunk; else the flight is over
bool FlightControl::begin_generating(Flight& flight, std::stop_token& stop) {
  std::stop_source source{std::nostopstate};
  try {
    source = std::stop_source();
  } catch (const std::bad_alloc&) {
    // it can't be stopped
  }
  const MutexLock lock(mutex_);
  if (flight.waiters.empty()) {  // abandoned when it was too late to cancel the job
    end(flight);
    return false;
  }
  flight.stage = Stage::kGenerating;
  stop = source.get_token();
  flight.stop = std::move(source);
  return true;
}

bool FlightControl::is_awaited(const Flight& flight) const {
  const MutexLock lock(mutex_);
  return !flight.waiters.empty();
}

void FlightControl::remember(const Flight& flight, const codec::EncodedChunk& chunk) {
  try {
    if (!is_for_the_store(flight.request)) memory_cache_.add(flight.key, chunk);
    if (store_ != nullptr) store_->put(flight.key, chunk);
  } catch (const std::bad_alloc&) {
    // whoever asks next has it made again
  }
}

/// The encoded chunk; null when told to stop, and nobody has come since; kResourceExhausted or
/// kInternal.
Result<codec::EncodedChunk> FlightControl::make_chunk(const Flight& flight,
                                                      const std::stop_token& stop) {
  const ChunkRequest& request = flight.request;
  try {
    std::string cause = "it returned nothing without being told to stop";
    try {
      const std::optional<Chunk> chunk = generate_(request, stop);
      if (stop.stop_requested() && (!chunk || !is_awaited(flight))) return nullptr;
      if (chunk) {
        const auto start = std::chrono::steady_clock::now();
        auto encoded = std::make_shared<const std::string>(codec::encode(*chunk));
        timers_.encode.observe(std::chrono::steady_clock::now() - start);
        return encoded;
      }
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& e) {
      cause = e.what();
    } catch (...) {
      cause = "an exception of unknown type";
    }
    spdlog::error("the generator failed for {}: {}", describe(request), cause);
    spdlog::debug("that was seed {}", request.seed);  // which may be a secret
    return tl::unexpected(Error{
        .code = ErrorCode::kInternal,
        .message = "the generator failed for " + describe(request) + "; the server's log says why",
        .reason = ErrorReason::kGeneratorFailed});
  } catch (const std::bad_alloc&) {
    return tl::unexpected(schedule::out_of_memory());
  }
}

}  // namespace terrane::pipeline
