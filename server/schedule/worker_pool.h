#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <tl/expected.hpp>

#include "schedule/refusal.h"

namespace terrane::schedule {

/// Who waits for a job; a lower value runs first, equal ones in order of arrival.
enum class Priority : std::uint8_t {
  kPlayerWaits = 0,   // teleport, blocking get
  kView = 1,          // in view
  kPrefetch = 2,      // may be in view soon
  kPregeneration = 3  // when idle
};

inline constexpr std::size_t kPriorities = 4;

using JobId = std::uint64_t;

/// On whose behalf a job runs: among jobs of equal priority all sources get the same share of the
/// workers, however many jobs each has queued.
struct Source {
  // a connection, by any number; 0: nobody in particular, who is not held to a share of the queue
  std::uint64_t client = 0;
  std::uint64_t viewer = 0;  // one of the client's; each counts as a source of its own
  friend bool operator==(const Source&, const Source&) = default;
};

/// A fixed number of threads over a bounded queue with priorities. Thread-safe; no call blocks.
///
/// Sources take turns by start-time fair queueing (P. Goyal, H. Vin, H. Cheng, "Start-time Fair
/// Queueing", 1996) with jobs as units.
class WorkerPool {
 public:
  static constexpr std::chrono::nanoseconds kEndless = std::chrono::nanoseconds::max();
  // a client has one in so many of the queue's places at most
  static constexpr std::size_t kClientShare = 8;

  struct Options {
    std::size_t workers = 1;
    std::size_t max_queued = 16384;
    std::function<void()> on_thread_start;  // runs first on every worker; may be empty
    /// Told how long each job has waited, on its worker as it starts: brief, never throwing.
    /// May be empty.
    std::function<void(Priority, std::chrono::nanoseconds)> on_job_start = {};
  };

  explicit WorkerPool(Options options);
  /// Drops what is queued, waits for what runs.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Queues a job. A job that throws is logged and counted, and its worker goes on.
  /// @param patience  the job is refused where jobs of its priority can be expected to wait for
  ///   longer. For a source that has nothing queued at this priority, this and its client's share
  ///   count double, so that those who ask for little come through
  /// @return the job's id, or which limit it has met
  [[nodiscard]] tl::expected<JobId, Refused> submit(Priority priority, std::function<void()> job,
                                                    const Source& source = {},
                                                    std::chrono::nanoseconds patience = kEndless);

  /// Moves a queued job to another priority.
  /// @return false when it has started, ended or never was
  bool reprioritize(JobId id, Priority priority);

  /// Takes a queued job out; it will never run.
  /// @return false when it has started, ended or never was
  bool cancel(JobId id);

  [[nodiscard]] std::size_t queued() const;
  [[nodiscard]] std::size_t queued(Priority priority) const;
  /// How long a job of this priority can be expected to wait: the jobs before it by what jobs took
  /// lately, over the workers.
  [[nodiscard]] std::chrono::nanoseconds expected_wait(Priority priority) const;
  [[nodiscard]] std::size_t workers() const;
  [[nodiscard]] std::uint64_t failed_jobs() const;  // jobs that threw

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace terrane::schedule
