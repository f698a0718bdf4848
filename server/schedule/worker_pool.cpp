#include "schedule/worker_pool.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <exception>
#include <latch>
#include <optional>
#include <utility>

#include "schedule/fair_queue.h"
#include "terrane/mutex.h"

namespace terrane::schedule {

class WorkerPool::Impl {
 public:
  explicit Impl(Options options)
      : options_(std::move(options)),
        workers_(std::max<std::size_t>(options_.workers, 1)),
        all_started_(static_cast<std::ptrdiff_t>(workers_)),
        threads_(workers_) {
    // A thread that waits for the others takes no second start, so that each runs exactly one.
    for (std::size_t i = 0; i < workers_; ++i) {
      boost::asio::post(threads_, [this] {
        if (options_.on_thread_start) run(options_.on_thread_start);
        all_started_.arrive_and_wait();
      });
    }
  }

  ~Impl() {
    FairQueue dropped;  // jobs are destroyed outside of the lock: they may hold anything
    {
      const MutexLock lock(mutex_);
      stopping_ = true;
      std::swap(dropped, queue_);
    }
    threads_.join();
  }

  tl::expected<JobId, Refused> submit(Priority priority, std::function<void()> job,
                                      const Source& source, std::chrono::nanoseconds patience) {
    const MutexLock lock(mutex_);
    if (const auto refused = refuses(priority, source, patience)) return tl::unexpected(*refused);
    const JobId id = queue_.add(priority, {std::move(job), source, Clock::now()});
    // Wake-ups outlive cancelled jobs; posting only what is short keeps their number within the
    // queue's bound.
    if (wake_ups_ < queue_.size()) {
      ++wake_ups_;
      boost::asio::post(threads_, [this] { run_most_urgent(); });
    }
    return id;
  }

  bool reprioritize(JobId id, Priority priority) {
    const MutexLock lock(mutex_);
    return queue_.move(id, priority);
  }

  bool cancel(JobId id) {
    std::optional<QueuedJob> dropped;  // destroyed after the lock
    const MutexLock lock(mutex_);
    dropped = queue_.remove(id);
    return dropped.has_value();
  }

  std::chrono::nanoseconds expected_wait(Priority priority) const {
    const MutexLock lock(mutex_);
    return wait_for(priority);
  }

  std::size_t queued() const {
    const MutexLock lock(mutex_);
    return queue_.size();
  }

  std::size_t queued(Priority priority) const {
    const MutexLock lock(mutex_);
    return queue_.size(priority);
  }

  std::size_t workers() const { return workers_; }
  std::uint64_t failed_jobs() const { return failed_jobs_.load(std::memory_order_relaxed); }

 private:
  using Clock = std::chrono::steady_clock;
  // jobs, about, that the mean time of a job looks back over
  static constexpr std::int64_t kMeanOf = 32;

  std::chrono::nanoseconds wait_for(Priority priority) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    std::size_t before = 0;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(priority); ++i)
      before += queue_.size(static_cast<Priority>(i));
    return std::chrono::nanoseconds(static_cast<std::int64_t>(before / workers_) *
                                    job_ns_.load(std::memory_order_relaxed));
  }

  std::optional<Refused> refuses(Priority priority, const Source& source,
                                 std::chrono::nanoseconds patience) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (stopping_) return Refused{Refusal::kStopping};
    if (queue_.size() >= options_.max_queued)
      return Refused{Refusal::kQueueFull, queue_.size(), options_.max_queued};
    // What is there already must not keep out those who have nothing there: both limits are doubled
    // for them.
    const bool newcomer = queue_.of_source(priority, source) == 0;
    const std::size_t share =
        std::max<std::size_t>(1, options_.max_queued / kClientShare) * (newcomer ? 2 : 1);
    if (const std::size_t queued = queue_.of_client(source.client);
        source.client != 0 && queued >= share) {
      return Refused{Refusal::kClientShare, queued, share};
    }
    if (patience == kEndless) return std::nullopt;
    const std::chrono::nanoseconds wait = wait_for(priority);
    const std::chrono::nanoseconds most = patience * (newcomer ? 2 : 1);
    if (wait <= most) return std::nullopt;
    return Refused{Refusal::kWaitTooLong, milliseconds_of(wait), milliseconds_of(most)};
  }

  /// None where it is negative: a deadline has passed.
  static std::uint64_t milliseconds_of(std::chrono::nanoseconds time) {
    const auto whole = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
    return static_cast<std::uint64_t>(std::max<std::chrono::milliseconds::rep>(0, whole));
  }

  void run_most_urgent() {
    std::optional<FairQueue::Next> next;
    {
      const MutexLock lock(mutex_);
      --wake_ups_;
      next = queue_.take();
    }
    if (!next) return;
    const auto start = Clock::now();
    if (options_.on_job_start) options_.on_job_start(next->priority, start - next->job.queued);
    run(next->job.run);
    note_time(Clock::now() - start);
  }

  /// Threads may overwrite each other's; a mean is none the worse for that.
  void note_time(std::chrono::nanoseconds time) {
    const std::int64_t mean = job_ns_.load(std::memory_order_relaxed);
    job_ns_.store(mean == 0 ? time.count() : mean + (time.count() - mean) / kMeanOf,
                  std::memory_order_relaxed);
  }

  void run(const std::function<void()>& job) {
    try {
      job();
    } catch (const std::exception& e) {
      count_failure(e.what());
    } catch (...) {
      count_failure("an exception of unknown type");
    }
  }

  void count_failure(const char* what) {
    failed_jobs_.fetch_add(1, std::memory_order_relaxed);
    spdlog::error("a job of the worker pool threw: {}; its worker goes on", what);
  }

  const Options options_;
  const std::size_t workers_;
  mutable Mutex mutex_;
  FairQueue queue_ ABSL_GUARDED_BY(mutex_);
  // posted to the threads and not yet taken up
  std::size_t wake_ups_ ABSL_GUARDED_BY(mutex_) = 0;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::atomic<std::uint64_t> failed_jobs_ = 0;
  std::atomic<std::int64_t> job_ns_ = 0;  // what a job took lately, on average; 0: none has run
  std::latch all_started_;
  boost::asio::thread_pool threads_;  // last: its threads use everything above
};

WorkerPool::WorkerPool(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}
WorkerPool::~WorkerPool() = default;

tl::expected<JobId, Refused> WorkerPool::submit(Priority priority, std::function<void()> job,
                                                const Source& source,
                                                std::chrono::nanoseconds patience) {
  return impl_->submit(priority, std::move(job), source, patience);
}

bool WorkerPool::reprioritize(JobId id, Priority priority) {
  return impl_->reprioritize(id, priority);
}
bool WorkerPool::cancel(JobId id) { return impl_->cancel(id); }
std::size_t WorkerPool::queued() const { return impl_->queued(); }
std::size_t WorkerPool::queued(Priority priority) const { return impl_->queued(priority); }
std::chrono::nanoseconds WorkerPool::expected_wait(Priority priority) const {
  return impl_->expected_wait(priority);
}
std::size_t WorkerPool::workers() const { return impl_->workers(); }
std::uint64_t WorkerPool::failed_jobs() const { return impl_->failed_jobs(); }

}  // namespace terrane::schedule
