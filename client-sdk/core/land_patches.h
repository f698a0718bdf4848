#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "terrane/chunk.h"
#include "terrane/coord.h"

namespace terrane::core {

/// Which cells of a tile have no ground: S x S, row by row, 1 where there is none.
using Holes = std::vector<std::uint8_t>;

/// A chunk as the game has changed it.
struct Patched {
  std::shared_ptr<const Chunk> chunk;  // null: as it was made
  std::shared_ptr<const Holes> holes;  // null: there are none
};

/// What a game has done to the land, by block. Threads: one at a time.
class LandPatches {
 public:
  struct Patch {
    std::int32_t height_q4 = 0;
    std::uint32_t what = 0;  // TERRANE_PATCH_…; 0: nothing
  };

  /// In the place of what was there. Throws where memory ends; then it is as it was.
  void set(BlockPos block, const Patch& patch);

  /// @param chunk  as it was made
  [[nodiscard]] Patched apply(const Chunk& chunk) const;

 private:
  using At = std::pair<std::int64_t, std::int64_t>;  // y, x

  template <typename Visit>
  void for_each(const Tile& tile, int size, Visit visit) const;

  std::map<At, Patch> patches_;
};

}  // namespace terrane::core
