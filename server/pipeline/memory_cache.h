#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "codec/chunk_codec.h"
#include "terrane/coord.h"
#include "terrane/mutex.h"

namespace terrane::pipeline {

/// The chunks asked for lately, in memory: found without a change of thread, so that land which
/// many players share leaves about as fast as gRPC sends. Bounded in bytes: in the order of their
/// coming (second chance, or CLOCK), one that was found since it last came up is spared once.
/// Thread-safe.
class MemoryCache {
 public:
  /// @param max_bytes  of chunks and what it takes to find them; 0 keeps nothing
  explicit MemoryCache(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  /// Entry i answers keys[i], null where it is not there. Blocks: no.
  [[nodiscard]] std::vector<codec::EncodedChunk> find(std::span<const ChunkKey> keys);

  /// Keeps a chunk, in place of others where it must. Blocks: no.
  void add(const ChunkKey& key, codec::EncodedChunk chunk);

  /// Takes out what is of a world, or of one seed of it. Blocks: no, but looks at every entry.
  void remove(WorldFingerprint fingerprint, std::optional<std::uint64_t> seed);

  struct Usage {
    std::size_t bytes = 0;
    std::size_t chunks = 0;
  };
  [[nodiscard]] Usage usage() const;

 private:
  struct Entry {
    codec::EncodedChunk chunk;
    bool found = false;  // since it was added or last spared
  };

  void evict_or_spare_next() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::size_t max_bytes_;
  mutable Mutex mutex_;
  // found with two misses of the processor's cache, where std's takes four
  absl::flat_hash_map<ChunkKey, Entry, ChunkKeyHash> entries_ ABSL_GUARDED_BY(mutex_);
  // the first comes up for eviction next
  std::deque<ChunkKey> queue_ ABSL_GUARDED_BY(mutex_);
  std::size_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace terrane::pipeline
