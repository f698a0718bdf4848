#include "land_patches.h"

#include <algorithm>
#include <limits>

#include "terrane/terrane.h"

namespace terrane::core {

void LandPatches::set(BlockPos block, const Patch& patch) {
  if (patch.what == 0) {
    patches_.erase({block.y, block.x});
  } else {
    patches_[{block.y, block.x}] = patch;
  }
}

/// Calls visit(i, j, patch) for those of a tile's samples.
template <typename Visit>
void LandPatches::for_each(const Tile& tile, int size, Visit visit) const {
  if (patches_.empty()) return;
  const BlockPos origin = chunk_origin(tile.coord, size, tile.lod);
  const std::int64_t spacing = std::int64_t{1} << tile.lod, span = size * spacing;
  constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();
  auto at = patches_.lower_bound({origin.y, kFirst});
  while (at != patches_.end() && at->first.first < origin.y + span) {
    const auto [y, x] = at->first;
    if ((y - origin.y) % spacing != 0 || x >= origin.x + span) {
      at = patches_.lower_bound({y + 1, kFirst});
    } else if (x < origin.x) {
      at = patches_.lower_bound({y, origin.x});
    } else {
      if ((x - origin.x) % spacing == 0)
        visit(static_cast<int>((x - origin.x) / spacing),
              static_cast<int>((y - origin.y) / spacing), at->second);
      ++at;
    }
  }
}

Patched LandPatches::apply(const Chunk& chunk) const {
  const auto size = static_cast<std::size_t>(chunk.size);
  std::shared_ptr<Chunk> changed;
  std::shared_ptr<Holes> holes;
  const auto copy = [&]() -> Chunk& {
    if (!changed) changed = std::make_shared<Chunk>(chunk);
    return *changed;
  };
  for_each({chunk.lod, chunk.coord}, chunk.size, [&](int i, int j, const Patch& patch) {
    const std::size_t at = static_cast<std::size_t>(j) * size + static_cast<std::size_t>(i);
    if ((patch.what & TERRANE_PATCH_HEIGHT) != 0) copy().height_q4[at] = patch.height_q4;
    if (chunk.lod != 0) return;
    if ((patch.what & TERRANE_PATCH_HOLE) != 0) {
      if (!holes) holes = std::make_shared<Holes>(size * size);
      (*holes)[at] = 1;
    }
    if ((patch.what & TERRANE_PATCH_NO_PLACEMENT) != 0) {
      const BlockPos origin = chunk_origin(chunk.coord, chunk.size, chunk.lod);
      std::erase_if(copy().placements, [&](const Placement& placement) {
        return placement.anchor.x == origin.x + i && placement.anchor.y == origin.y + j;
      });
    }
  });
  // the land tells chunks apart by where they are
  if (holes && !changed) changed = std::make_shared<Chunk>(chunk);
  return {std::move(changed), std::move(holes)};
}

}  // namespace terrane::core
