#include "cli/find/search.h"

#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "terrane/mutex.h"
#include "worldgen/float_environment.h"

namespace terrane::cli {
namespace {

constexpr std::uint64_t kBatch = 16;           // seeds: some hundredths of a second
constexpr std::uint64_t kAhead = 64 * kBatch;  // seeds that may be done and not yet told of

/// What the threads share: which seeds to judge next, and what has come of them.
class Batches {
 public:
  Batches(const Judge& judge, const SeedRange& range) : judge_(judge), range_(range) {}

  /// A thread's work: until there is none, or it is stopped.
  void run() {
    try {
      work();
    } catch (...) {
      const MutexLock lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stopped_ = true;
      changed_.notify_all();
    }
  }

  /// What has come of the next batch in order; none after the last. Blocks until it is done.
  /// Throws what a thread has ended by.
  std::optional<std::vector<FoundSeed>> next() {
    const MutexLock lock(mutex_);
    if (told_ >= range_.count) return std::nullopt;
    while (!failure_ && !done_.contains(told_)) changed_.wait(mutex_);
    if (failure_) std::rethrow_exception(failure_);
    auto found = std::move(done_.extract(told_).mapped());
    told_ += std::min(kBatch, range_.count - told_);
    changed_.notify_all();
    return found;
  }

  /// How many seeds next() has told of.
  [[nodiscard]] std::uint64_t told() {
    const MutexLock lock(mutex_);
    return told_;
  }

  void stop() {
    const MutexLock lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

 private:
  void work() {
    worldgen::set_default_float_environment();
    while (const auto first = take()) {
      const std::uint64_t end = first.value() + std::min(kBatch, range_.count - *first);
      std::vector<FoundSeed> found;
      for (std::uint64_t k = *first; k < end && !is_stopped(); ++k) {
        if (auto evidence = judge_.judge(range_.first + k))
          found.push_back({range_.first + k, *std::move(evidence)});
      }
      const MutexLock lock(mutex_);
      done_.emplace(*first, std::move(found));
      changed_.notify_all();
    }
  }

  std::optional<std::uint64_t> take() {
    const MutexLock lock(mutex_);
    while (!stopped_ && taken_ < range_.count && taken_ >= told_ + kAhead) changed_.wait(mutex_);
    if (stopped_ || taken_ >= range_.count) return std::nullopt;
    return std::exchange(taken_, taken_ + std::min(kBatch, range_.count - taken_));
  }

  [[nodiscard]] bool is_stopped() {
    const MutexLock lock(mutex_);
    return stopped_;
  }

  const Judge& judge_;
  const SeedRange range_;
  Mutex mutex_;
  CondVar changed_;
  std::uint64_t taken_ ABSL_GUARDED_BY(mutex_) = 0, told_ ABSL_GUARDED_BY(mutex_) = 0;
  // by the first of a batch, from the range's beginning
  std::map<std::uint64_t, std::vector<FoundSeed>> done_ ABSL_GUARDED_BY(mutex_);
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  std::exception_ptr failure_ ABSL_GUARDED_BY(mutex_);
};

/// Threads that work on batches, until these are done or it ends.
class Workers {
 public:
  explicit Workers(Batches& batches) : batches_(batches) {}
  ~Workers() { batches_.stop(); }  // and then the threads end, and are waited for
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void start(int count) {
    for (int i = 0; i < count; ++i) {
      try {
        threads_.emplace_back([this] { batches_.run(); });
      } catch (const std::system_error&) {
        if (threads_.empty()) throw;
        return;  // as many as the system allows
      }
    }
  }

 private:
  Batches& batches_;
  std::vector<std::jthread> threads_;
};

}  // namespace

void search_seeds(const Judge& judge, const SeedRange& range, int threads,
                  const SeedReport& report) {
  Batches batches(judge, range);
  Workers workers(batches);
  workers.start(threads);
  while (const auto found = batches.next()) {
    if (!report(range.first + batches.told(), *found)) break;
  }
}

}  // namespace terrane::cli
