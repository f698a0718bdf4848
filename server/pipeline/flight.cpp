#include "pipeline/flight.h"

#include <exception>

#include "log.h"

namespace terrane::pipeline {
namespace {

// in memory; what each really takes is charged afterwards
constexpr std::chrono::microseconds kTypicalLookup{2};

}  // namespace

void deliver_to(const Waiter& waiter, Result<codec::EncodedChunk> result) {
  try {
    waiter.batch->deliver(waiter.index, std::move(result));
  } catch (const std::exception& e) {
    spdlog::error("a receiver of chunks threw: {}; the others get theirs", e.what());
  }
}

void deliver_all(Waiters waiters, const Result<codec::EncodedChunk>& result) {
  for (const Waiter& waiter : waiters) deliver_to(waiter, result);
}

void deliver_refusals(RefusedWaiters refused) {
  for (auto& [waiters, why] : refused)
    deliver_all(std::move(waiters), tl::unexpected(schedule::to_error(why)));
}

void LookupQueue::add(std::shared_ptr<Flight> flight) {
  const Waiter& waiter = flight->waiters.front();
  flight->job = queue_.add(waiter.priority, {}, waiter.source, kTypicalLookup);
  flights_.emplace(flight->job, std::move(flight));
}

void LookupQueue::join(const Flight& flight, const Waiter& waiter) {
  queue_.join(flight.job, waiter.priority, waiter.source, kTypicalLookup);
}

void LookupQueue::leave(const Flight& flight, const schedule::Source& source) {
  queue_.leave(flight.job, source);
}

void LookupQueue::remove(const Flight& flight) {
  static_cast<void>(queue_.remove(flight.job));
  flights_.erase(flight.job);
}

LookupQueue::Lookups LookupQueue::take(std::size_t max_flights) {
  Lookups lookups;
  while (!flights_.empty() && lookups.flights.size() < max_flights) {
    lookups.turns.push_back(*queue_.take());
    lookups.flights.push_back(std::move(flights_.extract(lookups.turns.back().id).mapped()));
  }
  return lookups;
}

void LookupQueue::end(const Lookups& lookups, std::chrono::nanoseconds cost) {
  for (const auto& turn : lookups.turns) queue_.end(turn, cost / lookups.turns.size());
}

}  // namespace terrane::pipeline
