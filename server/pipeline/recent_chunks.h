#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <unordered_map>

#include "codec/chunk_codec.h"
#include "terrane/coord.h"

namespace terrane::pipeline {

/// The chunks asked for lately, in memory: found without a change of thread, so that land which many players share leaves about
/// as fast as gRPC sends. Bounded in bytes; what was not found again since it last came up for eviction goes first. Thread-safe.
class RecentChunks {
 public:
  /// @param max_bytes  of chunks and what it takes to find them; 0 keeps nothing
  explicit RecentChunks(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  /// Null where it is not there. Blocks: no.
  [[nodiscard]] codec::EncodedChunk find(const ChunkKey& key);

  /// Keeps a chunk, in place of others where it must. Blocks: no.
  void add(const ChunkKey& key, codec::EncodedChunk chunk);

  [[nodiscard]] bool enabled() const { return max_bytes_ > 0; }

 private:
  struct Entry {
    codec::EncodedChunk chunk;
    bool found = false;  // since it was added or last spared
  };

  void evict();  // needs mutex_

  const std::size_t max_bytes_;
  std::mutex mutex_;
  std::unordered_map<ChunkKey, Entry, ChunkKeyHash> entries_;
  std::deque<ChunkKey> queue_;  // the first comes up for eviction next
  std::size_t bytes_ = 0;
};

}  // namespace terrane::pipeline
