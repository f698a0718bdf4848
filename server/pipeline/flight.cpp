#include "pipeline/flight.h"

#include <exception>
#include <new>

#include "log.h"

namespace terrane::pipeline {
namespace {

// in memory; what each really takes is charged afterwards
constexpr std::chrono::microseconds kTypicalLookup{2};

}  // namespace

void deliver_to(const Waiter& waiter, Result<codec::EncodedChunk> result) noexcept {
  try {
    waiter.batch->deliver(waiter.index, std::move(result));
  } catch (const std::exception& e) {
    spdlog::error("a receiver of chunks threw: {}; the others get theirs", e.what());
  }
}

void deliver_all(Waiters waiters, const Result<codec::EncodedChunk>& result) noexcept {
  for (const Waiter& waiter : waiters) {
    if (result) {
      deliver_to(waiter, *result);
    } else {
      deliver_to(waiter, tl::unexpected(schedule::copy_of(result.error())));
    }
  }
}

void deliver_refusals(RefusedWaiters refused) noexcept {
  for (const auto& [waiter, why] : refused)
    deliver_to(waiter, tl::unexpected(schedule::to_error(why)));
}

void LookupQueue::add(std::shared_ptr<Flight> flight) {
  const Waiter& waiter = flight->waiters.front();
  const schedule::JobId job = queue_.add(waiter.priority, {}, waiter.source, kTypicalLookup);
  try {
    flights_.emplace(job, flight);
  } catch (...) {
    static_cast<void>(queue_.remove(job));
    throw;
  }
  flight->job = job;
}

void LookupQueue::join(const Flight& flight, const Waiter& waiter) {
  try {
    queue_.join(flight.job, waiter.priority, waiter.source, kTypicalLookup);
  } catch (const std::bad_alloc&) {
    // it is looked up at the others' turns
  }
}

void LookupQueue::leave(const Flight& flight, const schedule::Source& source) {
  queue_.leave(flight.job, source);
}

void LookupQueue::remove(const Flight& flight) {
  static_cast<void>(queue_.remove(flight.job));
  flights_.erase(flight.job);
}

void LookupQueue::take(std::size_t max_flights, Lookups& into) {
  while (!flights_.empty() && into.flights.size() < max_flights) {
    into.turns.push_back(*queue_.take());
    into.flights.push_back(std::move(flights_.extract(into.turns.back().id).mapped()));
  }
}

std::shared_ptr<Flight> LookupQueue::drop_first() {
  const auto turn = *queue_.take();
  queue_.end(turn, std::chrono::nanoseconds(0));
  return std::move(flights_.extract(turn.id).mapped());
}

void LookupQueue::end(const Lookups& lookups, std::chrono::nanoseconds cost) {
  for (const auto& turn : lookups.turns) queue_.end(turn, cost / lookups.turns.size());
}

}  // namespace terrane::pipeline
