#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "codec/chunk_codec.h"
#include "store/snapshot_reader.h"
#include "terrane/coord.h"
#include "terrane/mutex.h"

namespace terrane::store {

class UseClock;

/// What can be read of a cache while it is being checked, and the end of that: before anybody may
/// write to the file, all who read it like this have ended. Thread-safe.
class Snapshot {
 public:
  /// To be called once at most.
  void offer(SnapshotReader reader);

  /// SnapshotReader::find(), or null when there is nothing to read from (any more). Waits while
  /// retire() does its work.
  std::optional<std::size_t> find(std::span<const ChunkKey> keys,
                                  std::span<codec::EncodedChunk> found, UseClock& uses);

  /// Waits for those who read, takes what they read from away, and does `work` before anybody is
  /// told that it is gone.
  void retire(const std::function<void()>& work);

 private:
  const SnapshotReader* begin();  // null when there is none; else end() is to follow
  void end();

  Mutex mutex_;
  CondVar changed_;
  // stays while anybody reads
  std::unique_ptr<const SnapshotReader> reader_ ABSL_GUARDED_BY(mutex_);
  std::size_t reading_ ABSL_GUARDED_BY(mutex_) = 0;
  bool retiring_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace terrane::store
