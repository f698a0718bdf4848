#include "out_of_range_chunks.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

#include "explore/tile_bits.h"

namespace terrane::client {
namespace {

Tile square_of(const Tile& tile) { return {tile.lod, explore::octet_of(tile.coord)}; }

/// Whether any tile of a square is.
bool is_in_view(const explore::ViewRange& range, const Tile& square) {
  if (range.chunk_size() == 0) return false;
  const ChunkCoord here = explore::tile_at(range.pose(), range.chunk_size(), square.lod);
  const ChunkCoord first = explore::tile_in_octet(square.coord, 0);
  constexpr std::int64_t kLast = explore::kOctetEdge - 1;
  // the nearest of them
  return range.is_in_view({square.lod,
                           {std::clamp(here.x, first.x, first.x + kLast),
                            std::clamp(here.y, first.y, first.y + kLast)}});
}

}  // namespace

void OutOfRangeChunks::put(const Tile& tile, std::shared_ptr<const Chunk> chunk) {
  forget(tile);
  if (max_ == 0) return;
  // memory first: what is kept is in all of them, or in none
  std::list<Kept> node;
  node.push_front({tile, std::move(chunk), ++last_number_});
  by_tile_.emplace(tile, node.begin());
  try {
    octets_[square_of(tile)] |= explore::bit_in_octet(tile.coord);
  } catch (...) {
    by_tile_.erase(tile);
    throw;
  }
  kept_.splice(kept_.begin(), node);
  if (kept_.size() <= max_) return;
  const Tile oldest = kept_.back().tile;
  forget(oldest);
}

void OutOfRangeChunks::forget(const Tile& tile) noexcept {
  const auto at = by_tile_.find(tile);
  if (at == by_tile_.end()) return;
  const auto square = octets_.find(square_of(tile));
  square->second &= ~explore::bit_in_octet(tile.coord);
  if (square->second == 0) octets_.erase(square);
  kept_.erase(at->second);
  by_tile_.erase(at);
}

std::shared_ptr<const Chunk> OutOfRangeChunks::take(const Tile& tile) {
  auto chunk = find(tile);
  forget(tile);
  return chunk;
}

std::shared_ptr<const Chunk> OutOfRangeChunks::find(const Tile& tile) const {
  const auto at = by_tile_.find(tile);
  return at == by_tile_.end() ? nullptr : at->second->chunk;
}

std::vector<Tile> OutOfRangeChunks::in_view(const explore::ViewRange& range) const {
  std::vector<std::pair<std::uint64_t, Tile>> found;
  for (const auto& [square, kept] : octets_) {
    if (!is_in_view(range, square)) continue;
    for (std::uint64_t bits = kept; bits != 0; bits &= bits - 1) {
      const Tile tile{square.lod, explore::tile_in_octet(square.coord, std::countr_zero(bits))};
      if (range.is_in_view(tile)) found.emplace_back(by_tile_.at(tile)->number, tile);
    }
  }
  std::sort(found.begin(), found.end(), std::greater<>());
  std::vector<Tile> tiles;
  tiles.reserve(found.size());
  for (const auto& [number, tile] : found) tiles.push_back(tile);
  return tiles;
}

}  // namespace terrane::client
