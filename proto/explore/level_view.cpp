#include "explore/level_view.h"

#include <cassert>
#include <cstddef>
#include <utility>

#include "terrane/explore_limits.h"

namespace terrane::explore {

namespace {

std::int64_t modulo(std::int64_t a, std::int64_t b) { return a - floor_div(a, b) * b; }

}  // namespace

LevelView::LevelView(int radius, int hidden, std::int64_t bound)
    : radius_(radius),
      hidden_(hidden),
      bound_(bound),
      width_(radius == 0 ? 0 : 2 * (std::int64_t{radius} + kViewMargin) + 1) {
  assert(radius >= 0 && radius <= kMaxViewDistance);
  states_.resize(static_cast<std::size_t>(width_ * width_), TileState::kUnknown);
}

bool LevelView::move(ChunkCoord to, ChunkCoord finer,
                     const std::function<void(ChunkCoord, TileState)>& leave) {
  const std::optional<ChunkCoord> from = at_;
  const bool uncovers = std::exchange(finer_, finer) != finer && hidden_ > 0;
  if (radius_ == 0) return false;
  if (from && *from == to) return uncovers;
  at_ = to;
  if (!from) return true;
  const std::int64_t reach = radius_ + kViewMargin;
  for (std::int64_t y = from->y - reach; y <= from->y + reach; ++y) {
    for (std::int64_t x = from->x - reach; x <= from->x + reach; ++x) {
      if (in_range({x, y})) continue;
      TileState& state = states_[cell({x, y})];
      if (state == TileState::kAsked || state == TileState::kHeld) leave({x, y}, state);
      state = TileState::kUnknown;
    }
  }
  return true;
}

bool LevelView::in_range(ChunkCoord tile) const {
  return radius_ > 0 && at_ && is_within(tile, *at_, std::int64_t{radius_} + kViewMargin);
}

bool LevelView::is_hidden(ChunkCoord tile) const {
  if (hidden_ == 0) return false;
  for (const std::int64_t y : {2 * tile.y, 2 * tile.y + 1}) {
    for (const std::int64_t x : {2 * tile.x, 2 * tile.x + 1}) {
      if (!is_within({x, y}, finer_, hidden_)) return false;
    }
  }
  return true;
}

bool LevelView::wants(ChunkCoord tile) const {
  const bool exists =
      tile.x >= -bound_ && tile.x <= bound_ && tile.y >= -bound_ && tile.y <= bound_;
  return exists && radius_ > 0 && at_ && is_within(tile, *at_, radius_) && !is_hidden(tile);
}

std::size_t LevelView::cell(ChunkCoord tile) const {
  return static_cast<std::size_t>(modulo(tile.y, width_) * width_ + modulo(tile.x, width_));
}

TileState LevelView::state(ChunkCoord tile) const {
  return in_range(tile) ? states_[cell(tile)] : TileState::kUnknown;
}

bool LevelView::set(ChunkCoord tile, TileState state) {
  if (!in_range(tile)) return false;
  states_[cell(tile)] = state;
  return true;
}

void LevelView::for_missing(const std::function<void(ChunkCoord)>& see) const {
  if (!at_) return;
  for (std::int64_t y = at_->y - radius_; y <= at_->y + radius_; ++y) {
    for (std::int64_t x = at_->x - radius_; x <= at_->x + radius_; ++x) {
      if (wants({x, y}) && states_[cell({x, y})] == TileState::kUnknown) see({x, y});
    }
  }
}

}  // namespace terrane::explore
