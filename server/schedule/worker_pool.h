#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <tl/expected.hpp>
#include <vector>

#include "schedule/fair_queue.h"
#include "schedule/refusal.h"
#include "schedule/source.h"

namespace terrane::schedule {

/// A fixed number of threads over a bounded queue, which clients share by the processor time that
/// their jobs take (`FairQueue` says how). Thread-safe; no call blocks.
class WorkerPool {
 public:
  static constexpr std::chrono::nanoseconds kEndless = std::chrono::nanoseconds::max();
  struct Options {
    std::size_t workers = 1;
    std::size_t max_queued = 16384;
    std::function<void()> on_thread_start;  // runs first on every worker; may be empty
    /// Told how long each job has waited, on its worker as it starts: brief, never throwing.
    /// May be empty.
    std::function<void(Priority, std::chrono::nanoseconds)> on_job_start = {};
    /// Told the processor time that a job took, and at whose turn it ran, or what a client was
    /// charged at once; otherwise the same, but on any thread.
    std::function<void(const Source&, std::chrono::nanoseconds)> on_charge = {};
  };

  explicit WorkerPool(Options options);
  /// Drops what is queued, waits for what runs.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Queues a job. A job that throws is logged and counted, and its worker goes on. Where the queue
  /// is full, the last job of the client that has most of it makes room, if that is another one.
  /// Without memory to queue it, it is refused.
  /// @param patience  the job is refused where it can be expected to wait for longer, at its
  ///   source's own turns
  /// @return the job's id, or which limit it has met
  [[nodiscard]] tl::expected<JobId, Refused> submit(Priority priority, Job job,
                                                    const Source& source = {},
                                                    std::chrono::nanoseconds patience = kEndless);

  /// Queues a job for another source, too: it runs at the turn that comes first. Makes it more
  /// urgent if that source has it queued already.
  /// @return why the source should not wait for it; nothing when it waits, or the job has started
  ///   or ended
  std::optional<Refused> join(JobId id, Priority priority, const Source& source,
                              std::chrono::nanoseconds patience = kEndless);

  /// A source no longer waits for a job; does nothing if it is the only one: see cancel().
  void leave(JobId id, const Source& source);

  /// Takes a queued job out; it will never run.
  /// @return false when it has started, ended or never was
  bool cancel(JobId id);

  /// Adds to what the job that runs on the calling thread is charged with: what other threads than
  /// the pool's have done for its source. Does nothing on other threads.
  static void charge(std::chrono::nanoseconds cost);
  /// The same if it runs at the turn of this source's client: nobody pays for others who wait for
  /// the same job.
  /// @return whether it does
  static bool charge(std::chrono::nanoseconds cost, const Source& source);

  /// Charges a client with what other threads have done for it, without waiting for a job of its:
  /// where there are such, they come later. Without memory it is not charged.
  void charge_at_once(std::chrono::nanoseconds cost, const Source& source);

  [[nodiscard]] std::size_t queued() const;
  [[nodiscard]] std::size_t queued(Priority priority) const;
  /// Of all more urgent classes.
  [[nodiscard]] std::size_t queued_before(Priority priority) const;
  /// How long a job can be expected to wait that is added now: by what comes before it at its
  /// source's turns, and what jobs took lately.
  [[nodiscard]] std::chrono::nanoseconds expected_wait(Priority priority,
                                                       const Source& source = {}) const;
  /// Whether the source's next job of this class can be expected to wait for longer, or would were
  /// the others' queues long: as its client has had more than they.
  [[nodiscard]] bool is_behind(Priority priority, const Source& source,
                               std::chrono::nanoseconds patience) const;
  /// Clients with jobs that wait, and their weights. May throw std::bad_alloc.
  [[nodiscard]] std::vector<Source> waiting_clients() const;
  /// Processor time that all jobs have taken so far, without what was charged besides.
  [[nodiscard]] std::chrono::nanoseconds worked() const;
  [[nodiscard]] std::size_t workers() const;
  [[nodiscard]] std::uint64_t failed_jobs() const;  // jobs that threw

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace terrane::schedule
