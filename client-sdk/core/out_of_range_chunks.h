#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "explore/view_range.h"
#include "terrane/chunk.h"
#include "terrane/coord.h"

namespace terrane::client {

/// Chunks out of range, kept should the viewer come back (ExploreOptions::kept_chunks): those that
/// left longest ago go first when there are too many. Threads: one at a time.
class OutOfRangeChunks {
 public:
  explicit OutOfRangeChunks(std::size_t max) : max_(max) {}

  void put(const Tile& tile, std::shared_ptr<const Chunk> chunk);

  /// Hands a chunk out and keeps it no longer; null when it is not there.
  [[nodiscard]] std::shared_ptr<const Chunk> take(const Tile& tile);

  [[nodiscard]] std::shared_ptr<const Chunk> find(const Tile& tile) const;

  /// Those in view, the last to leave first. Looks at squares of 8 x 8 tiles, and at the chunks of
  /// those that are in view in part: a few hundred nanoseconds where none comes back.
  [[nodiscard]] std::vector<Tile> in_view(const explore::ViewRange& range) const;

  [[nodiscard]] std::size_t size() const { return by_tile_.size(); }

 private:
  struct Kept {
    Tile tile;
    std::shared_ptr<const Chunk> chunk;
    std::uint64_t number = 0;  // in the order of leaving
  };

  void forget(const Tile& tile) noexcept;

  std::size_t max_;
  std::uint64_t last_number_ = 0;
  std::list<Kept> kept_;  // the last to leave first
  std::unordered_map<Tile, std::list<Kept>::iterator> by_tile_;
  // which tiles of each square are kept, by its level and place: never none of them
  std::unordered_map<Tile, std::uint64_t> octets_;
};

}  // namespace terrane::client
