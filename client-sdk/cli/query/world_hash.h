#pragma once

#include <xxhash.h>

#include <cstdint>
#include <map>
#include <memory>

#include "terrane/chunk_stream.h"

namespace terrane::cli {

/// One number for the decoded layers of a rectangle of chunks (FORMAT.md, section 13): equal
/// worlds, equal hash.
///
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
