#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

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

/// A fixed number of threads over a bounded queue with priorities. Thread-safe; no call blocks.
class WorkerPool {
 public:
  struct Options {
    std::size_t workers = 1;
    std::size_t max_queued = 16384;
    std::function<void()> on_thread_start;  // runs first on every worker; may be empty
    /// Told how long each job has waited, on its worker as it starts: brief, never throwing. Empty: nothing is timed.
    std::function<void(Priority, std::chrono::nanoseconds)> on_job_start = {};
  };

  explicit WorkerPool(Options options);
  /// Drops what is queued, waits for what runs.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Queues a job. A job that throws is logged and counted, and its worker goes on.
  /// @return the job's id; empty when the queue is full or the pool is stopping
  [[nodiscard]] std::optional<JobId> submit(Priority priority, std::function<void()> job);

  /// Moves a queued job to another priority. @return false when it has started, ended or never was
  bool reprioritize(JobId id, Priority priority);

  /// Takes a queued job out; it will never run. @return false when it has started, ended or never was
  bool cancel(JobId id);

  [[nodiscard]] std::size_t queued() const;
  [[nodiscard]] std::size_t queued(Priority priority) const;
  [[nodiscard]] std::size_t workers() const;
  [[nodiscard]] std::uint64_t failed_jobs() const;  // jobs that threw

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace terrane::schedule
