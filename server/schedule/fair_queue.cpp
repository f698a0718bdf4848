#include "schedule/fair_queue.h"

#include <algorithm>
#include <utility>

namespace terrane::schedule {

std::size_t FairQueue::SourceHash::operator()(const Source& source) const noexcept {
  return static_cast<std::size_t>(
      (source.client * 0x9e3779b97f4a7c15u ^ source.viewer) * 0xff51afd7ed558ccdu >> 7);
}

/// A source that was away starts with the others; one that has jobs queued comes one turn after its
/// last.
FairQueue::Position FairQueue::enter(Priority priority, const Source& source, JobId id) {
  Lane& lane = lanes_[index(priority)];
  Turns& turns = lane.sources[source];
  const std::uint64_t turn = std::max(lane.now, turns.next);
  turns.next = turn + 1;
  ++turns.queued;
  ++lane.queued;
  return {priority, turn, id};
}

void FairQueue::leave(Priority priority, const Source& source) {
  Lane& lane = lanes_[index(priority)];
  --lane.queued;
  const auto turns = lane.sources.find(source);
  if (--turns->second.queued == 0) lane.sources.erase(turns);
}

/// For a job that leaves without having had its turn, if no job of its source comes after it.
void FairQueue::give_back_turn(const Position& position, const Source& source) {
  Turns& turns = lanes_[index(position.priority)].sources.find(source)->second;
  if (turns.next == position.turn + 1) --turns.next;
}

void FairQueue::forget(const Jobs::node_type& node) {
  const Source& source = node.mapped().source;
  positions_.erase(node.key().id);
  leave(node.key().priority, source);
  const auto client = clients_.find(source.client);
  if (--client->second == 0) clients_.erase(client);
}

JobId FairQueue::add(Priority priority, QueuedJob job) {
  const JobId id = next_id_++;
  ++clients_[job.source.client];
  const Position position = enter(priority, job.source, id);
  positions_.emplace(id, position);
  jobs_.emplace(position, std::move(job));
  return id;
}

std::optional<FairQueue::Next> FairQueue::take() {
  if (jobs_.empty()) return std::nullopt;
  auto node = jobs_.extract(jobs_.begin());
  lanes_[index(node.key().priority)].now = node.key().turn;
  forget(node);
  return Next{node.key().priority, std::move(node.mapped())};
}

bool FairQueue::move(JobId id, Priority priority) {
  const auto found = positions_.find(id);
  if (found == positions_.end()) return false;
  if (found->second.priority == priority) return true;
  auto node = jobs_.extract(found->second);
  const Source source = node.mapped().source;
  give_back_turn(node.key(), source);
  leave(node.key().priority, source);
  give_back_turn(enter(priority, source, id), source);
  // whoever is moved has waited: no turn is waited for
  node.key() = found->second = {priority, lanes_[index(priority)].now, id};
  jobs_.insert(std::move(node));
  return true;
}

std::optional<QueuedJob> FairQueue::remove(JobId id) {
  const auto found = positions_.find(id);
  if (found == positions_.end()) return std::nullopt;
  auto node = jobs_.extract(found->second);
  give_back_turn(node.key(), node.mapped().source);
  forget(node);
  return std::move(node.mapped());
}

std::size_t FairQueue::of_client(std::uint64_t client) const {
  const auto found = clients_.find(client);
  return found == clients_.end() ? 0 : found->second;
}

std::size_t FairQueue::of_source(Priority priority, const Source& source) const {
  const auto& sources = lanes_[index(priority)].sources;
  const auto found = sources.find(source);
  return found == sources.end() ? 0 : found->second.queued;
}

}  // namespace terrane::schedule
