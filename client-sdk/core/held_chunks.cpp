#include "held_chunks.h"

#include <utility>

namespace terrane::client {

std::shared_ptr<const Chunk> HeldChunks::find(const Tile& tile) const {
  const auto at = held_.find(tile);
  return at == held_.end() ? kept_.find(tile) : at->second.chunk;
}

void HeldChunks::add(ArrivedChunk arrived) {
  Held& held = held_[arrived.tile];
  held.chunk = std::move(arrived.chunk);
  if (dropped_.erase(arrived.tile) > 0) return;  // chunks never change: the game still has this one
  held.encoded = std::move(arrived.encoded);
  held.fresh = ++last_fresh_;
  fresh_.emplace(held.fresh, arrived.tile);
}

bool HeldChunks::bring_back(const Tile& tile) {
  auto chunk = kept_.take(tile);
  if (!chunk) return false;
  add({tile, std::move(chunk), nullptr});
  return true;
}

std::vector<Tile> HeldChunks::bring_back(const explore::ViewRange& range) {
  std::vector<Tile> in_view = kept_.in_view(range);
  for (const Tile& tile : in_view) bring_back(tile);
  return in_view;
}

bool HeldChunks::drop(const Tile& tile) {
  auto node = held_.extract(tile);
  if (!node) return false;
  Held& held = node.mapped();
  if (held.fresh == 0) {
    dropped_.insert(tile);
  } else {
    fresh_.erase(held.fresh);
  }
  if (held.chunk) kept_.put(tile, std::move(held.chunk));
  return true;
}

void HeldChunks::drop_out_of_range(const explore::ViewRange& range) {
  for (const Tile& tile : all_held()) {
    if (!range.is_in_range(tile)) drop(tile);
  }
}

std::vector<Tile> HeldChunks::all_held() const {
  std::vector<Tile> tiles;
  tiles.reserve(held_.size());
  for (const auto& [tile, held] : held_) tiles.push_back(tile);
  return tiles;
}

void HeldChunks::take_news(ExploreNews& news) {
  news.arrived.reserve(fresh_.size());
  for (const auto& [order, tile] : fresh_) {
    Held& held = held_[tile];
    held.fresh = 0;
    news.arrived.push_back({tile, held.chunk, std::move(held.encoded)});
  }
  fresh_.clear();
  news.out_of_range.assign(dropped_.begin(), dropped_.end());
  dropped_.clear();
}

}  // namespace terrane::client
