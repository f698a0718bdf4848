#include "out_of_range_chunks.h"

#include <utility>

namespace terrane::client {

void OutOfRangeChunks::put(const Tile& tile, std::shared_ptr<const Chunk> chunk) {
  (void)take(tile);
  kept_.push_front({tile, std::move(chunk)});
  by_tile_[tile] = kept_.begin();
  if (kept_.size() > max_) {
    by_tile_.erase(kept_.back().tile);
    kept_.pop_back();
  }
}

std::shared_ptr<const Chunk> OutOfRangeChunks::take(const Tile& tile) {
  const auto at = by_tile_.find(tile);
  if (at == by_tile_.end()) return nullptr;
  auto chunk = std::move(at->second->chunk);
  kept_.erase(at->second);
  by_tile_.erase(at);
  return chunk;
}

std::shared_ptr<const Chunk> OutOfRangeChunks::find(const Tile& tile) const {
  const auto at = by_tile_.find(tile);
  return at == by_tile_.end() ? nullptr : at->second->chunk;
}

std::vector<Tile> OutOfRangeChunks::in_view(const explore::ViewRange& range) const {
  std::vector<Tile> in_view;
  for (const Kept& kept : kept_) {
    if (range.is_in_view(kept.tile)) in_view.push_back(kept.tile);
  }
  return in_view;
}

}  // namespace terrane::client
