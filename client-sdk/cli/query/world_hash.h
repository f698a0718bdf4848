#pragma once

#include <xxhash.h>

#include <cstdint>
#include <map>
#include <memory>

#include "terrane/chunk.h"
#include "terrane/chunk_stream.h"

/// One number for the decoded layers of a rectangle of chunks: equal worlds, equal hash, in
/// whatever order they arrive.
///
/// Hash of a chunk: XXH3-64 (seed 0) over its layers in order of id: height (1), temperature (2),
/// humidity (3), biome (4). A layer is its id (1 byte), its number of samples (4 bytes) and its
/// samples in row order (4, 2, 2 and 1 bytes each, two's complement). Hash of a rectangle: XXH3-64
/// (seed 0) over the 8-byte hashes of its chunks in row order: y from the smallest, within a row x
/// from the smallest. All integers little-endian.
namespace terrane::cli {

[[nodiscard]] std::uint64_t hash_chunk(const Chunk& chunk);

/// Combines chunk hashes in row order, whatever order they come in. Holds only those that wait for
/// an earlier chunk.
class RowOrderHash {
 public:
  explicit RowOrderHash(const ChunkRectangle& area);

  /// @param coord  within the rectangle, once each
  void add(ChunkCoord coord, std::uint64_t chunk_hash);

  /// Once every chunk of the rectangle has been added.
  [[nodiscard]] std::uint64_t value() const;

 private:
  struct FreeState {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };

  ChunkRectangle area_;
  std::uint64_t next_ = 0;                          // row-order index of the next chunk to combine
  std::map<std::uint64_t, std::uint64_t> waiting_;  // row-order index -> hash
  std::unique_ptr<XXH3_state_t, FreeState> state_;
};

}  // namespace terrane::cli
