#include "explore/view_range.h"

#include <cmath>

namespace terrane::explore {
namespace {

bool in_world(std::int64_t coordinate, Lod lod) {
  return coordinate >= -max_chunk_coord(lod) && coordinate <= max_chunk_coord(lod);
}

std::int64_t to_block(double position) { return static_cast<std::int64_t>(std::floor(position)); }

}  // namespace

bool is_within(ChunkCoord a, ChunkCoord b, std::int64_t reach) {
  // Nothing is squared before it is known to be small.
  const std::int64_t dx = a.x > b.x ? a.x - b.x : b.x - a.x, dy = a.y > b.y ? a.y - b.y : b.y - a.y;
  return dx <= reach && dy <= reach && dx * dx + dy * dy <= reach * reach;
}

ChunkCoord tile_at(const Pose& pose, int chunk_size, Lod lod) {
  return chunk_of({to_block(pose.x), to_block(pose.y)}, chunk_size, lod);
}

bool ViewRange::exists(const Tile& tile) const {
  return tile.lod < distances_.size() && distances_[tile.lod] > 0 &&
         in_world(tile.coord.x, tile.lod) && in_world(tile.coord.y, tile.lod);
}

bool ViewRange::is_in_view(const Tile& tile, int margin) const {
  return chunk_size_ > 0 && exists(tile) &&
         is_within(tile.coord, tile_at(pose_, chunk_size_, tile.lod),
                   distances_[tile.lod] + margin);
}

std::optional<Tile> ViewRange::underfoot() const {
  if (chunk_size_ == 0) return std::nullopt;
  for (Lod lod = 0; lod <= kMaxLod; ++lod) {
    if (distances_[lod] > 0) return Tile{lod, tile_at(pose_, chunk_size_, lod)};
  }
  return std::nullopt;
}

std::size_t ViewRange::max_tiles() const {
  std::size_t tiles = 0;
  for (const int distance : distances_) {
    if (distance > 0) tiles += square_tiles(distance + kViewMargin);
  }
  return tiles;
}

}  // namespace terrane::explore
