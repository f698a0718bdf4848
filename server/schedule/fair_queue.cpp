#include "schedule/fair_queue.h"

#include <algorithm>
#include <utility>

namespace terrane::schedule {

Share& FairQueue::viewer(const Source& source) {
  return everyone_->part(source.client, source.weight).part(source.connection).part(source.viewer);
}

FairQueue::Place FairQueue::put(JobId id, Priority priority, const Source& source,
                                Nanoseconds typical) {
  Share& share = viewer(source);
  const Nanoseconds mean = share.mean_cost();
  const Nanoseconds estimate = mean.count() == 0 ? typical : mean;
  share.add(priority, id, estimate);
  return {source, &share, priority, estimate};
}

JobId FairQueue::add(Priority priority, QueuedJob&& job, const Source& source,
                     Nanoseconds typical) {
  const JobId id = next_id_++;
  const auto entry = jobs_.try_emplace(id).first;
  try {
    entry->second.places.reserve(1);
    entry->second.places.push_back(put(id, priority, source, typical));
  } catch (...) {
    jobs_.erase(entry);
    throw;
  }
  entry->second.job = std::move(job);
  return id;
}

bool FairQueue::join(JobId id, Priority priority, const Source& source, Nanoseconds typical) {
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return false;
  auto& places = found->second.places;
  const auto own = std::ranges::find(places, source, &Place::source);
  if (own == places.end()) {
    places.emplace_back();
    try {
      places.back() = put(id, priority, source, typical);
    } catch (...) {
      places.pop_back();
      throw;
    }
  } else if (priority < own->priority) {
    own->share->add(priority, id, own->estimate);  // first, or the share might be forgotten
    own->share->remove(own->priority, id, own->estimate);
    own->priority = priority;
  }
  return true;
}

void FairQueue::leave(JobId id, const Source& source) {
  const auto found = jobs_.find(id);
  if (found == jobs_.end() || found->second.places.size() == 1) return;
  auto& places = found->second.places;
  const auto own = std::ranges::find(places, source, &Place::source);
  if (own == places.end()) return;
  own->share->remove(own->priority, id, own->estimate);
  places.erase(own);
}

QueuedJob FairQueue::take_out(Jobs::iterator entry) {
  for (const Place& place : entry->second.places)
    place.share->remove(place.priority, entry->first, place.estimate);
  QueuedJob job = std::move(entry->second.job);
  jobs_.erase(entry);
  return job;
}

bool FairQueue::would_be_next(Priority priority, const Source& source, Nanoseconds more) const {
  return everyone_->would_be_next(source.client, source.weight, priority, more);
}

std::optional<FairQueue::Running> FairQueue::take() {
  const Share* const client = everyone_->next_client();
  if (client == nullptr) return std::nullopt;
  const Priority priority = *client->most_urgent();
  Share& share = client->next_part(priority).next_part(priority);
  const auto entry = jobs_.find(*share.jobs(priority).begin());
  const auto place = std::ranges::find(entry->second.places, &share, &Place::share);
  const Nanoseconds estimate = place->estimate;
  const Source source = place->source;
  share.begin(estimate);
  const JobId id = entry->first;
  return Running{id, priority, take_out(entry), source, &share, estimate};
}

void FairQueue::end(const Running& running, Nanoseconds cost) {
  running.share->end(running.estimate, cost);
}

void FairQueue::charge(const Source& source, Nanoseconds cost) {
  if (everyone_->is_at_work()) everyone_->part(source.client, source.weight).owe(cost);
}

Nanoseconds FairQueue::lead(const Source& source) const {
  const Share* const client = everyone_->find(source.client);
  return client == nullptr ? Nanoseconds{0} : client->lead();
}

std::optional<QueuedJob> FairQueue::remove(JobId id) {
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return std::nullopt;
  return take_out(found);
}

std::optional<QueuedJob> FairQueue::evict_for(const Source& source) {
  constexpr int kTries = 16;  // jobs looked at
  const Share* const client = everyone_->most_laden();
  if (client == nullptr || client->key() == source.client ||
      client->queued() * source.weight <= (of_client(source.client) + 1) * client->weight()) {
    return std::nullopt;
  }
  const Share& share = *client->most_laden()->most_laden();
  int tries = 0;
  const auto& jobs = share.jobs(*share.least_urgent());
  for (auto job = jobs.rbegin(); job != jobs.rend() && tries < kTries; ++job, ++tries) {
    const auto entry = jobs_.find(*job);
    if (entry->second.places.size() == 1 && entry->second.job.job.on_evicted)
      return take_out(entry);
  }
  return std::nullopt;
}

Nanoseconds FairQueue::work_until(Priority priority, const Source& source,
                                  Nanoseconds typical) const {
  const Share* const client = everyone_->find(source.client);
  const Share* const connection = client == nullptr ? nullptr : client->find(source.connection);
  const Share* const viewer = connection == nullptr ? nullptr : connection->find(source.viewer);
  const bool is_known = viewer != nullptr && viewer->mean_cost().count() != 0;
  const Nanoseconds own = is_known ? viewer->mean_cost() : typical;
  Nanoseconds work = own + (viewer == nullptr ? Nanoseconds{0} : viewer->estimated_until(priority));
  if (connection != nullptr) work = connection->work_until(viewer, 1, priority, work);
  if (client != nullptr) work = client->work_until(connection, 1, priority, work);
  work = everyone_->work_until(client, client == nullptr ? source.weight : client->weight(),
                               priority, work);
  return work - own;
}

/// A bound: as if it came last of its source's.
Nanoseconds FairQueue::work_until(JobId id, Nanoseconds typical) const {
  const auto found = jobs_.find(id);
  Nanoseconds least = Nanoseconds::max();
  if (found == jobs_.end()) return Nanoseconds{0};
  for (const Place& place : found->second.places)
    least = std::min(least, work_until(place.priority, place.source, typical));
  return least;
}

bool FairQueue::waits(JobId id, const Source& source) const {
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return false;
  const auto& places = found->second.places;
  return std::ranges::find(places, source, &Place::source) != places.end();
}

std::size_t FairQueue::size(Priority priority) const { return everyone_->queued_of(priority); }

std::vector<Source> FairQueue::waiting_clients() const {
  std::vector<Source> clients;
  for (const Share* const client : everyone_->laden())
    clients.push_back({.client = client->key(), .weight = client->weight()});
  return clients;
}

std::size_t FairQueue::of_client(std::uint64_t client) const {
  const Share* const found = everyone_->find(client);
  return found == nullptr ? 0 : found->queued();
}

}  // namespace terrane::schedule
