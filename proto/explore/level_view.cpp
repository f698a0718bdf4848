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

constexpr std::uint64_t kAll = ~std::uint64_t{0};

/// All, or 0, where a disc around (0, 0) holds all or nothing of the square from `low` on that is
/// `edge` tiles wide; nothing where it holds a part.
std::optional<std::uint64_t> all_or_none(ChunkCoord low, std::int64_t edge, std::int64_t radius) {
  const ChunkCoord high{low.x + edge - 1, low.y + edge - 1};
  if (low.x > radius || high.x < -radius || low.y > radius || high.y < -radius) return 0;
  // no further away than the radius and an edge now: the squares of it are numbers
  const std::int64_t far_x = std::max(-low.x, high.x), far_y = std::max(-low.y, high.y);
  if (far_x * far_x + far_y * far_y <= radius * radius) return kAll;
  const std::int64_t near_x = std::max({low.x, -high.x, std::int64_t{0}}),
                     near_y = std::max({low.y, -high.y, std::int64_t{0}});
  if (near_x * near_x + near_y * near_y > radius * radius) return 0;
  return std::nullopt;
}

}  // namespace

LevelView::LevelView(int radius, int hidden, std::int64_t bound)
    : radius_(radius),
      hidden_(hidden),
      bound_(bound),
      // a disc's first tile may be the last of its square
      across_(radius == 0 ? 0 : (2 * (std::int64_t{radius} + kViewMargin)) / kOctetEdge + 2) {
  assert(radius >= 0 && radius <= kMaxViewDistance);
}

void LevelView::make_room() {
  if (cells_.empty()) cells_.resize(static_cast<std::size_t>(across_ * across_));
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
    try {
      leave_behind(low, leave);
    } catch (...) {  // what has been taken out is unknown, and all else where it was
      at_ = from;
      throw;
    }
  }
  at_ = to;
  return true;
}

/// Takes out what is no longer in range. @param low  the lowest square before the move
void LevelView::leave_behind(ChunkCoord low, const Leave& leave) {
  if (cells_.empty()) return;
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
  const auto whole = all_or_none({x - at_->x, y - at_->y}, kOctetEdge, radius);
  if (whole) return *whole;
  std::uint64_t bits = 0;
  for (std::int64_t row = 0; row < kOctetEdge; ++row) {
    const std::int64_t half = half_width(radius, y + row - at_->y);
    if (half >= 0) bits |= row_of(bits_of_span({at_->x - half, at_->x + half}, x), row);
  }
  return bits;
}

/// Those of which finer levels show all four quarters.
std::uint64_t LevelView::hidden(ChunkCoord octet) const {
  if (hidden_ == 0) return 0;
  const std::int64_t x = octet.x * kOctetEdge, y = octet.y * kOctetEdge;
  const auto whole = all_or_none({2 * x - finer_.x, 2 * y - finer_.y}, 2 * kOctetEdge, hidden_);
  if (whole) return *whole;
  std::uint64_t bits = 0;
  for (std::int64_t row = 0; row < kOctetEdge; ++row)
    bits |= row_of(bits_of_span(hidden_in_row(y + row), x), row);
  return bits;
}

std::uint64_t LevelView::wanted(ChunkCoord octet) const {
  const std::uint64_t seen = disc(octet, radius_);
  if (seen == 0) return 0;
  const std::int64_t x = octet.x * kOctetEdge, y = octet.y * kOctetEdge, last = kOctetEdge - 1;
  std::uint64_t exist = kAll;
  if (x < -bound_ || x + last > bound_ || y < -bound_ || y + last > bound_) {
    exist = 0;
    for (std::int64_t row = 0; row < kOctetEdge; ++row)
      if (y + row >= -bound_ && y + row <= bound_)
        exist |= row_of(bits_of_span({-bound_, bound_}, x), row);
  }
  return seen & exist & ~hidden(octet);
}

/// What of a square is wanted, and unknown. Out of range the cell is another square's, and nothing
/// is wanted.
std::uint64_t LevelView::missing(ChunkCoord octet) const {
  if (cells_.empty()) return wanted(octet);
  const Cell& cell = cells_[index(octet)];
  const std::uint64_t known = cell.asked | cell.held;
  return known == kAll ? 0 : wanted(octet) & ~known;
}

bool LevelView::wants(ChunkCoord tile) const {
  return in_range(tile) && (wanted(octet_of(tile)) & bit_in_octet(tile)) != 0;
}

ChunkCoord LevelView::lowest_octet() const {
  const std::int64_t reach = radius_ + kViewMargin;
  return octet_of({at_->x - reach, at_->y - reach});
}

std::size_t LevelView::index(ChunkCoord octet) const {
  return static_cast<std::size_t>(modulo(octet.y, across_) * across_ + modulo(octet.x, across_));
}

TileState LevelView::state(ChunkCoord tile) const {
  if (cells_.empty() || !in_range(tile)) return TileState::kUnknown;
  const Cell& cell = cells_[index(octet_of(tile))];
  const std::uint64_t bit = bit_in_octet(tile);
  if ((cell.asked & bit) != 0)
    return (cell.held & bit) != 0 ? TileState::kFailed : TileState::kAsked;
  return (cell.held & bit) != 0 ? TileState::kHeld : TileState::kUnknown;
}

bool LevelView::set(ChunkCoord tile, TileState state) {
  if (!in_range(tile)) return false;
  if (state != TileState::kUnknown) make_room();
  if (cells_.empty()) return true;
  Cell& cell = cells_[index(octet_of(tile))];
  const std::uint64_t bit = bit_in_octet(tile);
  const bool asked = state == TileState::kAsked || state == TileState::kFailed,
             held = state == TileState::kHeld || state == TileState::kFailed;
  cell.asked = asked ? cell.asked | bit : cell.asked & ~bit;
  cell.held = held ? cell.held | bit : cell.held & ~bit;
  return true;
}

std::uint64_t LevelView::held(ChunkCoord octet) const {
  if (!at_ || cells_.empty()) return 0;
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
  make_room();
  for_row(first, bits, [&](ChunkCoord octet, Cell& cell, std::uint64_t mask) {
    for (std::uint64_t left = cell.asked & ~cell.held & mask; left != 0; left &= left - 1)
      asked(tile_in_octet(octet, std::countr_zero(left)));
    cell.asked &= ~mask;
    cell.held |= mask;
  });
}

bool LevelView::forget_row(ChunkCoord first, std::uint64_t bits) {
  if (cells_.empty()) return false;
  bool any = false;
  for_row(first, bits, [&](ChunkCoord, Cell& cell, std::uint64_t mask) {
    const std::uint64_t dropped = cell.held & ~cell.asked & mask;
    any = any || dropped != 0;
    cell.held &= ~dropped;
  });
  return any;
}

}  // namespace terrane::explore
