#include "schedule/share_tree.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace terrane::schedule {
namespace {

using namespace std::chrono_literals;

// by class: what an urgent job lets its client begin earlier, if it has had no more than others
constexpr std::array<Share::Ticks, kPriorities> kHeadStart{
    Nanoseconds(20ms).count(), Nanoseconds(10ms).count(), 0, -Nanoseconds(100ms).count()};

// of work that a client may have beyond the others before it is another one's turn: chunks of one
// client after the other find what they need in the processor's caches
constexpr Nanoseconds kTurn = 500us;
// until all others have had as much for their weights: many clients, or light ones beside heavy
// ones, change after each job
constexpr Nanoseconds kRound = 10ms;

/// The tag that a client with a job of this class has among others. Whoever is ahead of the virtual
/// time has had more than those that wait, and begins no earlier: else clients all of whose jobs
/// are urgent would have their head start anew whenever another one comes back from a pause.
Share::Ticks tag_of(Share::Ticks start, Share::Ticks now, std::size_t priority) {
  const Share::Ticks head_start = kHeadStart[priority];
  return head_start > 0 && start > now ? start : start - head_start;
}

constexpr std::size_t kLevels = 3;  // below all clients: a client, a connection, a viewer

constexpr std::int64_t kMeanOf = 8;  // jobs, about, that the mean cost looks back over

Nanoseconds shifted(Nanoseconds mean, Nanoseconds cost) {
  return mean == 0ns ? cost : mean + (cost - mean) / kMeanOf;
}

}  // namespace

Share& Share::part(std::uint64_t key, std::uint32_t weight) {
  if (const auto found = parts_.find(key); found != parts_.end()) return *found->second;
  auto made = std::make_unique<Share>(this, key, std::max(weight, 1U));
  made->start_ = now_;
  const auto place = idle_.insert(made->turn()).first;
  try {
    return *parts_.emplace(key, std::move(made)).first->second;
  } catch (...) {
    idle_.erase(place);
    throw;
  }
}

const Share* Share::find(std::uint64_t key) const {
  const auto found = parts_.find(key);
  return found == parts_.end() ? nullptr : found->second.get();
}

/// Takes its place among those that have jobs.
void Share::enter() {
  idle_place_ = parent_->idle_.extract(turn());
  start_ = std::max(start_, parent_->now_);
  parent_->active_weight_ += weight_;
}

void Share::leave() {
  parent_->active_weight_ -= weight_;
  idle_place_.value() = turn();
  parent_->idle_.insert(std::move(idle_place_));
}

void Share::set_start(Ticks start) {
  const Turn before = turn();
  start_ = start;
  const auto move = [&](std::set<Turn>& turns) {
    auto node = turns.extract(before);
    node.value() = turn();
    turns.insert(std::move(node));
  };
  if (!active()) return move(parent_->idle_);
  for (std::size_t i = 0; i < kPriorities; ++i) {
    if (queued_of_[i] > 0) move(parent_->turns_[i]);
  }
}

/// The virtual time is the least tag of the parts that have jobs queued: for whoever comes now, no
/// better and no worse than for the one of them who got least.
void Share::advance_time() {
  Ticks least = std::numeric_limits<Ticks>::max();
  for (const auto& turns : turns_) {
    if (!turns.empty()) least = std::min(least, turns.begin()->start);
  }
  if (least != std::numeric_limits<Ticks>::max()) now_ = std::max(now_, least);
}

void Share::add(Priority priority, JobId job, Nanoseconds estimate) {
  const std::size_t i = index(priority);
  std::multiset<Turn> places;  // all memory first
  for (Share* share = this; share->parent_ != nullptr; share = share->parent_) {
    if (share->queued_of_[i] == 0) places.insert(share->turn());
  }
  jobs_[i].insert(job);
  for (Share* share = this; share != nullptr; share = share->parent_) {
    if (share->parent_ != nullptr && !share->active()) share->enter();
    ++share->queued_;
    share->estimated_[i] += estimate;
    if (share->queued_of_[i]++ == 0 && share->parent_ != nullptr) {
      auto place = places.extract(places.begin());
      place.value() = share->turn();
      share->parent_->turns_[i].insert(std::move(place));
    }
  }
}

void Share::remove(Priority priority, JobId job, Nanoseconds estimate) {
  const std::size_t i = index(priority);
  jobs_[i].erase(job);
  for (Share* share = this; share != nullptr; share = share->parent_) {
    --share->queued_;
    share->estimated_[i] -= estimate;
    if (--share->queued_of_[i] == 0 && share->parent_ != nullptr)
      share->parent_->turns_[i].erase(share->turn());
    if (share->parent_ != nullptr && !share->active()) share->leave();
  }
  forget_along_path();
}

void Share::begin(Nanoseconds estimate) {
  for (Share* share = this; share->parent_ != nullptr; share = share->parent_) {
    share->parent_->advance_time();
    share->parent_->served_last_ = share->key_;
    ++share->running_;
    share->set_start(share->start_ + share->ticks(estimate));
  }
}

void Share::end(Nanoseconds estimate, Nanoseconds cost) {
  mean_cost_ = shifted(mean_cost_, cost);
  for (Share* share = this; share->parent_ != nullptr; share = share->parent_) {
    share->set_start(share->start_ + share->ticks(cost) - share->ticks(estimate));
    --share->running_;
    if (!share->active()) share->leave();
  }
  forget_along_path();
}

void Share::owe(Nanoseconds cost) { set_start(std::max(start_, parent_->now_) + ticks(cost)); }

/// Who comes after everybody, as who prepares land does, is never caught up with.
Nanoseconds Share::lead() const {
  Ticks level = std::numeric_limits<Ticks>::max();
  for (std::size_t i = 0; i < kPriorities; ++i) {
    const auto& turns = parent_->turns_[i];
    if (!turns.empty())
      level = std::min(level, turns.begin()->start + std::max<Ticks>(0, -kHeadStart[i]));
  }
  if (level == std::numeric_limits<Ticks>::max()) level = parent_->now_;
  const std::uint64_t others = parent_->active_weight_ - (active() ? weight_ : 0);
  return Nanoseconds(std::max<Ticks>(0, start_ - level) * static_cast<Ticks>(others));
}

/// Parts without jobs whose tag has passed are like any newcomer. Where no part has jobs, nobody
/// has waited for what any of them had.
void Share::forget_idle_parts() {
  while (!idle_.empty() && (active_weight_ == 0 || idle_.begin()->start <= now_)) {
    const std::uint64_t key = idle_.begin()->key;
    idle_.erase(idle_.begin());
    parts_.erase(key);
  }
}

/// From the root down, as a share goes with all its parts.
void Share::forget_along_path() {
  std::array<std::pair<Share*, std::uint64_t>, kLevels> path;
  std::size_t steps = 0;
  for (Share* share = this; share->parent_ != nullptr && steps < kLevels; share = share->parent_)
    path[steps++] = {share->parent_, share->key_};
  while (steps > 0) {
    const auto [share, key] = path[--steps];
    share->forget_idle_parts();
    if (!share->parts_.contains(key)) return;
  }
}

std::optional<Priority> Share::most_urgent() const {
  for (const Priority priority : kAllPriorities) {
    if (queued_of_[index(priority)] > 0) return priority;
  }
  return std::nullopt;
}

std::optional<Priority> Share::least_urgent() const {
  std::optional<Priority> least;
  for (const Priority priority : kAllPriorities) {
    if (queued_of_[index(priority)] > 0) least = priority;
  }
  return least;
}

Share& Share::next_part(Priority priority) const { return *turns_[index(priority)].begin()->part; }

Share::Best Share::best() const {
  Best best{.tag = std::numeric_limits<Ticks>::max()};
  for (std::size_t i = 0; i < kPriorities; ++i) {
    if (turns_[i].empty()) continue;
    const Ticks tag = tag_of(turns_[i].begin()->start, now_, i);
    if (tag < best.tag) best = {turns_[i].begin()->part, i, tag};
  }
  return best;
}

bool Share::would_be_next(std::uint64_t key, std::uint32_t weight, Priority priority,
                          Nanoseconds more) const {
  const Share* const part = find(key);
  const Ticks start = (part == nullptr ? now_ : std::max(part->start_, now_)) +
                      more.count() / (part == nullptr ? weight : part->weight_);
  return tag_of(start, now_, index(priority)) < best().tag;
}

Share* Share::next_client() const {
  const auto [next, urgency, tag] = best();
  if (next == nullptr || next->key_ == served_last_) return next;
  const auto last = parts_.find(served_last_);
  if (last == parts_.end() || last->second->queued_ == 0) return next;
  Share& client = *last->second;
  const auto longest = kRound.count() / static_cast<Ticks>(active_weight_);
  const bool goes_on = urgency >= index(*client.most_urgent()) &&
                       client.start_ - now_ <= std::min(client.ticks(kTurn), longest);
  return goes_on ? &client : next;
}

Share* Share::most_laden() const {
  Share* most = nullptr;
  for (const auto& [key, part] : parts_) {
    if (part->queued_ == 0) continue;
    // a / b > c / d without dividing
    if (most == nullptr || part->queued_ * most->weight_ > most->queued_ * part->weight_)
      most = part.get();
  }
  return most;
}

std::vector<const Share*> Share::laden() const {
  std::vector<const Share*> laden;
  for (const auto& [key, part] : parts_)
    if (part->queued_ > 0) laden.push_back(part.get());
  return laden;
}

Nanoseconds Share::estimated_until(Priority priority) const {
  Nanoseconds sum{0};
  for (std::size_t i = 0; i <= index(priority); ++i) sum += estimated_[i];
  return sum;
}

Nanoseconds Share::work_until(const Share* part, std::uint32_t weight, Priority priority,
                              Nanoseconds own) const {
  const bool is_root = parent_ == nullptr;
  const auto of_others = [&](std::size_t i) {
    return estimated_[i] - (part == nullptr ? 0ns : part->estimated_[i]);
  };
  Nanoseconds first{0};
  Nanoseconds in_turns{0};
  for (std::size_t i = 0; i < kPriorities; ++i) {
    if (is_root || i == index(priority)) {
      in_turns += of_others(i);
    } else if (i < index(priority)) {
      first += of_others(i);
    }
  }
  const bool is_active = part != nullptr && part->active();
  const auto others = static_cast<double>(active_weight_ - (is_active ? weight : 0));
  const Ticks start = part == nullptr ? now_ : part->start_;
  const Ticks tag = is_root ? tag_of(start, now_, index(priority)) : start;
  const Ticks lead = part == nullptr ? 0 : std::max<Ticks>(0, tag - now_);
  const auto turns = static_cast<double>(own.count()) / weight + static_cast<double>(lead);
  const double before = std::min(static_cast<double>(in_turns.count()), turns * others);
  return own + first + Nanoseconds(static_cast<Nanoseconds::rep>(before));
}

}  // namespace terrane::schedule
