#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schedule/source.h"

namespace terrane::schedule {

using JobId = std::uint64_t;
using Nanoseconds = std::chrono::nanoseconds;

/// One party to what is shared out: all clients together, a client, a connection, or a viewer,
/// each with those that it consists of.
///
/// Start-time fair queueing (P. Goyal, H. Vin, H. Cheng, "Start-time Fair Queueing", 1996), level
/// above level, in nanoseconds of processor time. Of those that have jobs, the one with the least
/// start tag is served; its tag then grows by what the job costs over its weight. The virtual time
/// of a level is the least tag of those that have jobs queued, and never goes back; the paper's is
/// the tag of the one served last, which is another where urgent jobs come first. Who comes, or
/// comes again, starts there, or at its own tag if that is later, so that nobody gains by going
/// away. A job's cost is known only at its end: until then an estimate stands in for it.
class Share {
 public:
  using Ticks = std::int64_t;  // virtual time: nanoseconds over weight

  Share(Share* parent, std::uint64_t key, std::uint32_t weight)
      : parent_(parent), key_(key), weight_(weight) {}
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;

  [[nodiscard]] Share* parent() const { return parent_; }
  [[nodiscard]] std::uint64_t key() const { return key_; }
  [[nodiscard]] std::uint32_t weight() const { return weight_; }

  // Memory is taken by part() and add() alone, which throw std::bad_alloc and have then changed
  // nothing that counts; all others only move what there is.

  /// The part with this key, made if there is none.
  Share& part(std::uint64_t key, std::uint32_t weight = 1);
  [[nodiscard]] const Share* find(std::uint64_t key) const;
  [[nodiscard]] std::size_t parts() const { return parts_.size(); }
  /// Whether any part has jobs, queued or running.
  [[nodiscard]] bool is_at_work() const { return active_weight_ > 0; }

  /// A viewer's jobs come and go. What is idle and owes nothing is forgotten at once, so any of
  /// these but add() and begin() may end this share and those above it, but for the root.
  void add(Priority priority, JobId job, Nanoseconds estimate);
  void remove(Priority priority, JobId job, Nanoseconds estimate);
  /// A job of this viewer begins, before it is removed.
  void begin(Nanoseconds estimate);
  /// It has ended, with the cost that it really had.
  void end(Nanoseconds estimate, Nanoseconds cost);

  /// What others than the workers have done for this part counts as if a job had taken it.
  void owe(Nanoseconds cost);
  /// Of this part: what the others would have to have before it is level with them; 0 where they
  /// have had no less.
  [[nodiscard]] Nanoseconds lead() const;

  /// The most urgent class in which there are jobs.
  [[nodiscard]] std::optional<Priority> most_urgent() const;
  [[nodiscard]] std::optional<Priority> least_urgent() const;
  /// Of the parts with jobs of a class, the one whose turn it is.
  [[nodiscard]] Share& next_part(Priority priority) const;
  /// Of the parts, the client whose turn it is: an urgent job lets a client begin earlier that has
  /// had no more than others, and a turn lasts for some jobs. Null without jobs.
  [[nodiscard]] Share* next_client() const;
  /// Whether a part would be next_client() if it came now with a job of this class, and had had so
  /// much more. @param weight  of one that is not there
  [[nodiscard]] bool would_be_next(std::uint64_t key, std::uint32_t weight, Priority priority,
                                   Nanoseconds more) const;
  /// Of the parts, the one that has most waiting for its weight.
  [[nodiscard]] Share* most_laden() const;

  /// The parts that have jobs queued. May throw std::bad_alloc.
  [[nodiscard]] std::vector<const Share*> laden() const;

  /// A viewer's jobs of a class, the first one first.
  [[nodiscard]] const std::set<JobId>& jobs(Priority priority) const {
    return jobs_[index(priority)];
  }
  [[nodiscard]] std::size_t queued() const { return queued_; }
  [[nodiscard]] std::size_t queued_of(Priority priority) const {
    return queued_of_[index(priority)];
  }
  [[nodiscard]] Nanoseconds mean_cost() const { return mean_cost_; }  // 0: not known

  /// What is queued here that is as urgent as this or more urgent.
  [[nodiscard]] Nanoseconds estimated_until(Priority priority) const;
  /// How much will be done here, for whomever, before `own` work of a part is done that takes turns
  /// with the others; more urgent work of others comes first, but not at the root.
  /// @param part  null: one that is not there yet, with this weight
  [[nodiscard]] Nanoseconds work_until(const Share* part, std::uint32_t weight, Priority priority,
                                       Nanoseconds own) const;

  static constexpr std::size_t index(Priority priority) {
    return static_cast<std::size_t>(priority);
  }

 private:
  struct Turn {  // sorts by tag; ties by key, so that the order is that of a run before
    Ticks start;
    std::uint64_t key;
    Share* part;
    friend bool operator<(const Turn& a, const Turn& b) {
      return std::pair(a.start, a.key) < std::pair(b.start, b.key);
    }
  };

  struct Best {  // by what its turn would begin at
    Share* part = nullptr;
    std::size_t urgency = 0;  // its class
    Ticks tag = 0;
  };
  [[nodiscard]] Best best() const;
  [[nodiscard]] bool active() const { return queued_ > 0 || running_ > 0; }
  [[nodiscard]] Ticks ticks(Nanoseconds cost) const { return cost.count() / weight_; }
  [[nodiscard]] Turn turn() { return {start_, key_, this}; }
  void enter();
  void leave();
  void set_start(Ticks start);
  void advance_time();
  void forget_idle_parts();
  void forget_along_path();

  Share* const parent_;
  const std::uint64_t key_;
  std::uint32_t weight_;
  Ticks start_ = 0;  // when its next job starts, in its parent's virtual time
  std::size_t queued_ = 0;
  std::size_t running_ = 0;
  Nanoseconds mean_cost_{0};
  std::array<Nanoseconds, kPriorities> estimated_{};  // of what is queued
  std::array<std::size_t, kPriorities> queued_of_{};  // jobs, by class
  std::array<std::set<JobId>, kPriorities> jobs_;     // of a viewer
  std::array<std::set<Turn>, kPriorities> turns_;     // of parts with jobs of the class
  Ticks now_ = 0;                                     // virtual time of the parts
  std::uint64_t served_last_ = 0;                     // key of a part, which may have gone
  std::uint64_t active_weight_ = 0;                   // of parts with jobs, queued or running
  std::unordered_map<std::uint64_t, std::unique_ptr<Share>> parts_;
  std::set<Turn> idle_;  // parts that have no jobs
  // this share's place in its parent's idle_ while it has jobs, so that it can always go back
  std::set<Turn>::node_type idle_place_;
};

}  // namespace terrane::schedule
