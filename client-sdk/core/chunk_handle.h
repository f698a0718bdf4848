#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "terrane/chunk.h"
#include "terrane/coord.h"
#include "terrane/terrane.h"

/// A chunk as C holds it: references are counted, and the chunk never changes. Threads: any.
struct terrane_chunk {
  explicit terrane_chunk(std::shared_ptr<const terrane::Chunk> held) : chunk(std::move(held)) {}

  const std::shared_ptr<const terrane::Chunk> chunk;
  std::atomic<int> references = 1;
};

namespace terrane::core {

inline terrane_tile to_c(const Tile& tile) { return {tile.coord.x, tile.coord.y, tile.lod, 0}; }

/// A level past the last becomes one that no world has.
inline Tile from_c(const terrane_tile& tile) {
  return {tile.lod <= kMaxLod ? static_cast<Lod>(tile.lod) : static_cast<Lod>(kMaxLod + 1),
          {tile.x, tile.y}};
}

}  // namespace terrane::core
