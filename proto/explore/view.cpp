#include "explore/view.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace terrane::explore {

namespace {

constexpr double kAheadSeconds = 1;
constexpr double kBend = 0.6;         // of the order towards where the viewer looks
constexpr double kCoarseShare = 0.7;  // of a tile's distance that counts, for each level
const std::array<double, kMaxLod + 1> kCoarseShares = [] {
  std::array<double, kMaxLod + 1> shares{};
  for (std::size_t lod = 0; lod < shares.size(); ++lod)
    shares[lod] = std::pow(kCoarseShare, static_cast<double>(lod));
  return shares;
}();
constexpr double kNear = 2;  // chunks around the viewer that come before everything else
constexpr std::size_t kRankedAtOnce = 128;
constexpr double kNothing = std::numeric_limits<double>::infinity();  // is less urgent

/// How far finer levels than `lod` show everything, in tiles of the next finer level: what the
/// finest of them reach, level by level.
int hidden_within(const ViewDistances& distances, Lod lod) {
  int reach = 0;
  for (Lod finer = 0; finer < lod; ++finer)
    reach = std::max(static_cast<int>(distances[finer]), reach / 2 - (reach > 0 ? 1 : 0));
  return std::max(reach, 0);
}

}  // namespace

View::View(int chunk_size, const ViewDistances& distances) : chunk_size_(chunk_size) {
  std::size_t levels = distances.size();
  while (levels > 0 && distances[levels - 1] == 0) --levels;
  for (std::size_t lod = 0; lod < levels; ++lod) {
    levels_.emplace_back(distances[lod], hidden_within(distances, static_cast<Lod>(lod)),
                         max_chunk_coord(static_cast<Lod>(lod)));
  }
}

ChunkCoord View::tile_of(Lod lod) const { return tile_at(pose_, chunk_size_, lod); }

View::Left View::move(const Pose& pose) {
  pose_ = pose;
  const double look = std::hypot(pose_.direction_x, pose_.direction_y);
  look_x_ = look > 0 ? pose_.direction_x / look : 0;
  look_y_ = look > 0 ? pose_.direction_y / look : 0;
  const bool has_all = all_ranked_ && ranked_.empty();  // is there, or promised
  look_again();
  Left left;
  bool moved = false;
  for (std::size_t lod = 0; lod < levels_.size(); ++lod) {
    const auto level = static_cast<Lod>(lod);
    moved |= levels_[lod].move(
        tile_of(level), lod == 0 ? ChunkCoord{} : tile_of(static_cast<Lod>(level - 1)),
        [&](ChunkCoord octet, std::uint64_t bits, TileState state) {
          if (state == TileState::kHeld) {
            left.held.push_back({level, octet, bits});
            return;
          }
          for (; bits != 0; bits &= bits - 1)
            left.asked.push_back({level, tile_in_octet(octet, std::countr_zero(bits))});
        });
  }
  if (!moved && has_all) all_ranked_ = true;
  return left;
}

void View::look_again() {
  ranked_.clear();
  all_ranked_ = false;
}

double View::urgency(const Tile& tile) const {
  const double span = std::ldexp(chunk_size_, tile.lod);
  const double x = (static_cast<double>(tile.coord.x) + 0.5) * span,
               y = (static_cast<double>(tile.coord.y) + 0.5) * span;
  if (tile.lod == 0) {
    // also where four of them meet
    if (tile.coord == tile_of(0)) return -4 * kNear * span;
    // below all others, nearest first
    const double hx = x - pose_.x, hy = y - pose_.y, here = std::sqrt(hx * hx + hy * hy);
    if (here <= kNear * span) return here - 2 * kNear * span;
  }
  const double dx = x - (pose_.x + kAheadSeconds * pose_.velocity_x),
               dy = y - (pose_.y + kAheadSeconds * pose_.velocity_y);
  return (std::sqrt(dx * dx + dy * dy) - kBend * (dx * look_x_ + dy * look_y_)) *
         kCoarseShares[tile.lod];
}

struct View::Search {
  struct Ring {               // of squares; the next one of a level
    double least = kNothing;  // no tile of it is more urgent than this
    std::int64_t number = 0;
  };
  struct Square {  // with tiles that are missing
    double least = 0;
    Octet missing;

    /// The one that may have the most wanted is the first of a heap.
    bool operator<(const Square& other) const { return least > other.least; }
  };

  std::array<Ring, kMaxLod + 1> rings;
  std::vector<Square> squares;                // a heap
  std::vector<std::pair<double, Tile>> best;  // a heap: the least wanted of them first
  bool is_all = true;                         // that there is
};

/// No more than the urgency of any tile of a square. Urgency changes by 1 + kBend a block at most,
/// being a distance and a part of its component along the look.
double View::least_urgency(Lod lod, ChunkCoord octet) const {
  const double span = std::ldexp(chunk_size_, lod);
  const double x = (static_cast<double>(octet.x) + 0.5) * kOctetEdge * span,
               y = (static_cast<double>(octet.y) + 0.5) * kOctetEdge * span;
  const double reach = 5 * span;  // to the middle of any of its tiles: 3.5 of them, times sqrt 2
  const double hx = x - pose_.x, hy = y - pose_.y, near = kNear * span + reach;
  if (lod == 0 && hx * hx + hy * hy <= near * near) return -kNothing;
  const double dx = hx - kAheadSeconds * pose_.velocity_x,
               dy = hy - kAheadSeconds * pose_.velocity_y;
  const double along = dx * look_x_ + dy * look_y_;
  return (std::sqrt(dx * dx + dy * dy) - kBend * along - (1 + kBend) * reach - 1) *
         kCoarseShares[lod];
}

/// No more than the urgency of any tile of a ring of squares, nor of one further out: as above, of
/// the nearest place of the ring in the worst direction.
double View::least_urgency(Lod lod, std::int64_t ring) const {
  if (ring < 2) return -kNothing;
  const double inside = static_cast<double>((ring - 1) * kOctetEdge) * std::ldexp(chunk_size_, lod),
               ahead = kAheadSeconds * std::hypot(pose_.velocity_x, pose_.velocity_y);
  return (1 - kBend) * std::max(inside - ahead - 1, 0.0) * kCoarseShares[lod];
}

void View::close_ring(Search& search, Lod lod, std::int64_t ring) const {
  const bool exists = ring < levels_[lod].rings();
  search.rings[lod] = {exists ? least_urgency(lod, ring) : kNothing, ring};
}

void View::open_ring(Search& search, Lod lod) {
  const std::int64_t ring = search.rings[lod].number;
  levels_[lod].for_missing(ring, [&](ChunkCoord octet, std::uint64_t bits) {
    search.squares.push_back({least_urgency(lod, octet), {lod, octet, bits}});
    std::push_heap(search.squares.begin(), search.squares.end());
    ++work_;
  });
  close_ring(search, lod, ring + 1);
}

void View::open_square(Search& search) {
  auto& [rings, squares, best, is_all] = search;
  const Octet missing = squares.front().missing;
  std::pop_heap(squares.begin(), squares.end());
  squares.pop_back();
  work_ += static_cast<std::uint64_t>(std::popcount(missing.bits));
  for (std::uint64_t bits = missing.bits; bits != 0; bits &= bits - 1) {
    const Tile tile{missing.lod, tile_in_octet(missing.at, std::countr_zero(bits))};
    best.emplace_back(urgency(tile), tile);
    std::push_heap(best.begin(), best.end());
    if (best.size() <= kRankedAtOnce) continue;
    std::pop_heap(best.begin(), best.end());
    best.pop_back();
    is_all = false;
  }
}

/// Finds the most wanted of what is missing, the most wanted last.
void View::rank() {
  Search search;
  auto& [rings, squares, best, is_all] = search;
  best.reserve(kRankedAtOnce + 1);
  for (std::size_t lod = 0; lod < levels_.size(); ++lod)
    close_ring(search, static_cast<Lod>(lod), 0);
  for (;;) {
    const auto ring = std::min_element(
        rings.begin(), rings.end(),
        [](const Search::Ring& a, const Search::Ring& b) { return a.least < b.least; });
    const double least_of_squares = squares.empty() ? kNothing : squares.front().least,
                 least = std::min(ring->least, least_of_squares);
    if (least == kNothing) break;
    if (best.size() == kRankedAtOnce && least > best.front().first) {
      is_all = false;
      break;
    }
    if (ring->least <= least_of_squares) {
      open_ring(search, static_cast<Lod>(ring - rings.begin()));
    } else {
      open_square(search);
    }
  }
  std::sort_heap(best.begin(), best.end());
  // all memory first: what is ranked is lost for nobody then
  for (const auto& [urgency, tile] : best) levels_[tile.lod].make_room();
  ranked_.reserve(kRankedAtOnce);
  ranked_.clear();
  for (std::size_t i = best.size(); i-- > 0;) ranked_.push_back(best[i].second);
  all_ranked_ = is_all;
}

std::vector<Tile> View::take(std::size_t max) {
  std::vector<Tile> taken;
  while (taken.size() < max) {
    if (ranked_.empty()) {
      if (all_ranked_) break;
      rank();
      continue;
    }
    const Tile tile = ranked_.back();
    const bool is_missing = wants(tile) && state(tile) == TileState::kUnknown;
    if (is_missing) taken.push_back(tile);  // where memory ends, before anything has changed
    ranked_.pop_back();
    if (is_missing) set(tile, TileState::kAsked);
  }
  return taken;
}

bool View::set(const Tile& tile, TileState state) {
  if (tile.lod >= levels_.size() || !levels_[tile.lod].set(tile.coord, state)) return false;
  if (state == TileState::kUnknown) look_again();
  return true;
}

TileState View::state(const Tile& tile) const {
  return tile.lod < levels_.size() ? levels_[tile.lod].state(tile.coord) : TileState::kUnknown;
}

void View::claim_row(const Tile& first, std::uint64_t bits,
                     const std::function<void(const Tile&)>& asked) {
  if (first.lod >= levels_.size()) return;
  levels_[first.lod].claim_row(first.coord, bits, [&](ChunkCoord coord) {
    asked({first.lod, coord});
  });
}

void View::forget_row(const Tile& first, std::uint64_t bits) {
  if (first.lod < levels_.size() && levels_[first.lod].forget_row(first.coord, bits)) look_again();
}

bool View::may_reach(const Tile& first, std::uint32_t width, std::uint32_t height) const {
  return first.lod < levels_.size() && levels_[first.lod].may_reach(first.coord, width, height);
}

bool View::may_reach(const Pose& pose) const {
  const auto levels = static_cast<Lod>(levels_.size());
  for (Lod lod = 0; lod < levels; ++lod) {
    if (may_reach({lod, tile_at(pose, chunk_size_, lod)}, 1, 1)) return true;
  }
  return false;
}

std::uint64_t View::held(Lod lod, ChunkCoord octet) const {
  return lod < levels_.size() ? levels_[lod].held(octet) : 0;
}

std::size_t View::bytes() const {
  std::size_t bytes = ranked_.capacity() * sizeof(Tile) + levels_.capacity() * sizeof(LevelView);
  for (const LevelView& level : levels_) bytes += level.bytes();
  return bytes;
}

bool View::wants(const Tile& tile) const {
  return tile.lod < levels_.size() && levels_[tile.lod].wants(tile.coord);
}

}  // namespace terrane::explore
