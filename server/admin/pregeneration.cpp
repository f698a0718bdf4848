#include "admin/pregeneration.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <utility>

#include "log.h"
#include "terrane/mutex.h"
#include "terrane/result_macros.h"

namespace terrane::admin {
namespace {

using Clock = std::chrono::steady_clock;
using schedule::Priority;
using namespace std::chrono_literals;

constexpr std::uint64_t kMostOfBlock = 256;  // looked for in the store together
constexpr std::size_t kAskedPerWorker = 4;   // that its next job is there when one has ended
constexpr auto kBetweenReports = 500ms;
constexpr auto kLookAgain = 2ms;          // whether others still wait
constexpr auto kLongestYield = 100ms;     // then one chunk is made nevertheless
constexpr double kLongestPause = 86'400;  // seconds, between two blocks
constexpr double kUsableRoom = 0.75;      // of the file, before older chunks make room
constexpr double kRateMemory = 10;        // seconds over which the rate is reckoned

bool others_wait(const schedule::WorkerPool& workers) {
  return workers.queued_before(Priority::kPregeneration) > 0;
}

/// What is under way, and what became of it. Shared with the pipeline, which calls back.
class Asked {
 public:
  void ask() {
    const MutexLock lock(mutex_);
    ++under_way_;
  }
  void answer(const ChunkKey& key, const Result<codec::EncodedChunk>& chunk) {
    const MutexLock lock(mutex_);
    --under_way_;
    if (chunk) {
      made_.push_back(key);
    } else if (chunk.error().code == ErrorCode::kResourceExhausted) {
      again_.push_back(key);
    } else {
      ++failed_;
    }
    changed_.notify_all();
  }
  /// Waits until at most so many are under way.
  void await(std::size_t most) {
    const MutexLock lock(mutex_);
    while (under_way_ > most) changed_.wait(mutex_);
  }
  std::vector<ChunkKey> take_made() {
    const MutexLock lock(mutex_);
    return std::exchange(made_, {});
  }
  std::vector<ChunkKey> take_again() {
    const MutexLock lock(mutex_);
    return std::exchange(again_, {});
  }
  std::uint64_t take_failed() {
    const MutexLock lock(mutex_);
    return std::exchange(failed_, 0);
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  std::size_t under_way_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<ChunkKey> made_ ABSL_GUARDED_BY(mutex_), again_ ABSL_GUARDED_BY(mutex_);
  std::uint64_t failed_ ABSL_GUARDED_BY(mutex_) = 0;
};

/// One run of it.
class Pregeneration {
 public:
  Pregeneration(const PregenerationOrder& order, pipeline::ChunkPipeline& pipeline,
                const schedule::WorkerPool& workers, store::ChunkStore& store,
                const std::stop_token& stop,
                const std::function<void(const PregenerationProgress&)>& report)
      : order_(order),
        tiles_(order.area, order.lods),
        pipeline_(pipeline),
        workers_(workers),
        store_(store),
        stop_(stop),
        report_(report),
        wakes_(stop, [this] {
          const MutexLock lock(mutex_);
          stopped_.notify_all();
        }) {
    progress_.cursor = std::min(order.cursor, tiles_.size());
    progress_.total = tiles_.size();
  }

  Result<void> run() {
    std::uint64_t next = progress_.cursor;
    while (next < tiles_.size() && !stop_.stop_requested()) {
      const std::uint64_t count = std::min(block_size(), tiles_.size() - next);
      make(next, count);
      if (stop_.stop_requested()) break;
      next += count;
      keep_to_rate(next, count);
      TERRANE_RETURN_IF_ERROR(check_room());
      if (Clock::now() >= next_report_) settle(next);
    }
    if (!stop_.stop_requested()) settle(next);
    if (stop_.stop_requested()) return fail(ErrorCode::kCancelled, "stopped");
    return {};
  }

 private:
  /// Few where they are to come slowly, so that they come evenly.
  [[nodiscard]] std::uint64_t block_size() const {
    if (order_.max_rate <= 0) return kMostOfBlock;
    const double quarter_second = order_.max_rate / 4;
    return static_cast<std::uint64_t>(
        std::clamp(quarter_second, 1.0, static_cast<double>(kMostOfBlock)));
  }

  /// Has those made that the store lacks.
  void make(std::uint64_t first, std::uint64_t count) {
    std::vector<ChunkKey> keys;
    keys.reserve(count);
    for (std::uint64_t i = first; i < first + count; ++i) {
      const Tile tile = tiles_.at(i);
      keys.push_back({order_.world->fingerprint, order_.seed, tile.lod, tile.coord});
    }
    const std::vector<bool> there = store_.contains(keys);
    std::vector<ChunkKey> missing;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!there[i]) missing.push_back(keys[i]);
    }
    progress_.found += keys.size() - missing.size();
    while (!missing.empty() && !stop_.stop_requested()) {
      for (const ChunkKey& key : missing) {
        yield_to_others();
        if (stop_.stop_requested()) break;
        if (Clock::now() >= next_report_ + kBetweenReports) report();  // a slow block
        request(key);
      }
      asked_->await(0);
      missing = asked_->take_again();
      if (!missing.empty()) sleep_until(Clock::now() + kLongestYield);
    }
    asked_->await(0);
    for (const ChunkKey& key : asked_->take_made()) unproven_.push_back(key);
    progress_.failed += asked_->take_failed();
  }

  void request(const ChunkKey& key) {
    asked_->await(kAskedPerWorker * workers_.workers() - 1);
    asked_->ask();
    pipeline_.request(
        {{order_.world, order_.seed, key.coord, key.lod, Priority::kPregeneration, order_.source}},
        stop_,
        [asked = asked_, key](std::size_t, const auto& chunk) { asked->answer(key, chunk); });
  }

  void yield_to_others() {
    const auto until = Clock::now() + kLongestYield;
    while (others_wait(workers_) && Clock::now() < until && !stop_.stop_requested()) {
      yielded_ = true;
      sleep_until(std::min(Clock::now() + kLookAgain, until));
    }
  }

  /// @param next  what comes after the last `count` chunks
  void keep_to_rate(std::uint64_t next, std::uint64_t count) {
    if (order_.max_rate <= 0) return;
    const std::chrono::duration<double> time(
        std::min(static_cast<double>(count) / order_.max_rate, kLongestPause));
    due_ = std::max(due_, Clock::now() - 1s) + std::chrono::duration_cast<Clock::duration>(time);
    while (Clock::now() < due_ && !stop_.stop_requested()) {
      sleep_until(std::min(due_, next_report_));
      if (Clock::now() >= next_report_) settle(next);
    }
  }

  void sleep_until(Clock::time_point time) {
    const MutexLock lock(mutex_);
    while (!stop_.stop_requested() && stopped_.wait_until(mutex_, time)) {
    }
  }

  /// All before `next` have been made: says so once the file has them.
  void settle(std::uint64_t next) {
    while (!store_.try_flush() && store_.stats().writable) {  // a slow disk
      if (stop_.stop_requested()) return;
      report();
    }
    const std::vector<bool> kept = store_.contains(unproven_);
    const auto count = static_cast<std::uint64_t>(std::count(kept.begin(), kept.end(), true));
    progress_.generated += count;
    progress_.failed += unproven_.size() - count;
    unproven_.clear();
    const auto now = Clock::now();
    const std::chrono::duration<double> time = now - settled_;
    const double weight = 1 - std::exp(-time.count() / kRateMemory);
    const double rate = static_cast<double>(next - progress_.cursor) / std::max(time.count(), 1e-6);
    rate_ = rate_ == 0 ? rate : rate_ + weight * (rate - rate_);
    settled_ = now;
    progress_.cursor = next;
    progress_.seconds_left = rate_ > 0 ? static_cast<double>(progress_.total - next) / rate_ : 0;
    report();
  }

  /// Whether the file may hold all that has been made, or what comes pushes out what came before.
  /// Errors: kFailedPrecondition.
  [[nodiscard]] Result<void> check_room() const {
    const store::StoreStats stats = store_.stats();
    if (stats.entries == 0) return {};
    const double bytes_of_chunk =
        static_cast<double>(stats.used_bytes) / static_cast<double>(stats.entries);
    const double made = bytes_of_chunk * static_cast<double>(progress_.generated);
    if (made <= kUsableRoom * static_cast<double>(stats.max_bytes)) return {};
    return fail(ErrorCode::kFailedPrecondition,
                fmt::format("the cache is full of what has been made ({} of {} chunks, {} MiB with "
                            "all it holds): what comes would only push that out. Start the server "
                            "with a larger --cache-size, or take a smaller area",
                            progress_.cursor, progress_.total, stats.used_bytes >> 20));
  }

  void report() {
    progress_.yields = std::exchange(yielded_, false);
    next_report_ = Clock::now() + kBetweenReports;
    report_(progress_);
  }

  const PregenerationOrder& order_;
  const AreaOrder tiles_;
  pipeline::ChunkPipeline& pipeline_;
  const schedule::WorkerPool& workers_;
  store::ChunkStore& store_;
  const std::stop_token stop_;
  const std::function<void(const PregenerationProgress&)>& report_;

  const std::shared_ptr<Asked> asked_ = std::make_shared<Asked>();
  std::vector<ChunkKey> unproven_;  // made, and perhaps not in the file
  PregenerationProgress progress_;
  bool yielded_ = false;
  double rate_ = 0;  // chunks a second, of late
  Clock::time_point due_ = Clock::now(), settled_ = Clock::now();
  Clock::time_point next_report_ = Clock::now() + kBetweenReports;
  Mutex mutex_;
  CondVar stopped_;
  std::stop_callback<std::function<void()>> wakes_;  // last: what it wakes is there
};

}  // namespace

Result<void> pregenerate(const PregenerationOrder& order, pipeline::ChunkPipeline& pipeline,
                         const schedule::WorkerPool& workers, store::ChunkStore& store,
                         const std::stop_token& stop,
                         const std::function<void(const PregenerationProgress&)>& report) {
  return Pregeneration(order, pipeline, workers, store, stop, report).run();
}

}  // namespace terrane::admin
