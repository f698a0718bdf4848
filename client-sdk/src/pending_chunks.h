#pragma once

#include <cstddef>
#include <variant>
#include <vector>

#include "terrane/chunk_stream.h"

namespace terrane::client {

/// The chunks of one request that have not been answered yet. Threads: one at a time; blocks on
/// nothing.
class PendingChunks {
 public:
  /// Errors: kInvalidArgument for an empty list, a rectangle whose corners are swapped, or far more
  /// chunks than servers take.
  [[nodiscard]] static Result<PendingChunks> of(
      const std::variant<std::vector<ChunkCoord>, ChunkRectangle>& area);

  /// Takes a chunk off. False when it was not asked for, or was answered before.
  [[nodiscard]] bool take(ChunkCoord coord);

  [[nodiscard]] bool contains(ChunkCoord coord) const;
  [[nodiscard]] std::size_t size() const { return left_; }
  [[nodiscard]] std::size_t asked() const { return coords_.size(); }  // repeats removed
  [[nodiscard]] std::vector<ChunkCoord> rest() const;

  /// The chunk that matters most unless the caller says otherwise: the first of a list, the middle
  /// of a rectangle.
  [[nodiscard]] ChunkCoord focus() const { return focus_; }

 private:
  PendingChunks(std::vector<ChunkCoord> coords, ChunkCoord focus);

  std::vector<ChunkCoord> coords_;  // sorted, no repeats
  std::vector<bool> waiting_;       // in step with coords_
  std::size_t left_;
  ChunkCoord focus_;
};

}  // namespace terrane::client
