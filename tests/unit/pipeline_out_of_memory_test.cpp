// Memory may end at any allocation of a chunk's way: whoever asked is answered, and whoever asks
// next gets the chunk.
#include <gtest/gtest.h>
#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "support/failing_memory.h"
#include "support/pipeline_rig.h"
#include "support/store_chunks.h"
#include "support/temp_directory.h"
#include "terrane/mutex.h"

namespace terrane::pipeline {
namespace {

using schedule::Priority;

/// What one request was answered. Takes no memory.
class Slot {
 public:
  ChunkPipeline::Deliver deliver() {
    return [this](std::size_t, Result<codec::EncodedChunk> result) {
      const MutexLock lock(mutex_);
      ++answers_;
      is_chunk_ = result.has_value() && *result != nullptr;
      if (!result) code_ = result.error().code, reason_ = result.error().reason;
      answered_.notify_all();
    };
  }
  void await() {
    const MutexLock lock(mutex_);
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (answers_ == 0 && answered_.wait_until(mutex_, until)) {
    }
  }
  int answers() {
    const MutexLock lock(mutex_);
    return answers_;
  }
  bool is_chunk() {
    const MutexLock lock(mutex_);
    return is_chunk_;
  }
  std::string describe() {
    const MutexLock lock(mutex_);
    return fmt::format("code {}, reason {}", static_cast<int>(code_), static_cast<int>(reason_));
  }
  bool is_out_of_memory() {
    const MutexLock lock(mutex_);
    return code_ == ErrorCode::kResourceExhausted && reason_ == ErrorReason::kOutOfMemory;
  }

 private:
  Mutex mutex_;
  CondVar answered_;
  int answers_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_chunk_ ABSL_GUARDED_BY(mutex_) = false;
  ErrorCode code_ ABSL_GUARDED_BY(mutex_) = ErrorCode::kInternal;
  ErrorReason reason_ ABSL_GUARDED_BY(mutex_) = ErrorReason::kUnspecified;
};

Generator plain_generator() {
  return [](const ChunkRequest& request, const std::stop_token& stop) -> std::optional<Chunk> {
    if (stop.stop_requested()) return std::nullopt;
    return test::chunk_at(request.coord);
  };
}

/// Asks with no memory but for the test's own ends.
/// @param each  by request_each()
void ask_without_memory(ChunkPipeline& pipeline, bool each, std::int64_t x, Slot& slot) {
  std::vector<ChunkRequest> batch{test::ask(x, Priority::kPlayerWaits)};
  const std::stop_source stop;
  const ChunkPipeline::Deliver deliver = slot.deliver();
  ChunkPipeline::Deliver copy = deliver;
  ChunkPipeline::SingleRequest single{batch.front(), stop.get_token(), deliver};
  test::exempt_from_failures(false);
  if (each) {
    pipeline.request_each({&single, 1});
  } else {
    pipeline.request(std::move(batch), stop.get_token(), std::move(copy));
  }
  test::exempt_from_failures(true);
}

/// Whether there is none for good from then on, and whether each is asked for by itself.
class MemoryEnds : public testing::TestWithParam<std::tuple<bool, bool>> {
 protected:
  MemoryEnds() {
    test::exempt_from_failures(true);
    spdlog::default_logger_raw();  // makes the log, as a server has when memory ends
  }
  ~MemoryEnds() override { test::exempt_from_failures(false); }
};

TEST_P(MemoryEnds, at_any_allocation_and_nobody_is_stranded) {
  const auto [for_good, each] = GetParam();
  const test::TempDirectory directory;
  const auto store = test::open_store(test::untimed(directory.path()));
  schedule::WorkerPool workers({.workers = 1, .max_queued = 64, .on_thread_start = {}});
  ChunkPipeline pipeline({.lookup_threads = 1, .memory_cache_bytes = 1 << 20}, plain_generator(),
                         workers, store.get());
  Slot first;  // threads have begun: what they need for that is not a chunk's
  pipeline.request({test::ask(-1)}, {}, first.deliver());
  first.await();
  int refused = 0;
  std::int64_t x = 0;
  for (int untouched = 0; untouched < 3 && x < 2000; ++x) {
    Slot slot;
    test::fail_memory(static_cast<std::size_t>(x), for_good);
    ask_without_memory(pipeline, each, x, slot);
    slot.await();
    untouched = test::restore_memory() == 0 ? untouched + 1 : 0;
    ASSERT_EQ(slot.answers(), 1) << "allocation " << x;
    ASSERT_TRUE(slot.is_chunk() || slot.is_out_of_memory()) << "allocation " << x;
    if (!slot.is_chunk()) ++refused;
    Slot again;
    pipeline.request({test::ask(x)}, {}, again.deliver());
    again.await();
    ASSERT_TRUE(again.is_chunk()) << "the next one gets it, after allocation " << x << ": "
                                  << again.describe();
  }
  std::printf("memory ends: at %lld places, %d requests refused\n", static_cast<long long>(x),
              refused);
  EXPECT_GT(refused, 5);
  EXPECT_EQ(workers.queued(), 0u);
  EXPECT_EQ(workers.failed_jobs(), 0u);
  EXPECT_EQ(pipeline.stats().refused_by[static_cast<std::size_t>(schedule::Refusal::kOutOfMemory)],
            pipeline.stats().refused);
}

INSTANTIATE_TEST_SUITE_P(once_or_for_good, MemoryEnds,
                         testing::Combine(testing::Bool(), testing::Bool()), [](const auto& its) {
                           return std::string(std::get<0>(its.param) ? "for_good" : "once") +
                                  (std::get<1>(its.param) ? "_each" : "");
                         });

TEST(MemoryEndsInQueues, and_jobs_of_others_still_run) {
  test::exempt_from_failures(true);
  schedule::WorkerPool pool({.workers = 1, .max_queued = 8, .on_thread_start = {}});
  for (std::size_t n = 0; n < 60; ++n) {
    std::atomic<int> ran = 0;
    int taken = 0;
    test::fail_memory(n, n % 2 == 0);
    for (std::uint64_t client = 0; client < 4; ++client) {
      schedule::Job job([&ran] { ++ran; });
      test::exempt_from_failures(false);
      const auto id = pool.submit(Priority::kView, std::move(job), {.client = client});
      test::exempt_from_failures(true);
      if (id) {
        ++taken;
      } else {
        EXPECT_EQ(id.error().refusal, schedule::Refusal::kOutOfMemory);
      }
    }
    test::restore_memory();
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (ran < taken && std::chrono::steady_clock::now() < until) std::this_thread::yield();
    ASSERT_EQ(ran, taken) << "allocation " << n;
  }
  test::exempt_from_failures(false);
}

}  // namespace
}  // namespace terrane::pipeline
