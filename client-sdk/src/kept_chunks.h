#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sight.h"
#include "terrane/chunk.h"
#include "terrane/coord.h"

namespace terrane::client {

struct TileHash {
  std::size_t operator()(const Tile& tile) const noexcept {
    return ChunkKeyHash{}({0, 0, tile.lod, tile.coord});
  }
};

/// Chunks out of range, should the viewer come back: those that left longest ago go first when
/// there are too many. Threads: one at a time.
class KeptChunks {
 public:
  explicit KeptChunks(std::size_t most) : most_(most) {}

  void put(const Tile& tile, std::shared_ptr<const Chunk> chunk);

  /// Hands a chunk out and keeps it no longer; null when it is not there.
  [[nodiscard]] std::shared_ptr<const Chunk> take(const Tile& tile);

  [[nodiscard]] std::shared_ptr<const Chunk> find(const Tile& tile) const;

  /// Those in sight, the last to leave first.
  [[nodiscard]] std::vector<Tile> seen(const Sight& sight) const;

  [[nodiscard]] std::size_t size() const { return by_tile_.size(); }

 private:
  struct Kept {
    Tile tile;
    std::shared_ptr<const Chunk> chunk;
  };

  std::size_t most_;
  std::list<Kept> kept_;  // the last to leave first
  std::unordered_map<Tile, std::list<Kept>::iterator, TileHash> by_tile_;
};

}  // namespace terrane::client
