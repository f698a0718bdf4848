#include "explore/level_view.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <utility>

#include "terrane/explore_limits.h"

namespace terrane::explore {

namespace {

std::int64_t modulo(std::int64_t a, std::int64_t b) { return a - floor_div(a, b) * b; }

std::uint64_t row_of(std::uint64_t bits, std::int64_t row) { return bits << (row * kOctetEdge); }

}  // namespace

LevelView::LevelView(int radius, int hidden, std::int64_t bound)
    : radius_(radius),
      hidden_(hidden),
      bound_(bound),
      // a disc's first tile may be the last of its square
      across_(radius == 0 ? 0 : (2 * (std::int64_t{radius} + kViewMargin)) / kOctetEdge + 2) {
  assert(radius >= 0 && radius <= kMaxViewDistance);
  cells_.resize(static_cast<std::size_t>(across_ * across_));
}

bool LevelView::move(ChunkCoord to, ChunkCoord finer, const Leave& leave) {
  const std::optional<ChunkCoord> from = at_;
  const bool uncovers = std::exchange(finer_, finer) != finer && hidden_ > 0;
  if (radius_ == 0) return false;
  const bool moved = !from || *from != to;
  if (!moved && !uncovers) return false;
  if (from && moved) {
    const ChunkCoord low = lowest_octet();
    at_ = to;
    leave_behind(low, leave);
  }
  at_ = to;
  want_again();
  return true;
}

/// Takes out what is no longer in range. @param low  the lowest square before the move
void LevelView::leave_behind(ChunkCoord low, const Leave& leave) {
  for (std::int64_t y = low.y; y < low.y + across_; ++y) {
    for (std::int64_t x = low.x; x < low.x + across_; ++x) {
      Cell& cell = cells_[index({x, y})];
      if ((cell.asked | cell.held) == 0) continue;
      const std::uint64_t gone = ~disc({x, y}, radius_ + kViewMargin);
      if (const std::uint64_t held = cell.held & ~cell.asked & gone; held != 0)
        leave({x, y}, held, TileState::kHeld);
      if (const std::uint64_t asked = cell.asked & ~cell.held & gone; asked != 0)
        leave({x, y}, asked, TileState::kAsked);
      cell.asked &= ~gone;
      cell.held &= ~gone;
    }
  }
}

void LevelView::want_again() {
  const ChunkCoord low = lowest_octet();
  for (std::int64_t y = low.y; y < low.y + across_; ++y) {
    for (std::int64_t x = low.x; x < low.x + across_; ++x)
      cells_[index({x, y})].wanted = wanted({x, y});
  }
}

bool LevelView::in_range(ChunkCoord tile) const {
  return radius_ > 0 && at_ && is_within(tile, *at_, std::int64_t{radius_} + kViewMargin);
}

/// Which tiles of a row finer levels show completely.
Span LevelView::hidden_in_row(std::int64_t y) const {
  if (hidden_ == 0) return {};
  const std::int64_t dy = 2 * y - finer_.y;
  const std::int64_t half = std::min(half_width(hidden_, dy), half_width(hidden_, dy + 1));
  if (half < 0) return {};
  return {-floor_div(half - finer_.x, 2), floor_div(finer_.x + half - 1, 2)};
}

/// The tiles of a square that are at most `radius` away.
std::uint64_t LevelView::disc(ChunkCoord octet, int radius) const {
  const std::int64_t x = octet.x * kOctetEdge, y = octet.y * kOctetEdge;
  const std::int64_t dx = at_->x - x, dy = at_->y - y;  // they may be a world apart
  if (dx < -radius || dx > radius + kOctetEdge || dy < -radius || dy > radius + kOctetEdge)
    return 0;
  std::uint64_t bits = 0;
  for (std::int64_t row = 0; row < kOctetEdge; ++row) {
    const std::int64_t half = half_width(radius, row - dy);
    if (half >= 0) bits |= row_of(bits_of_span({at_->x - half, at_->x + half}, x), row);
  }
  return bits;
}

std::uint64_t LevelView::wanted(ChunkCoord octet) const {
  const std::uint64_t seen = disc(octet, radius_);
  if (seen == 0) return 0;
  std::uint64_t bits = 0;
  const std::int64_t x = octet.x * kOctetEdge;
  const std::uint64_t exists = bits_of_span({-bound_, bound_}, x);
  for (std::int64_t row = 0; row < kOctetEdge; ++row) {
    const std::int64_t y = octet.y * kOctetEdge + row;
    if (y < -bound_ || y > bound_) continue;
    bits |= row_of(exists & ~bits_of_span(hidden_in_row(y), x), row);
  }
  return bits & seen;
}

bool LevelView::wants(ChunkCoord tile) const {
  return in_range(tile) && (cells_[index(octet_of(tile))].wanted & bit_in_octet(tile)) != 0;
}

ChunkCoord LevelView::lowest_octet() const {
  const std::int64_t reach = radius_ + kViewMargin;
  return octet_of({at_->x - reach, at_->y - reach});
}

std::size_t LevelView::index(ChunkCoord octet) const {
  return static_cast<std::size_t>(modulo(octet.y, across_) * across_ + modulo(octet.x, across_));
}

TileState LevelView::state(ChunkCoord tile) const {
  if (!in_range(tile)) return TileState::kUnknown;
  const Cell& cell = cells_[index(octet_of(tile))];
  const std::uint64_t bit = bit_in_octet(tile);
  if ((cell.asked & bit) != 0)
    return (cell.held & bit) != 0 ? TileState::kFailed : TileState::kAsked;
  return (cell.held & bit) != 0 ? TileState::kHeld : TileState::kUnknown;
}

bool LevelView::set(ChunkCoord tile, TileState state) {
  if (!in_range(tile)) return false;
  Cell& cell = cells_[index(octet_of(tile))];
  const std::uint64_t bit = bit_in_octet(tile);
  const bool asked = state == TileState::kAsked || state == TileState::kFailed,
             held = state == TileState::kHeld || state == TileState::kFailed;
  cell.asked = asked ? cell.asked | bit : cell.asked & ~bit;
  cell.held = held ? cell.held | bit : cell.held & ~bit;
  return true;
}

std::uint64_t LevelView::held(ChunkCoord octet) const {
  if (!at_ || radius_ == 0) return 0;
  const ChunkCoord low = lowest_octet();
  if (octet.x < low.x || octet.x >= low.x + across_ || octet.y < low.y ||
      octet.y >= low.y + across_)
    return 0;
  const Cell& cell = cells_[index(octet)];
  return cell.held & ~cell.asked;
}

bool LevelView::may_reach(ChunkCoord first, std::int64_t width, std::int64_t height) const {
  if (radius_ == 0 || !at_) return false;
  const std::int64_t reach = radius_ + kViewMargin;
  return first.x <= at_->x + reach && first.x + width > at_->x - reach &&
         first.y <= at_->y + reach && first.y + height > at_->y - reach;
}

/// Calls `change` with each cell of a row, the bits in it that are meant and in range.
template <typename Change>
void LevelView::for_row(ChunkCoord first, std::uint64_t bits, const Change& change) {
  if (radius_ == 0 || !at_) return;
  const std::int64_t half = half_width(radius_ + kViewMargin, first.y - at_->y);
  if (half < 0) return;
  const Span range{at_->x - half, at_->x + half};
  while (bits != 0) {
    const int skipped = std::countr_zero(bits);
    first.x += skipped;
    bits >>= skipped;
    const ChunkCoord octet = octet_of(first);
    const std::int64_t x = octet.x * kOctetEdge, shift = first.x - x, width = kOctetEdge - shift;
    const std::uint64_t row = ((bits << shift) & 0xff) & bits_of_span(range, x);
    if (row != 0) change(octet, cells_[index(octet)], row_of(row, first.y & (kOctetEdge - 1)));
    first.x += width;
    bits >>= width;
  }
}

void LevelView::claim_row(ChunkCoord first, std::uint64_t bits,
                          const std::function<void(ChunkCoord)>& asked) {
  for_row(first, bits, [&](ChunkCoord octet, Cell& cell, std::uint64_t mask) {
    for (std::uint64_t left = cell.asked & ~cell.held & mask; left != 0; left &= left - 1)
      asked(tile_in_octet(octet, std::countr_zero(left)));
    cell.asked &= ~mask;
    cell.held |= mask;
  });
}

bool LevelView::forget_row(ChunkCoord first, std::uint64_t bits) {
  bool any = false;
  for_row(first, bits, [&](ChunkCoord, Cell& cell, std::uint64_t mask) {
    const std::uint64_t dropped = cell.held & ~cell.asked & mask;
    any = any || dropped != 0;
    cell.held &= ~dropped;
  });
  return any;
}

}  // namespace terrane::explore
