#pragma once

#include <cstdint>
#include <vector>

#include "terrane/coord.h"

namespace terrane::admin {

/// Chunks of level of detail 0 from one corner to the other, both included.
struct ChunkArea {
  ChunkCoord from, to;
};

/// The chunks of an area at several levels of detail, by number: level after level, of each one
/// square of 32 x 32 chunks after the other, so that neighbours come together. Constant once made.
class AreaOrder {
 public:
  /// @param lods  of a coarser one come all chunks that lie in the area, even in part
  AreaOrder(const ChunkArea& area, const std::vector<Lod>& lods);

  /// How many there are; less than 2^64 for at most 2^40 chunks a level.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// @param index  less than size()
  [[nodiscard]] Tile at(std::uint64_t index) const;

 private:
  struct Level {
    Lod lod = 0;
    ChunkCoord from;
    std::uint64_t width = 0, height = 0;
  };
  [[nodiscard]] static ChunkCoord at(const Level& level, std::uint64_t index);

  std::vector<Level> levels_;
  std::uint64_t size_ = 0;
};

}  // namespace terrane::admin
