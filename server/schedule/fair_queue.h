#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schedule/refusal.h"
#include "schedule/share_tree.h"
#include "schedule/source.h"

namespace terrane::schedule {

/// What a pool runs.
struct Job {
  using Evicted = std::function<void(const Refused&)>;

  Job() = default;
  /// @param evicted  called instead, on a worker, when the job makes room for another one; where it
  ///   is empty, the job stays
  template <std::invocable Run>
  Job(Run its_run, Evicted evicted = {})  // NOLINT(google-explicit-constructor): most are this
      : run(std::move(its_run)), on_evicted(std::move(evicted)) {}

  std::function<void()> run;
  Evicted on_evicted;
};

struct QueuedJob {
  Job job;
  std::chrono::steady_clock::time_point queued;
};

/// Jobs in the order in which they are to run: clients take turns by what their jobs cost, with a
/// short head start for urgent ones (`Share`); within a client the most urgent class comes first,
/// and connections and viewers take turns in it; of one viewer, by arrival. A job that several wait
/// for is queued for each of them, and runs at the first one's turn, at whose expense it is. Not
/// thread-safe.
class FairQueue {
 public:
  /// A job that runs.
  struct Running {
    JobId id;
    Priority priority;
    QueuedJob job;
    Source source;  // whose turn it was, and
    Share* share;   // its share; an end() is owed
    Nanoseconds estimate;
  };

  // add() and join() throw std::bad_alloc, and have then changed nothing; the others take no
  // memory.

  /// @param job  taken over, unless this throws
  /// @param typical  what to expect of a viewer's jobs as long as none has ended
  JobId add(Priority priority, QueuedJob&& job, const Source& source, Nanoseconds typical);
  /// Queues a job for another source, too, or makes it more urgent for one that has it queued.
  /// @return false when there is no such job
  bool join(JobId id, Priority priority, const Source& source, Nanoseconds typical);
  /// The source no longer waits for the job, which is left to the others; if there are none,
  /// nothing happens.
  void leave(JobId id, const Source& source);

  /// Whether a job of this class of the source's client would be the next if it came now, though
  /// the client had had so much more.
  [[nodiscard]] bool would_be_next(Priority priority, const Source& source, Nanoseconds more) const;
  [[nodiscard]] std::optional<Running> take();
  void end(const Running& running, Nanoseconds cost);
  [[nodiscard]] std::optional<QueuedJob> remove(JobId id);

  /// What others than the workers have done for a client counts as a job of its would, but where
  /// nobody has jobs: then nobody has waited for it. Throws std::bad_alloc, and has then changed
  /// nothing.
  void charge(const Source& source, Nanoseconds cost);
  /// What the other clients would have to have before this one is level with them.
  [[nodiscard]] Nanoseconds lead(const Source& source) const;

  /// Takes out the last of the least urgent jobs of whoever has most queued, if that is another
  /// client than `source`'s and has more.
  [[nodiscard]] std::optional<QueuedJob> evict_for(const Source& source);

  /// What would be done, for whomever, before a job begins that is added now.
  [[nodiscard]] Nanoseconds work_until(Priority priority, const Source& source,
                                       Nanoseconds typical) const;

  /// The same before a job begins that is queued.
  [[nodiscard]] Nanoseconds work_until(JobId id, Nanoseconds typical) const;
  [[nodiscard]] bool waits(JobId id, const Source& source) const;

  [[nodiscard]] std::size_t size() const { return jobs_.size(); }
  [[nodiscard]] std::size_t size(Priority priority) const;
  [[nodiscard]] std::size_t of_client(std::uint64_t client) const;
  /// Clients that have jobs queued, and their weights. May throw std::bad_alloc.
  [[nodiscard]] std::vector<Source> waiting_clients() const;
  /// Clients that have jobs, or owe others a turn.
  [[nodiscard]] std::size_t known_clients() const { return everyone_->parts(); }

 private:
  struct Place {
    Source source;
    Share* share = nullptr;
    Priority priority = Priority::kView;
    Nanoseconds estimate{0};
  };
  struct Entry {
    QueuedJob job;
    std::vector<Place> places;
  };
  using Jobs = std::unordered_map<JobId, Entry>;

  Share& viewer(const Source& source);
  Place put(JobId id, Priority priority, const Source& source, Nanoseconds typical);
  QueuedJob take_out(Jobs::iterator entry);

  std::unique_ptr<Share> everyone_ = std::make_unique<Share>(nullptr, 0, 1);
  Jobs jobs_;
  JobId next_id_ = 1;
};

}  // namespace terrane::schedule
