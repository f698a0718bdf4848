#include "schedule/worker_pool.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <exception>
#include <latch>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "log.h"
#include "schedule/fair_queue.h"
#include "schedule/processor_time.h"
#include "schedule/regular_client.h"
#include "terrane/mutex.h"

namespace terrane::schedule {
namespace {

// of the job that runs on this thread, beside what it takes itself
thread_local std::chrono::nanoseconds extra_cost{0};
thread_local std::uint64_t client_of_turn = 0;

}  // namespace

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
      arrived_.notify_all();
      std::swap(dropped, queue_);
    }
    threads_.join();
  }

  tl::expected<JobId, Refused> submit(Priority priority, Job job, const Source& source,
                                      std::chrono::nanoseconds patience) {
    QueuedJob queued{std::move(job), Clock::now()};  // destroyed outside of the lock
    const MutexLock lock(mutex_);
    if (stopping_) return tl::unexpected(Refused{Refusal::kStopping});
    if (const auto refused = exhausts(priority, source, patience)) return tl::unexpected(*refused);
    try {
      return add(priority, std::move(queued), source);
    } catch (const std::bad_alloc&) {
      return tl::unexpected(Refused{Refusal::kOutOfMemory});
    }
  }

  std::optional<Refused> join(JobId id, Priority priority, const Source& source,
                              std::chrono::nanoseconds patience) {
    const MutexLock lock(mutex_);
    if (!queue_.waits(id, source)) {
      const auto refused = exhausts(priority, source, patience);
      if (refused && slowed(queue_.work_until(id, typical_cost(priority))) > patience)
        return refused;
    }
    try {
      const bool had_none = queue_.of_client(source.client) == 0;
      if (queue_.join(id, priority, source, typical_cost(priority)))
        note_arrival(priority, source, had_none);
    } catch (const std::bad_alloc&) {
      // it runs at the others' turns
    }
    return std::nullopt;
  }

  void leave(JobId id, const Source& source) {
    const MutexLock lock(mutex_);
    queue_.leave(id, source);
  }

  bool cancel(JobId id) {
    std::optional<QueuedJob> dropped;  // destroyed after the lock
    const MutexLock lock(mutex_);
    dropped = queue_.remove(id);
    return dropped.has_value();
  }

  std::chrono::nanoseconds expected_wait(Priority priority, const Source& source) const {
    const MutexLock lock(mutex_);
    return wait_for(priority, source);
  }

  bool is_behind(Priority priority, const Source& source, std::chrono::nanoseconds patience) const {
    const MutexLock lock(mutex_);
    return queue_.lead(source) / workers_ > patience || wait_for(priority, source) > patience;
  }

  void charge_at_once(std::chrono::nanoseconds cost, const Source& source) {
    try {
      if (options_.on_charge) options_.on_charge(source, cost);
      const MutexLock lock(mutex_);
      queue_.charge(source, cost);
    } catch (const std::bad_alloc&) {
      // it is not charged, then
    }
  }

  std::size_t queued() const {
    const MutexLock lock(mutex_);
    return queue_.size();
  }

  std::size_t queued(Priority priority) const {
    const MutexLock lock(mutex_);
    return queue_.size(priority);
  }

  std::size_t queued_before(Priority priority) const {
    const MutexLock lock(mutex_);
    std::size_t jobs = 0;
    for (const Priority other : kAllPriorities) {
      if (other < priority) jobs += queue_.size(other);
    }
    return jobs;
  }

  std::vector<Source> waiting_clients() const {
    const MutexLock lock(mutex_);
    return queue_.waiting_clients();
  }

  std::chrono::nanoseconds worked() const {
    const MutexLock lock(mutex_);
    return worked_;
  }

  std::size_t workers() const { return workers_; }
  std::uint64_t failed_jobs() const { return failed_jobs_.load(std::memory_order_relaxed); }

 private:
  using Clock = std::chrono::steady_clock;
  // jobs, about, that means look back over
  static constexpr std::int64_t kMeanOf = 32;

  /// What a job took.
  struct Took {
    std::chrono::nanoseconds time{0};
    std::chrono::nanoseconds cost{0};  // processor time, and what was charged besides
  };

  /// Whom a worker waits for.
  struct Awaited {
    std::uint64_t client;
    Priority priority;
  };

  /// What jobs of a class cost lately, and how many have ended, as far as they count.
  struct OfClass {
    std::chrono::nanoseconds cost{0};
    std::int64_t ended = 0;
  };

  /// Throws std::bad_alloc, and has then changed nothing.
  tl::expected<JobId, Refused> add(Priority priority, QueuedJob&& job, const Source& source)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    // Wake-ups outlive cancelled jobs; posting only what is short keeps their number within the
    // queue's bound.
    if (wake_ups_ <= queue_.size()) {
      boost::asio::post(threads_, [this] { run_next(); });
      ++wake_ups_;
    }
    if (queue_.size() >= options_.max_queued) {
      evicted_.emplace_back();  // before there is somebody to be told
      auto evicted = queue_.evict_for(source);
      if (!evicted) {
        evicted_.pop_back();
        return tl::unexpected(Refused{Refusal::kQueueFull, queue_.size(), options_.max_queued});
      }
      evicted_.back() = std::move(*evicted);
    }
    const bool had_none = queue_.of_client(source.client) == 0;
    const JobId id = queue_.add(priority, std::move(job), source, typical_cost(priority));
    note_arrival(priority, source, had_none);
    return id;
  }

  /// On a worker, since the one that submits may hold any lock.
  void tell(const std::vector<QueuedJob>& evicted) {
    const std::uint64_t limit = options_.max_queued;
    for (const QueuedJob& told : evicted)
      run([&] { told.job.on_evicted({Refusal::kClientShare, limit, limit}); });
  }

  /// Of a class, as plans and chunks differ by ten times.
  std::chrono::nanoseconds typical_cost(Priority priority) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const OfClass& of_class = of_class_[Share::index(priority)];
    return of_class.ended == 0 ? mean_.cost : of_class.cost;
  }

  std::chrono::nanoseconds wait_for(Priority priority, const Source& source) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return slowed(queue_.work_until(priority, source, typical_cost(priority)));
  }

  /// How long the workers take for this. Threads get less than a processor each where there are
  /// more of them than processors; and what other threads have done, and is charged here, takes
  /// workers no time.
  std::chrono::nanoseconds slowed(std::chrono::nanoseconds work) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (mean_.cost.count() == 0) return work / workers_;
    const double slowdown =
        static_cast<double>(mean_.time.count()) / static_cast<double>(mean_.cost.count());
    return std::chrono::nanoseconds(static_cast<std::int64_t>(
        static_cast<double>(work.count()) * slowdown / static_cast<double>(workers_)));
  }

  std::optional<Refused> exhausts(Priority priority, const Source& source,
                                  std::chrono::nanoseconds patience) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (patience == kEndless) return std::nullopt;
    const std::chrono::nanoseconds wait = wait_for(priority, source);
    if (wait <= patience) return std::nullopt;
    return Refused{Refusal::kWaitTooLong, milliseconds_of(wait), milliseconds_of(patience)};
  }

  /// None where it is negative: a deadline has passed.
  static std::uint64_t milliseconds_of(std::chrono::nanoseconds time) {
    const auto whole = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
    return static_cast<std::uint64_t>(std::max<std::chrono::milliseconds::rep>(0, whole));
  }

  void run_next() {
    std::optional<FairQueue::Running> running;
    std::vector<QueuedJob> evicted;
    {
      const MutexLock lock(mutex_);
      --wake_ups_;
      await_regular();
      running = queue_.take();
      if (running) ++running_;
      // Somebody comes for them: the queue was full, and there is a wake-up for each of its jobs.
      evicted.swap(evicted_);
    }
    tell(evicted);
    evicted.clear();
    if (!running) return;
    const auto start = Clock::now();
    const auto processor_start = processor_time_of_thread();
    extra_cost = {};
    client_of_turn = running->source.client;
    if (options_.on_job_start)
      options_.on_job_start(running->priority, start - running->job.queued);
    run(running->job.job.run);
    running->job = {};  // what it holds may end here, at its source's expense
    client_of_turn = 0;
    const std::chrono::nanoseconds processor_time = processor_time_of_thread() - processor_start;
    const Took took{Clock::now() - start, processor_time + extra_cost};
    try {
      if (options_.on_charge) options_.on_charge(running->source, took.cost);
    } catch (const std::bad_alloc&) {
      // it is not charged, then; the worker has a job to end
    }
    const MutexLock lock(mutex_);
    queue_.end(*running, took.cost);
    --running_;
    regular_.job_ended(running->source, running->priority, Clock::now());
    worked_ += processor_time;
    // Of all, while they are few: else the first, which finds nothing prepared, counts for most.
    ended_ = std::min(ended_ + 1, kMeanOf);
    mean_.time += (took.time - mean_.time) / ended_;
    mean_.cost += (took.cost - mean_.cost) / ended_;
    OfClass& of_class = of_class_[Share::index(running->priority)];
    of_class.ended = std::min(of_class.ended + 1, kMeanOf);
    of_class.cost += (took.cost - of_class.cost) / of_class.ended;
  }

  /// Gives who comes with one job after the other a moment for the next, at its own expense: where
  /// that would be the next to run, and no worker is free for it.
  void await_regular() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (awaited_ || queue_.size() == 0 || running_ + 1 < workers_) return;
    const auto start = Clock::now();
    const auto expected = regular_.expected(start);
    if (!expected || queue_.of_client(expected->source.client) > 0) return;
    const auto& [source, priority, until] = *expected;
    if (!queue_.would_be_next(priority, source, RegularClient::kMoment)) return;
    awaited_ = Awaited{source.client, priority};
    while (awaited_ && !stopping_ && arrived_.wait_until(mutex_, until)) {
    }
    if (awaited_) regular_.did_not_come();
    awaited_.reset();
    try {
      queue_.charge(source, Clock::now() - start);
    } catch (const std::bad_alloc&) {
      // it is not charged, then
    }
  }

  /// Somebody comes who may be waited for, or is more urgent.
  /// @param had_none  jobs queued
  void note_arrival(Priority priority, const Source& source, bool had_none)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (had_none) regular_.came(source.client, Clock::now());
    if (!awaited_ || (source.client != awaited_->client && priority >= awaited_->priority)) return;
    awaited_.reset();
    arrived_.notify_all();
  }

  template <typename Run>
  void run(const Run& job) {
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
  std::size_t running_ ABSL_GUARDED_BY(mutex_) = 0;  // jobs
  RegularClient regular_ ABSL_GUARDED_BY(mutex_);
  std::optional<Awaited> awaited_ ABSL_GUARDED_BY(mutex_);
  CondVar arrived_;  // who is awaited, or the end
  // posted to the threads and not yet taken up
  std::size_t wake_ups_ ABSL_GUARDED_BY(mutex_) = 0;
  // have made room, and are to be told so
  std::vector<QueuedJob> evicted_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::atomic<std::uint64_t> failed_jobs_ = 0;
  Took mean_ ABSL_GUARDED_BY(mutex_);  // of jobs lately
  std::array<OfClass, kPriorities> of_class_ ABSL_GUARDED_BY(mutex_);
  std::int64_t ended_ ABSL_GUARDED_BY(mutex_) = 0;  // of them, as far as they count
  std::chrono::nanoseconds worked_ ABSL_GUARDED_BY(mutex_){0};
  std::latch all_started_;
  boost::asio::thread_pool threads_;  // last: its threads use everything above
};

WorkerPool::WorkerPool(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}
WorkerPool::~WorkerPool() = default;

tl::expected<JobId, Refused> WorkerPool::submit(Priority priority, Job job, const Source& source,
                                                std::chrono::nanoseconds patience) {
  return impl_->submit(priority, std::move(job), source, patience);
}
std::optional<Refused> WorkerPool::join(JobId id, Priority priority, const Source& source,
                                        std::chrono::nanoseconds patience) {
  return impl_->join(id, priority, source, patience);
}
void WorkerPool::leave(JobId id, const Source& source) { impl_->leave(id, source); }
bool WorkerPool::cancel(JobId id) { return impl_->cancel(id); }
void WorkerPool::charge(std::chrono::nanoseconds cost) { extra_cost += cost; }
bool WorkerPool::charge(std::chrono::nanoseconds cost, const Source& source) {
  if (source.client != client_of_turn) return false;
  charge(cost);
  return true;
}
void WorkerPool::charge_at_once(std::chrono::nanoseconds cost, const Source& source) {
  impl_->charge_at_once(cost, source);
}
bool WorkerPool::is_behind(Priority priority, const Source& source,
                           std::chrono::nanoseconds patience) const {
  return impl_->is_behind(priority, source, patience);
}
std::size_t WorkerPool::queued() const { return impl_->queued(); }
std::size_t WorkerPool::queued(Priority priority) const { return impl_->queued(priority); }
std::size_t WorkerPool::queued_before(Priority priority) const {
  return impl_->queued_before(priority);
}
std::chrono::nanoseconds WorkerPool::expected_wait(Priority priority, const Source& source) const {
  return impl_->expected_wait(priority, source);
}
std::vector<Source> WorkerPool::waiting_clients() const { return impl_->waiting_clients(); }
std::chrono::nanoseconds WorkerPool::worked() const { return impl_->worked(); }
std::size_t WorkerPool::workers() const { return impl_->workers(); }
std::uint64_t WorkerPool::failed_jobs() const { return impl_->failed_jobs(); }

}  // namespace terrane::schedule
