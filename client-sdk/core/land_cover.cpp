#include "land_cover.h"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

#include "chunk_handle.h"
#include "land.h"
#include "surface.h"

namespace terrane::core {
namespace {

void mix(std::uint64_t& hash, std::uint64_t value) {
  hash = (hash ^ value) * 0xff51afd7ed558ccdu;
  hash ^= hash >> 32;
}

/// Whether two tiles share a point: an edge, a corner, or more.
bool touch(const Tile& a, const Tile& b, int size) {
  const BlockPos a0 = chunk_origin(a.coord, size, a.lod), b0 = chunk_origin(b.coord, size, b.lod);
  const std::int64_t a_span = std::int64_t{size} << a.lod, b_span = std::int64_t{size} << b.lod;
  return a0.x <= b0.x + b_span && b0.x <= a0.x + a_span && a0.y <= b0.y + b_span &&
         b0.y <= a0.y + a_span;
}

bool is_below(const Tile& tile, const Tile& above) {
  const int levels = above.lod - tile.lod;
  return levels > 0 && tile.coord.x >> levels == above.coord.x &&
         tile.coord.y >> levels == above.coord.y;
}

/// Whether a change of a tile may change the mesh of one that it touches: where all neighbours of
/// its own level are at hand, those of others have no say.
bool has_a_say(const Tile& changed, const LandNode& node) {
  return node.beside != kAllBeside || changed.lod == node.tile.lod || is_below(changed, node.tile);
}

/// Every height of the mesh's outer edges.
void mix_edges(const Land& land, const LandNode& node, std::uint64_t& hash) {
  Surface surface(land);
  const int size = land.size();
  for (int t = 0; t <= size; ++t) {
    for (const auto& [i, j] : {std::pair{t, 0}, {t, size}, {0, t}, {size, t}}) {
      const Point point = surface.vertex(node, i, j);
      mix(hash, std::bit_cast<std::uint64_t>(point.height_q4));
      mix(hash, std::bit_cast<std::uint64_t>(point.water_q4));
    }
  }
}

/// What lies at the corners of a tile that are repeated from what is at hand around.
void mix_unknown_corners(const Land& land, const LandNode& node, std::uint64_t& hash) {
  const BlockPos origin = chunk_origin(node.tile.coord, land.size(), node.tile.lod);
  const std::int64_t span = std::int64_t{land.size()} << node.tile.lod;
  for (const BlockPos corner : {BlockPos{origin.x + span, origin.y},
                                {origin.x, origin.y + span},
                                {origin.x + span, origin.y + span}}) {
    if (land.spot(corner).node != nullptr) continue;
    for (const BlockPos block : {BlockPos{corner.x, corner.y - 1},
                                 {corner.x - 1, corner.y},
                                 {corner.x - 1, corner.y - 1}}) {
      const LandNode* const there = land.spot(block).node;
      mix(hash, there != nullptr && !is_below(there->tile, node.tile) ? there->serial : 0);
    }
  }
}

}  // namespace

void LandCover::mark_around(const Land& land, const Tile& tile) noexcept {
  changed_ = true;
  try {
    marked_.insert(tile);
    if (land.size() == 0) return;
    const Lod top = std::max(land.coarsest(), tile.lod);
    const int up = top - tile.lod;
    const ChunkCoord from{(tile.coord.x - 1) >> up, (tile.coord.y - 1) >> up};
    const ChunkCoord to{(tile.coord.x + 1) >> up, (tile.coord.y + 1) >> up};
    for (std::int64_t y = from.y; y <= to.y; ++y) {
      for (std::int64_t x = from.x; x <= to.x; ++x) mark_from(land, {top, {x, y}}, tile);
    }
  } catch (const std::bad_alloc&) {
    all_marked_ = true;
  }
}

void LandCover::mark_from(const Land& land, const Tile& tile, const Tile& changed) {
  const LandNode* const node = land.node(tile);
  if (node == nullptr || !touch(tile, changed, land.size())) return;
  if (node->chunk && has_a_say(changed, *node)) marked_.insert(tile);
  if (node->finer == 0 || tile.lod == 0) return;
  for (int quarter = 0; quarter < 4; ++quarter) {
    const ChunkCoord child{tile.coord.x * 2 + (quarter & 1), tile.coord.y * 2 + (quarter >> 1)};
    mark_from(land, {static_cast<Lod>(tile.lod - 1), child}, changed);
  }
}

void LandCover::mark_all(const Land& land) {
  for (const auto& [tile, state] : states_) marked_.insert(tile);
  for (Lod lod = land.finest(); lod <= land.coarsest(); ++lod) {
    for (const auto& [coord, node] : land.level(lod)) {
      if (node.chunk) marked_.insert(node.tile);
    }
  }
  all_marked_ = false;
}

std::size_t LandCover::take(const Land& land, terrane_change* changes, std::size_t capacity) {
  if (all_marked_) mark_all(land);
  if (changed_) marked_.insert(far_.begin(), far_.end());
  changed_ = false;
  while (!marked_.empty()) {
    const auto next = marked_.begin();
    look_at(land, *next);
    marked_.erase(next);
  }
  std::size_t count = 0;
  while (count < capacity && !to_draw_.empty()) changes[count++] = tell(*to_draw_.begin());
  while (count < capacity && !to_hide_.empty()) changes[count++] = tell(*to_hide_.begin());
  return count;
}

void LandCover::look_at(const Land& land, const Tile& tile) {
  const LandNode* const node = land.node(tile);
  if (node != nullptr && node->is_drawn()) {
    look_at_drawn(land, *node);
    return;
  }
  const auto found = states_.find(tile);
  if (found == states_.end()) return;
  State& state = found->second;
  if (state.told) {
    set_due(tile, state, Due::kHide, state.serial);
  } else {
    set_due(tile, state, Due::kNothing, 0);
    far_.erase(tile);
    states_.erase(found);
  }
}

void LandCover::look_at_drawn(const Land& land, const LandNode& node) {
  const Signature now = signature(land, node);
  State& state = states_[node.tile];
  if (now.far) far_.insert(node.tile);
  state.next = now;
  const bool as_told = state.told && state.as_told == now;
  set_due(node.tile, state, as_told ? Due::kNothing : Due::kDraw, node.serial);
}

void LandCover::set_due(const Tile& tile, State& state, Due due, std::uint64_t serial) {
  if (state.due == due && state.serial == serial) return;
  if (state.due == Due::kDraw) to_draw_.erase({tile.lod, state.serial, tile});
  if (state.due == Due::kHide) to_hide_.erase({tile.lod, state.serial, tile});
  state.due = Due::kNothing;
  state.serial = serial;
  if (due == Due::kDraw) to_draw_.insert({tile.lod, serial, tile});
  if (due == Due::kHide) to_hide_.insert({tile.lod, serial, tile});
  state.due = due;
}

terrane_change LandCover::tell(const Turn& turn) noexcept {
  const Tile tile = turn.tile;
  const auto found = states_.find(tile);
  State& state = found->second;
  terrane_change change{to_c(tile), TERRANE_HIDE, 0};
  if (state.due == Due::kDraw) {
    change.kind = TERRANE_DRAW;
    to_draw_.erase(to_draw_.begin());
    state.told = true;
    state.as_told = state.next;
    state.due = Due::kNothing;
    state.gone.reset();
    if (!state.as_told.far) far_.erase(tile);
  } else {
    to_hide_.erase(to_hide_.begin());
    far_.erase(tile);
    states_.erase(found);
  }
  return change;
}

void LandCover::remember(const Tile& tile, const std::shared_ptr<const Chunk>& chunk,
                         std::uint64_t serial) noexcept {
  const auto found = states_.find(tile);
  if (found == states_.end() || !found->second.told) return;
  found->second.gone = chunk;
  found->second.gone_serial = serial;
}

std::uint64_t LandCover::serial_of(const Tile& tile,
                                   const std::shared_ptr<const Chunk>& chunk) const noexcept {
  const auto found = states_.find(tile);
  return found != states_.end() && found->second.gone.lock() == chunk ? found->second.gone_serial
                                                                      : 0;
}

void LandCover::forget_untold(const Tile& tile) noexcept {
  const auto found = states_.find(tile);
  if (found != states_.end()) {
    if (found->second.told) return;
    set_due(tile, found->second, Due::kNothing, 0);
    states_.erase(found);
  }
  marked_.erase(tile);
  far_.erase(tile);
}

std::uint8_t LandCover::quarters_left_out(const LandNode& node) const {
  const auto found = states_.find(node.tile);
  if (found == states_.end() || !found->second.told) return node.covered_quarters;
  return node.covered_quarters & found->second.as_told.quarters;
}

LandCover::Signature LandCover::signature(const Land& land, const LandNode& node) {
  Signature signature{node.serial, node.covered_quarters, false};
  mix(signature.hash, node.covered_quarters);
  const int least = least_that_reaches(node.tile.lod, land.size_log2());
  for (std::size_t k = 0; k < kBeside.size(); ++k) {
    mix(signature.hash, k);
    if ((node.beside >> k & 1u) != 0) {
      const ChunkCoord coord{node.tile.coord.x + kBeside[k].x, node.tile.coord.y + kBeside[k].y};
      mix(signature.hash, land.node({node.tile.lod, coord})->serial);
      continue;
    }
    std::uint64_t last = ~std::uint64_t{0};
    for_each_spot_beside(land, node.tile, k, [&](BlockPos block, const Spot& spot) {
      const std::uint64_t serial = spot.node != nullptr ? spot.node->serial : 0;
      if (serial == last) return;
      last = serial;
      mix(signature.hash, serial);
      mix(signature.hash, static_cast<std::uint64_t>(block.x ^ block.y));
      if (spot.node == nullptr) return;
      if (spot.node->tile.lod < least) {
        const LandNode* const large = land.at_least(block, static_cast<Lod>(least));
        mix(signature.hash, large != nullptr ? large->serial : 0);
      }
      if (spot.node->tile.lod - node.tile.lod > land.size_log2()) signature.far = true;
    });
  }
  if (node.beside != kAllBeside) mix_unknown_corners(land, node, signature.hash);
  if (signature.far) mix_edges(land, node, signature.hash);
  return signature;
}

}  // namespace terrane::core
