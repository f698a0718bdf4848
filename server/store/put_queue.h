#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "codec/chunk_codec.h"
#include "store/chunk_record.h"
#include "terrane/coord.h"
#include "terrane/mutex.h"

namespace terrane::store {

/// What waits for the writer: chunks to put, which can be found meanwhile, and keys to remove.
/// Bounded in number and in bytes. Thread-safe; one thread takes.
class PutQueue {
 public:
  using Puts = std::unordered_map<ChunkKey, codec::EncodedChunk, ChunkKeyHash>;
  using Clock = std::chrono::steady_clock;

  struct Options {
    std::size_t max_puts = 4096;             // queued, not counting the batch that is being written
    std::size_t batch_puts = 256;            // enough to write at once
    std::chrono::milliseconds interval{50};  // the longest that a change waits
  };

  /// A batch being written. It stays put, and its chunks can be found, until finish().
  struct Batch {
    Puts puts;
    std::vector<KeyBytes> removals;  // to be applied before the puts
  };

  explicit PutQueue(const Options& options) : options_(options) {}

  /// Queues a chunk; one whose key is pending already is the same chunk.
  /// @return false when the queue is full. Does not block.
  bool put(const ChunkKey& key, codec::EncodedChunk chunk);

  /// Queues a removal. Does not block.
  /// @return false when the queue is full, or closed
  bool remove(const KeyBytes& key);

  /// Fills found[i] for every pending keys[i]; the others stay as they are. Does not block.
  void find(std::span<const ChunkKey> keys, std::span<codec::EncodedChunk> found) const;

  /// Blocks until everything queued before the call has been through finish(), or `limit` is over.
  /// @return whether it has
  bool flush(std::chrono::milliseconds limit);

  /// Lets take() hand out the rest at once and then end.
  void close();

  /// Waits for a batch that is due: large enough, old enough, or wanted by flush() or close(). The
  /// writer's call.
  /// @return null when `until` has passed with nothing due, or when closed and empty (then ended()
  ///   is true)
  [[nodiscard]] const Batch* take(Clock::time_point until);
  /// The batch taken is committed, or lost; either way it is no longer pending.
  void finish();
  [[nodiscard]] bool ended() const;

 private:
  [[nodiscard]] bool idle() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return waiting_.puts.empty() && waiting_.removals.empty();
  }
  void note_change() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Options options_;
  mutable Mutex mutex_;
  CondVar changed_;
  CondVar finished_;
  Batch waiting_ ABSL_GUARDED_BY(mutex_);
  std::size_t waiting_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  // of the oldest change that waits
  std::optional<Clock::time_point> due_ ABSL_GUARDED_BY(mutex_);
  // changed by take() and finish() only
  Batch writing_ ABSL_GUARDED_BY(mutex_);
  // batches; flush() waits until as many are finished as it wants
  std::uint64_t taken_ ABSL_GUARDED_BY(mutex_) = 0;
  std::uint64_t finished_count_ ABSL_GUARDED_BY(mutex_) = 0;
  std::uint64_t wanted_ ABSL_GUARDED_BY(mutex_) = 0;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace terrane::store
