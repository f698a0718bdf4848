#include "pipeline/flight.h"

#include <spdlog/spdlog.h>

#include <exception>

namespace terrane::pipeline {

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
  const Position at = position(*flight);
  flights_.emplace(at, std::move(flight));
}

void LookupQueue::remove(const Flight& flight) { flights_.erase(position(flight)); }

void LookupQueue::raise(Flight& flight, schedule::Priority priority) {
  auto node = flights_.extract(position(flight));
  flight.request.priority = priority;
  node.key() = position(flight);
  flights_.insert(std::move(node));
}

std::vector<std::shared_ptr<Flight>> LookupQueue::take(std::size_t max_flights) {
  std::vector<std::shared_ptr<Flight>> taken;
  while (!flights_.empty() && taken.size() < max_flights)
    taken.push_back(std::move(flights_.extract(flights_.begin()).mapped()));
  return taken;
}

}  // namespace terrane::pipeline
