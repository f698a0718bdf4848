#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
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
  /// Chunks that lie together are asked for together: one look-up finds 4 x 4 of them.
  static constexpr unsigned kBlockBits = 2;
  struct Block {
    std::array<codec::EncodedChunk, 1u << (2 * kBlockBits)> chunks;  // row by row
    std::uint16_t kept = 0;                                          // of them
    std::uint16_t found = 0;  // a bit for each: since it was added or last spared
  };
  using Blocks = absl::flat_hash_map<ChunkKey, std::unique_ptr<Block>, ChunkKeyHash>;

  [[nodiscard]] static ChunkKey block_of(const ChunkKey& key);
  [[nodiscard]] static unsigned place_of(const ChunkKey& key);
  void find_some(std::span<const ChunkKey> keys, std::span<codec::EncodedChunk> found)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void take_out(const ChunkKey& key) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void evict_or_spare_next() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::size_t max_bytes_;
  mutable Mutex mutex_;
  // by the block's own coordinates
  Blocks blocks_ ABSL_GUARDED_BY(mutex_);
  // the first comes up for eviction next
  std::deque<ChunkKey> queue_ ABSL_GUARDED_BY(mutex_);
  std::size_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace terrane::pipeline
