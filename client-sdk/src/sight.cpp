#include "sight.h"

#include <cmath>
#include <cstdint>
#include <utility>

namespace terrane::client {
namespace {

/// Coordinates may be a world apart: nothing is squared before it is known to be small.
bool within(ChunkCoord a, ChunkCoord b, std::int64_t reach) {
  const std::int64_t dx = a.x > b.x ? a.x - b.x : b.x - a.x, dy = a.y > b.y ? a.y - b.y : b.y - a.y;
  return dx <= reach && dy <= reach && dx * dx + dy * dy <= reach * reach;
}

bool in_world(std::int64_t coordinate, Lod lod) {
  return coordinate >= -max_chunk_coord(lod) && coordinate <= max_chunk_coord(lod);
}

std::int64_t to_block(double position) { return static_cast<std::int64_t>(std::floor(position)); }

}  // namespace

bool Sight::exists(const Tile& tile) const {
  return tile.lod < view_distances_.size() && view_distances_[tile.lod] > 0 &&
         in_world(tile.coord.x, tile.lod) && in_world(tile.coord.y, tile.lod);
}

bool Sight::sees(const Tile& tile, int margin) const {
  return chunk_size_ > 0 && exists(tile) &&
         within(tile.coord, tile_at(tile.lod), view_distances_[tile.lod] + margin);
}

std::optional<Tile> Sight::underfoot() const {
  if (chunk_size_ == 0) return std::nullopt;
  Lod finest = 0;
  while (view_distances_[finest] == 0) ++finest;
  return Tile{finest, tile_at(finest)};
}

std::size_t Sight::most_tiles() const {
  std::size_t tiles = 0;
  for (const int distance : view_distances_) {
    const auto width = static_cast<std::size_t>(2 * (distance + kMargin) + 1);
    if (distance > 0) tiles += width * width;
  }
  return tiles;
}

ChunkCoord Sight::tile_at(Lod lod) const {
  return chunk_of({to_block(pose_.x), to_block(pose_.y)}, chunk_size_, lod);
}

}  // namespace terrane::client
