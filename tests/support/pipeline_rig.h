#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/chunk_pipeline.h"
#include "terrane/mutex.h"

namespace terrane::test {

/// The chunk that ScriptedGenerator makes at a place.
inline Chunk chunk_at(ChunkCoord coord) {
  Chunk chunk;
  chunk.coord = coord;
  chunk.size = kMinChunkSize;
  for (std::int32_t i = 0; i < kMinChunkSize * kMinChunkSize; ++i) {
    chunk.height_q4.push_back(static_cast<std::int32_t>(coord.x * 1000 + coord.y) + i % 7);
  }
  return chunk;
}

/// A request for the chunk at (x, 0).
inline pipeline::ChunkRequest ask(std::int64_t x,
                                  schedule::Priority priority = schedule::Priority::kView) {
  static const auto world = [] {
    worldgen::World made;
    made.name = "test";
    made.fingerprint = 77;
    return std::make_shared<const worldgen::World>(std::move(made));
  }();
  return {.world = world, .seed = 5, .coord = {x, 0}, .lod = 0, .priority = priority};
}

/// Generates chunk_at(coord), and lets a test hold chunks back, see what started, and make it
/// throw. Thread-safe.
class ScriptedGenerator {
 public:
  pipeline::Generator function() {
    return [this](const pipeline::ChunkRequest& request, const std::stop_token& stop) {
      return run(request, stop);
    };
  }

  void hold(std::int64_t x) {
    const MutexLock lock(mutex_);
    held_.insert(x);
  }
  void release(std::int64_t x) {
    const MutexLock lock(mutex_);
    held_.erase(x);
    changed_.notify_all();
  }
  /// Held generators ignore their stop token, as one does that is between two polls.
  void ignore_stops(bool ignore) {
    const MutexLock lock(mutex_);
    ignore_stops_ = ignore;
    changed_.notify_all();
  }
  void throw_at(std::int64_t x) {
    const MutexLock lock(mutex_);
    throwing_.insert(x);
  }
  /// Blocks until the generator has been started `times` times for (x, 0).
  void await_start(std::int64_t x, int times = 1) {
    const MutexLock lock(mutex_);
    while (starts_[x] < times) changed_.wait(mutex_);
  }
  int starts(std::int64_t x) {
    const MutexLock lock(mutex_);
    return starts_[x];
  }
  /// x of every start, in order.
  std::vector<std::int64_t> order() {
    const MutexLock lock(mutex_);
    return order_;
  }

 private:
  std::optional<Chunk> run(const pipeline::ChunkRequest& request, const std::stop_token& stop) {
    const std::stop_callback wake(stop, [this] {
      const MutexLock lock(mutex_);
      changed_.notify_all();
    });
    MutexLock lock(mutex_);
    const std::int64_t x = request.coord.x;
    ++starts_[x];
    order_.push_back(x);
    changed_.notify_all();
    while (held_.contains(x) && (!stop.stop_requested() || ignore_stops_)) changed_.wait(mutex_);
    if (throwing_.contains(x)) throw std::runtime_error("scripted failure");
    const bool stopped = stop.stop_requested() && !ignore_stops_;
    lock.unlock();
    return stopped ? std::nullopt : std::optional(chunk_at(request.coord));
  }

  Mutex mutex_;
  CondVar changed_;
  std::set<std::int64_t> held_ ABSL_GUARDED_BY(mutex_);
  std::set<std::int64_t> throwing_ ABSL_GUARDED_BY(mutex_);
  std::map<std::int64_t, int> starts_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::int64_t> order_ ABSL_GUARDED_BY(mutex_);
  bool ignore_stops_ ABSL_GUARDED_BY(mutex_) = false;
};

/// Where a batch is delivered. Lives at least as long as the pipeline. Thread-safe.
class Inbox {
 public:
  pipeline::ChunkPipeline::Deliver deliver() {
    return [this](std::size_t index, Result<codec::EncodedChunk> result) {
      const MutexLock lock(mutex_);
      results_.emplace_back(index, std::move(result));
      changed_.notify_all();
    };
  }
  /// Blocks until `count` results are there; those, in order of arrival.
  std::vector<std::pair<std::size_t, Result<codec::EncodedChunk>>> await(std::size_t count) {
    const MutexLock lock(mutex_);
    while (results_.size() < count) changed_.wait(mutex_);
    return results_;
  }
  Result<codec::EncodedChunk> await_one() { return await(1).front().second; }
  std::size_t size() {
    const MutexLock lock(mutex_);
    return results_.size();
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  std::vector<std::pair<std::size_t, Result<codec::EncodedChunk>>> results_ ABSL_GUARDED_BY(mutex_);
};

/// Whether a result is the encoded chunk at (x, 0).
inline bool is_chunk(const Result<codec::EncodedChunk>& result, std::int64_t x) {
  return result && *result && **result == codec::encode(chunk_at({x, 0}));
}

inline bool is_error(const Result<codec::EncodedChunk>& result, ErrorCode code) {
  return !result && result.error().code == code;
}

}  // namespace terrane::test
