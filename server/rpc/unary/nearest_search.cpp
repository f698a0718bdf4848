#include "rpc/unary/nearest_search.h"

#include <algorithm>
#include <tuple>

namespace terrane::rpc {
namespace {

std::int64_t squared_distance_to(const SearchSquare& square, BlockPos block) {
  return squared_distance(block, {std::clamp(block.x, square.first.x, square.last.x),
                                  std::clamp(block.y, square.first.y, square.last.y)});
}

std::int64_t squares_of_ring(std::int64_t ring) { return ring == 0 ? 1 : 8 * ring; }

}  // namespace

bool is_nearer(BlockPos origin, BlockPos a, BlockPos b) {
  const auto rank = [origin](BlockPos block) {
    return std::tuple(squared_distance(origin, block), block.y, block.x);
  };
  return rank(a) < rank(b);
}

NearestSearch::NearestSearch(const Area& area)
    : area_(area),
      middle_{floor_div(area.origin.x, area.edge), floor_div(area.origin.y, area.edge)} {}

std::optional<SearchSquare> NearestSearch::next() {
  while (!done_) {
    if (step_ == squares_of_ring(ring_)) {
      if (under_way_ > 0) return std::nullopt;  // they may find what makes the next ring needless
      ++ring_;
      step_ = 0;
      const std::int64_t distance = least_distance_of_ring();
      done_ = distance * distance > limit_squared();
      continue;
    }
    const SearchSquare square = square_at(step_++);
    if (!matters(square)) continue;
    ++under_way_;
    return square;
  }
  return std::nullopt;
}

void NearestSearch::report(const std::optional<Hit>& hit) {
  --under_way_;
  if (hit && (!best_ || is_nearer(area_.origin, hit->block, best_->block))) best_ = hit;
}

std::int64_t NearestSearch::searched() const {
  return done_ ? area_.radius : ring_ == 0 ? 0 : std::min(least_distance_of_ring(), area_.radius);
}

/// The ring's four sides one after the other.
SearchSquare NearestSearch::square_at(std::int64_t step) const {
  const std::int64_t side = ring_ == 0 ? 1 : 2 * ring_;
  const std::int64_t along = step % side - ring_;
  BlockPos at;
  switch (ring_ == 0 ? 0 : step / side) {
    case 0: at = {along, -ring_}; break;
    case 1: at = {ring_, along}; break;
    case 2: at = {-along, ring_}; break;
    default: at = {-ring_, -along}; break;
  }
  const BlockPos from{(middle_.x + at.x) * area_.edge, (middle_.y + at.y) * area_.edge};
  return {from, {from.x + area_.edge - 1, from.y + area_.edge - 1}};
}

bool NearestSearch::matters(const SearchSquare& square) const {
  const auto outside = [&](std::int64_t from, std::int64_t to) {
    return to < area_.first_block || from > area_.last_block;
  };
  return !outside(square.first.x, square.last.x) && !outside(square.first.y, square.last.y) &&
         squared_distance_to(square, area_.origin) <= limit_squared();
}

/// From `origin` to the first block behind the rings within this one.
std::int64_t NearestSearch::least_distance_of_ring() const {
  std::int64_t least = area_.radius + 1;
  for (const auto& [origin, middle] :
       {std::pair{area_.origin.x, middle_.x}, std::pair{area_.origin.y, middle_.y}}) {
    const std::int64_t from = (middle - ring_ + 1) * area_.edge;
    const std::int64_t past = (middle + ring_) * area_.edge;
    least = std::min({least, origin - from + 1, past - origin});
  }
  return least;
}

std::int64_t NearestSearch::limit_squared() const {
  return best_ ? squared_distance(area_.origin, best_->block) : area_.radius * area_.radius;
}

}  // namespace terrane::rpc
