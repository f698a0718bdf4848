#pragma once

#include <array>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>

#include "schedule/worker_pool.h"

namespace terrane::schedule {

struct QueuedJob {
  std::function<void()> run;
  Source source;
  std::chrono::steady_clock::time_point queued;
};

/// Jobs in the order in which they are to run: by priority, then fair among sources, then by
/// arrival. Not thread-safe.
class FairQueue {
 public:
  struct Next {
    Priority priority;
    QueuedJob job;
  };

  JobId add(Priority priority, QueuedJob job);
  [[nodiscard]] std::optional<Next> take();
  /// @return false when there is no such job
  bool move(JobId id, Priority priority);
  [[nodiscard]] std::optional<QueuedJob> remove(JobId id);

  [[nodiscard]] std::size_t size() const { return jobs_.size(); }
  [[nodiscard]] std::size_t size(Priority priority) const { return lanes_[index(priority)].queued; }
  [[nodiscard]] std::size_t of_client(std::uint64_t client) const;
  /// How many jobs a source has queued at this priority.
  [[nodiscard]] std::size_t of_source(Priority priority, const Source& source) const;

 private:
  struct Position {
    Priority priority;
    std::uint64_t turn;  // start tag
    JobId id;            // ids grow
    friend auto operator<=>(const Position&, const Position&) = default;
  };
  struct SourceHash {
    std::size_t operator()(const Source& source) const noexcept;
  };
  struct Turns {
    std::uint64_t next = 0;  // turn of the source's next job
    std::size_t queued = 0;
  };
  struct Lane {             // of one priority
    std::uint64_t now = 0;  // turn of the job taken last
    std::size_t queued = 0;
    std::unordered_map<Source, Turns, SourceHash> sources;  // those with jobs queued
  };
  using Jobs = std::map<Position, QueuedJob>;

  static std::size_t index(Priority priority) { return static_cast<std::size_t>(priority); }
  Position enter(Priority priority, const Source& source, JobId id);
  void leave(Priority priority, const Source& source);
  void give_back_turn(const Position& position, const Source& source);
  void forget(const Jobs::node_type& node);

  Jobs jobs_;
  std::unordered_map<JobId, Position> positions_;
  std::unordered_map<std::uint64_t, std::size_t> clients_;  // jobs queued; those that have any
  std::array<Lane, kPriorities> lanes_;
  JobId next_id_ = 1;
};

}  // namespace terrane::schedule
