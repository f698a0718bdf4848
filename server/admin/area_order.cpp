#include "admin/area_order.h"

#include <algorithm>

namespace terrane::admin {
namespace {

constexpr std::uint64_t kSquare = 32;  // chunks along an edge

std::int64_t coarser(std::int64_t chunk, Lod lod) {
  return floor_div(chunk, std::int64_t{1} << lod);
}

}  // namespace

AreaOrder::AreaOrder(const ChunkArea& area, const std::vector<Lod>& lods) {
  for (const Lod lod : lods) {
    const ChunkCoord from{coarser(area.from.x, lod), coarser(area.from.y, lod)};
    const auto width = static_cast<std::uint64_t>(coarser(area.to.x, lod) - from.x) + 1;
    const auto height = static_cast<std::uint64_t>(coarser(area.to.y, lod) - from.y) + 1;
    levels_.push_back({lod, from, width, height});
    size_ += width * height;
  }
}

Tile AreaOrder::at(std::uint64_t index) const {
  for (const Level& level : levels_) {
    const std::uint64_t chunks = level.width * level.height;
    if (index < chunks) return {level.lod, at(level, index)};
    index -= chunks;
  }
  return {};
}

/// Bands of 32 rows, in each of them squares from west to east; at the edges these are smaller.
ChunkCoord AreaOrder::at(const Level& level, std::uint64_t index) {
  const std::uint64_t band = index / (level.width * kSquare);
  index -= band * level.width * kSquare;
  const std::uint64_t rows = std::min(kSquare, level.height - band * kSquare);
  const std::uint64_t square = index / (rows * kSquare);
  index -= square * rows * kSquare;
  const std::uint64_t columns = std::min(kSquare, level.width - square * kSquare);
  const std::uint64_t x = square * kSquare + index % columns;
  const std::uint64_t y = band * kSquare + index / columns;
  return {level.from.x + static_cast<std::int64_t>(x), level.from.y + static_cast<std::int64_t>(y)};
}

}  // namespace terrane::admin
