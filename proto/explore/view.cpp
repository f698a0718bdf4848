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
  if (moved || !(all_ranked_ && ranked_.empty())) look_again();  // else all is there, or promised
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
  const double here = std::hypot(x - pose_.x, y - pose_.y);
  // also where four of them meet
  if (tile.lod == 0 && tile.coord == tile_of(0)) return -4 * kNear * span;
  // below all others, nearest first
  if (tile.lod == 0 && here <= kNear * span) return here - 2 * kNear * span;
  const double dx = x - (pose_.x + kAheadSeconds * pose_.velocity_x),
               dy = y - (pose_.y + kAheadSeconds * pose_.velocity_y);
  const double distance = std::hypot(dx, dy),
               look = std::hypot(pose_.direction_x, pose_.direction_y);
  const double cosine = distance > 0 && look > 0
                            ? (dx * pose_.direction_x + dy * pose_.direction_y) / (distance * look)
                            : 0;
  return distance * (1 - kBend * cosine) * kCoarseShares[tile.lod];
}

struct View::Reckoned {
  double least = 0;  // no tile of it is more urgent than this
  Octet missing;
};

/// No more than the urgency of any tile of a square. Urgency changes by 1 + kBend a block at most,
/// being a distance and a part of its component along the look.
double View::least_urgency(Lod lod, ChunkCoord octet) const {
  const double span = std::ldexp(chunk_size_, lod);
  const double x = (static_cast<double>(octet.x) + 0.5) * kOctetEdge * span,
               y = (static_cast<double>(octet.y) + 0.5) * kOctetEdge * span;
  const double reach = 5 * span;  // to the middle of any of its tiles: 3.5 of them, times sqrt 2
  const double hx = x - pose_.x, hy = y - pose_.y, near = kNear * span + reach;
  if (lod == 0 && hx * hx + hy * hy <= near * near) return -std::numeric_limits<double>::infinity();
  const double dx = hx - kAheadSeconds * pose_.velocity_x,
               dy = hy - kAheadSeconds * pose_.velocity_y;
  const double along = dx * look_x_ + dy * look_y_;
  return (std::sqrt(dx * dx + dy * dy) - kBend * along - (1 + kBend) * reach - 1) *
         kCoarseShares[lod];
}

/// The squares with tiles that are missing, as a heap: the one that may have the most wanted first.
std::vector<View::Reckoned> View::reckon() {
  std::vector<Reckoned> squares;
  for (std::size_t lod = 0; lod < levels_.size(); ++lod) {
    const auto level = static_cast<Lod>(lod);
    levels_[lod].for_missing([&](ChunkCoord octet, std::uint64_t bits) {
      squares.push_back({least_urgency(level, octet), {level, octet, bits}});
    });
  }
  work_ += squares.size();
  return squares;
}

/// Finds the most wanted of what is missing, the most wanted last.
void View::rank() {
  const double look = std::hypot(pose_.direction_x, pose_.direction_y);
  look_x_ = look > 0 ? pose_.direction_x / look : 0;
  look_y_ = look > 0 ? pose_.direction_y / look : 0;
  std::vector<Reckoned> squares = reckon();
  const auto later = [](const Reckoned& a, const Reckoned& b) { return a.least > b.least; };
  std::make_heap(squares.begin(), squares.end(), later);
  std::vector<std::pair<double, Tile>> best;  // a heap: the least wanted of them first
  best.reserve(kRankedAtOnce + 1);
  ranked_.reserve(kRankedAtOnce);  // all memory first: what is ranked is lost for nobody then
  all_ranked_ = true;
  while (!squares.empty()) {
    if (best.size() == kRankedAtOnce && squares.front().least > best.front().first) {
      all_ranked_ = false;
      break;
    }
    const Octet missing = squares.front().missing;
    std::pop_heap(squares.begin(), squares.end(), later);
    squares.pop_back();
    work_ += static_cast<std::uint64_t>(std::popcount(missing.bits));
    for (std::uint64_t bits = missing.bits; bits != 0; bits &= bits - 1) {
      const Tile tile{missing.lod, tile_in_octet(missing.at, std::countr_zero(bits))};
      best.emplace_back(urgency(tile), tile);
      std::push_heap(best.begin(), best.end());
      if (best.size() <= kRankedAtOnce) continue;
      std::pop_heap(best.begin(), best.end());
      best.pop_back();
      all_ranked_ = false;
    }
  }
  std::sort_heap(best.begin(), best.end());
  ranked_.clear();
  for (std::size_t i = best.size(); i-- > 0;) ranked_.push_back(best[i].second);
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
