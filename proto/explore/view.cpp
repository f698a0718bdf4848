#include "explore/view.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace terrane::explore {

namespace {

constexpr double kAheadSeconds = 1;
constexpr double kBend = 0.6;         // of the order towards where the viewer looks
constexpr double kCoarseShare = 0.7;  // of a tile's distance that counts, for each level
constexpr double kNear = 2;           // chunks around the viewer that come before everything else
constexpr std::size_t kRankedAtOnce = 512;

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
        [&](ChunkCoord coord, TileState state) {
          (state == TileState::kHeld ? left.held : left.asked).push_back({level, coord});
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
  return distance * (1 - kBend * cosine) * std::pow(kCoarseShare, tile.lod);
}

/// Finds what is missing, the most wanted last.
void View::rank() {
  std::vector<std::pair<double, Tile>> missing;
  for (std::size_t lod = 0; lod < levels_.size(); ++lod) {
    levels_[lod].for_missing([&](ChunkCoord coord) {
      const Tile tile{static_cast<Lod>(lod), coord};
      missing.emplace_back(urgency(tile), tile);
    });
  }
  const std::size_t count = std::min(missing.size(), kRankedAtOnce);
  std::partial_sort(missing.begin(), missing.begin() + static_cast<std::ptrdiff_t>(count),
                    missing.end());
  all_ranked_ = count == missing.size();
  ranked_.clear();
  for (std::size_t i = count; i-- > 0;) ranked_.push_back(missing[i].second);
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
    ranked_.pop_back();
    if (!wants(tile) || state(tile) != TileState::kUnknown) continue;
    set(tile, TileState::kAsked);
    taken.push_back(tile);
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

bool View::wants(const Tile& tile) const {
  return tile.lod < levels_.size() && levels_[tile.lod].wants(tile.coord);
}

}  // namespace terrane::explore
