#include "held_chunks.h"

#include <utility>

namespace terrane::client {

std::shared_ptr<const Chunk> HeldChunks::find(const Tile& tile) const {
  const auto at = held_.find(tile);
  return at == held_.end() ? kept_.find(tile) : at->second.chunk;
}

void HeldChunks::add(ArrivedChunk arrived) {
  const auto [at, is_new] = held_.try_emplace(arrived.tile);
  if (!is_new) return;  // chunks never change
  Held& held = at->second;
  if (!dropped_.contains(arrived.tile)) {  // else the game still has this one
    try {
      fresh_.emplace(last_fresh_ + 1, arrived.tile);
    } catch (...) {  // no memory: as if it had not come
      held_.erase(at);
      throw;
    }
    held.fresh = ++last_fresh_;
    held.encoded = std::move(arrived.encoded);
  }
  dropped_.erase(arrived.tile);
  held.chunk = std::move(arrived.chunk);
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
  const auto at = held_.find(tile);
  if (at == held_.end()) return false;
  if (at->second.fresh == 0) {
    dropped_.insert(tile);
  } else {
    fresh_.erase(at->second.fresh);
  }
  auto chunk = std::move(at->second.chunk);
  held_.erase(at);
  if (chunk) kept_.put(tile, std::move(chunk));
  return true;
}

void HeldChunks::drop_out_of_range(const explore::ViewRange& range) {
  for (const Tile& tile : all_held()) {
    if (!range.is_in_range(tile)) drop(tile);
  }
}

void HeldChunks::forget(const Tile& tile) {
  dropped_.erase(tile);
  const auto at = held_.find(tile);
  if (at == held_.end()) return;
  if (at->second.fresh != 0) fresh_.erase(at->second.fresh);
  held_.erase(at);
}

void HeldChunks::forget_all_but_told() {
  for (const auto& [order, tile] : fresh_) held_.erase(tile);
  fresh_.clear();
  kept_ = OutOfRangeChunks(0);
}

std::vector<Tile> HeldChunks::all_held() const {
  std::vector<Tile> tiles;
  tiles.reserve(held_.size());
  for (const auto& [tile, held] : held_) tiles.push_back(tile);
  return tiles;
}

void HeldChunks::take_news(ExploreNews& news) {
  // memory first: nothing is lost where it ends
  news.arrived.reserve(news.arrived.size() + fresh_.size());
  news.out_of_range.reserve(news.out_of_range.size() + dropped_.size());
  news.out_of_range.insert(news.out_of_range.end(), dropped_.begin(), dropped_.end());
  dropped_.clear();
  for (const auto& [order, tile] : fresh_) {
    Held& held = held_.at(tile);
    held.fresh = 0;
    news.arrived.push_back({tile, held.chunk, std::move(held.encoded)});
  }
  fresh_.clear();
}

}  // namespace terrane::client
