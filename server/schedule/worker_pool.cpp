#include "schedule/worker_pool.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <exception>
#include <latch>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

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
    Queue dropped;  // jobs are destroyed outside of the lock: they may hold anything
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      dropped.swap(queue_);
      priorities_.clear();
      queued_ = {};
    }
    threads_.join();
  }

  std::optional<JobId> submit(Priority priority, std::function<void()> job) {
    const std::lock_guard lock(mutex_);
    if (stopping_ || queue_.size() >= options_.max_queued) return std::nullopt;
    const JobId id = next_id_++;
    queue_.emplace(Position{priority, id}, Job{std::move(job), now()});
    ++queued_[index(priority)];
    priorities_.emplace(id, priority);
    // Wake-ups outlive cancelled jobs; posting only what is short keeps their number within the queue's bound.
    if (wake_ups_ < queue_.size()) {
      ++wake_ups_;
      boost::asio::post(threads_, [this] { run_most_urgent(); });
    }
    return id;
  }

  bool reprioritize(JobId id, Priority priority) {
    const std::lock_guard lock(mutex_);
    const auto found = priorities_.find(id);
    if (found == priorities_.end()) return false;
    auto node = queue_.extract(Position{found->second, id});
    node.key().first = priority;
    queue_.insert(std::move(node));
    --queued_[index(std::exchange(found->second, priority))];
    ++queued_[index(priority)];
    return true;
  }

  bool cancel(JobId id) {
    Queue::node_type dropped;  // destroyed after the lock
    const std::lock_guard lock(mutex_);
    const auto found = priorities_.find(id);
    if (found == priorities_.end()) return false;
    dropped = queue_.extract(Position{found->second, id});
    --queued_[index(found->second)];
    priorities_.erase(found);
    return true;
  }

  std::size_t queued() const {
    const std::lock_guard lock(mutex_);
    return queue_.size();
  }

  std::size_t queued(Priority priority) const {
    const std::lock_guard lock(mutex_);
    return queued_[index(priority)];
  }

  std::size_t workers() const { return workers_; }
  std::uint64_t failed_jobs() const { return failed_jobs_.load(std::memory_order_relaxed); }

 private:
  using Clock = std::chrono::steady_clock;
  using Position = std::pair<Priority, JobId>;  // ids grow, so that equal priorities run in order of arrival
  struct Job {
    std::function<void()> run;
    Clock::time_point queued;  // when on_job_start is there to be told
  };
  using Queue = std::map<Position, Job>;

  static std::size_t index(Priority priority) { return static_cast<std::size_t>(priority); }
  Clock::time_point now() const { return options_.on_job_start ? Clock::now() : Clock::time_point(); }

  void run_most_urgent() {
    Queue::node_type next;
    {
      const std::lock_guard lock(mutex_);
      --wake_ups_;
      if (queue_.empty()) return;
      next = queue_.extract(queue_.begin());
      --queued_[index(next.key().first)];
      priorities_.erase(next.key().second);
    }
    if (options_.on_job_start) options_.on_job_start(next.key().first, Clock::now() - next.mapped().queued);
    run(next.mapped().run);
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
  mutable std::mutex mutex_;
  Queue queue_;
  std::array<std::size_t, kPriorities> queued_{};   // of queue_, by priority
  std::unordered_map<JobId, Priority> priorities_;  // of what is queued
  JobId next_id_ = 1;
  std::size_t wake_ups_ = 0;  // posted to the threads and not yet taken up
  bool stopping_ = false;
  std::atomic<std::uint64_t> failed_jobs_ = 0;
  std::latch all_started_;
  boost::asio::thread_pool threads_;  // last: its threads use everything above
};

WorkerPool::WorkerPool(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}
WorkerPool::~WorkerPool() = default;

std::optional<JobId> WorkerPool::submit(Priority priority, std::function<void()> job) {
  return impl_->submit(priority, std::move(job));
}

bool WorkerPool::reprioritize(JobId id, Priority priority) { return impl_->reprioritize(id, priority); }
bool WorkerPool::cancel(JobId id) { return impl_->cancel(id); }
std::size_t WorkerPool::queued() const { return impl_->queued(); }
std::size_t WorkerPool::queued(Priority priority) const { return impl_->queued(priority); }
std::size_t WorkerPool::workers() const { return impl_->workers(); }
std::uint64_t WorkerPool::failed_jobs() const { return impl_->failed_jobs(); }

}  // namespace terrane::schedule
