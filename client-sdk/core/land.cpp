#include "land.h"

#include <algorithm>
#include <bit>
#include <set>
#include <string>
#include <utility>

namespace terrane::core {
namespace {

constexpr std::uint32_t kAllPatches =
    TERRANE_PATCH_HEIGHT | TERRANE_PATCH_HOLE | TERRANE_PATCH_NO_PLACEMENT;
constexpr std::int64_t kMaxBlock = std::int64_t{1} << 46;  // further out than any world
constexpr std::int32_t kMaxHeight = 16 * 32767;            // 1/16 block

std::uint8_t quarter_of(const Tile& child) {
  return static_cast<std::uint8_t>(1u << (2 * (child.coord.y & 1) + (child.coord.x & 1)));
}

tl::unexpected<Error> refusal(const Chunk& chunk, const std::string& why) {
  return fail(ErrorCode::kInvalidArgument, "the chunk (" + std::to_string(chunk.coord.x) + ", " +
                                               std::to_string(chunk.coord.y) + ") of lod " +
                                               std::to_string(chunk.lod) + why);
}

Result<void> check(const Chunk& chunk, int size) {
  const auto has = [&] {
    return " has " + std::to_string(chunk.size) + " samples along an edge; ";
  };
  if (chunk.size < kMinChunkSize || chunk.size > kMaxChunkSize ||
      !std::has_single_bit(static_cast<unsigned>(chunk.size)))
    return refusal(chunk, has() + "it must be 16, 32, 64 or 128");
  if (size != 0 && chunk.size != size)
    return refusal(chunk, has() + "those at hand have " + std::to_string(size));
  const std::size_t samples =
      static_cast<std::size_t>(chunk.size) * static_cast<std::size_t>(chunk.size);
  if (chunk.height_q4.size() != samples) return refusal(chunk, " has no heights");
  if ((!chunk.water_q4.empty() && chunk.water_q4.size() != samples) ||
      (!chunk.biome.empty() && chunk.biome.size() != samples))
    return refusal(chunk, " has layers of another size than its heights");
  const std::int64_t most = chunk.lod <= kMaxLod ? max_chunk_coord(chunk.lod) : -1;
  if (chunk.coord.x < -most || chunk.coord.x > most || chunk.coord.y < -most ||
      chunk.coord.y > most)
    return refusal(chunk, " lies outside of every world");
  return {};
}

bool is_wet(const Chunk& chunk) {
  for (std::size_t i = 0; i < chunk.water_q4.size(); ++i) {
    if (chunk.water_q4[i] > chunk.height_q4[i]) return true;
  }
  return false;
}

}  // namespace

const LandNode* Land::node(const Tile& tile) const {
  if (tile.lod > kMaxLod) return nullptr;
  const auto found = levels_[tile.lod].find(tile.coord);
  return found == levels_[tile.lod].end() ? nullptr : &found->second;
}

LandNode* Land::at(const Tile& tile) {
  return const_cast<LandNode*>(std::as_const(*this).node(tile));
}

std::shared_ptr<const Chunk> Land::find(const Tile& tile) const {
  const LandNode* const found = node(tile);
  return found != nullptr ? found->chunk : nullptr;
}

Spot Land::spot(BlockPos block) const {
  Spot spot;
  spot.area = {kMaxLod, chunk_of(block, std::max(size_, 1), kMaxLod)};
  bool below = true;  // nothing at hand was met yet
  for (Lod lod = finest_; lod <= coarsest_; ++lod) {
    const Tile tile{lod, {block.x >> (size_log2_ + lod), block.y >> (size_log2_ + lod)}};
    const LandNode* const found = node(tile);
    if (below && (found == nullptr || found->finer == 0)) spot.area = tile;
    if (found == nullptr) continue;
    below = false;
    if (!found->chunk) continue;
    spot.node = found;
    break;
  }
  return spot;
}

const LandNode* Land::at_least(BlockPos block, Lod least) const {
  for (Lod lod = std::max(least, finest_); lod <= coarsest_; ++lod) {
    const LandNode* const found =
        node({lod, {block.x >> (size_log2_ + lod), block.y >> (size_log2_ + lod)}});
    if (found != nullptr && found->chunk) return found;
  }
  return nullptr;
}

Result<void> Land::put(std::shared_ptr<const Chunk> chunk) {
  if (!chunk) return fail(ErrorCode::kInvalidArgument, "there is no chunk");
  if (Result<void> fits = check(*chunk, size_); !fits) return fits;
  const Tile tile{chunk->lod, chunk->coord};
  Patched patched = patches_.apply(*chunk);
  auto standing = standing_of(patched.chunk ? *patched.chunk : *chunk);
  LandNode& node = make(tile);
  const std::shared_ptr<const Chunk>& made = node.made ? node.made : node.chunk;
  if (made && (made == chunk || *made == *chunk)) return {};
  if (count_ == 0) {
    size_ = chunk->size;
    size_log2_ = std::countr_zero(static_cast<unsigned>(size_));
  }
  const bool is_new = !node.chunk;
  std::uint64_t serial = patched.chunk ? 0 : cover_.serial_of(tile, chunk);
  if (serial == 0) serial = ++last_serial_;
  if (is_new) count_level(tile.lod, 1);
  cover_.mark_around(*this, tile);
  fill(node, std::move(chunk), std::move(patched), std::move(standing), serial);
  if (is_new) join(node);
  return {};
}

Result<void> Land::patch(const terrane_patch* patches, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    const terrane_patch& patch = patches[k];
    const std::string which = "patches[" + std::to_string(k) + "]";
    if ((patch.what & ~kAllPatches) != 0) {
      return fail(ErrorCode::kInvalidArgument,
                  which + ".what = " + std::to_string(patch.what) + " is no TERRANE_PATCH_...");
    }
    const auto is_beyond = [](std::int64_t value, std::int64_t most) {
      return value < -most || value > most;
    };
    if (is_beyond(patch.block.x, kMaxBlock) || is_beyond(patch.block.y, kMaxBlock) ||
        is_beyond(patch.height_q4, kMaxHeight)) {
      return fail(ErrorCode::kOutOfRange,
                  which + " lies outside of every world, or its height beyond " +
                      std::to_string(kMaxHeight) + "/16 blocks");
    }
  }
  for (std::size_t k = 0; k < count; ++k) {
    patches_.set({patches[k].block.x, patches[k].block.y}, {patches[k].height_q4, patches[k].what});
  }
  if (count_ == 0) return {};
  std::set<Tile> touched;
  for (std::size_t k = 0; k < count; ++k) {
    const terrane_block& block = patches[k].block;
    for (Lod lod = 0; lod <= coarsest_; ++lod) {
      if (((block.x | block.y) & ((std::int64_t{1} << lod) - 1)) != 0) break;  // no sample of it
      const int shift = size_log2_ + lod;
      touched.insert({lod, {block.x >> shift, block.y >> shift}});
    }
  }
  for (const Tile& tile : touched) {
    if (LandNode* const node = at(tile); node != nullptr && node->chunk) patch_again(*node);
  }
  return {};
}

void Land::patch_again(LandNode& node) {
  auto made = node.made ? node.made : node.chunk;
  Patched patched = patches_.apply(*made);
  if (!patched.chunk && !node.made) return;
  auto standing = standing_of(patched.chunk ? *patched.chunk : *made);
  cover_.mark_around(*this, node.tile);
  fill(node, std::move(made), std::move(patched), std::move(standing), ++last_serial_);
}

void Land::remove(const Tile& tile) noexcept {
  LandNode* const node = at(tile);
  if (node == nullptr || !node->chunk) return;
  cover_.mark_around(*this, tile);
  cover_.remember(tile, node->chunk, node->serial);
  part(*node);
  count_level(tile.lod, -1);
  cover_.forget_untold(tile);
  if (count_ == 0) size_ = size_log2_ = 0;
  for (Tile next = tile; next.lod <= kMaxLod; next = coarser(next)) forget_if_empty(next);
}

/// Makes the tile's node and those of all coarser ones that hold it: only this may throw, and what
/// it has made till then does no harm.
LandNode& Land::make(const Tile& tile) {
  for (Tile above = coarser(tile); above.lod <= kMaxLod; above = coarser(above))
    levels_[above.lod].try_emplace(above.coord).first->second.tile = above;
  LandNode& node = levels_[tile.lod].try_emplace(tile.coord).first->second;
  node.tile = tile;
  return node;
}

void Land::forget_if_empty(const Tile& tile) noexcept {
  const LandNode* const node = at(tile);
  if (node != nullptr && !node->chunk && node->finer == 0) levels_[tile.lod].erase(tile.coord);
}

void Land::fill(LandNode& node, std::shared_ptr<const Chunk> made, Patched patched,
                std::unique_ptr<const Standing> standing, std::uint64_t serial) noexcept {
  count_rooms(node, -1);
  node.made = patched.chunk ? std::move(made) : nullptr;
  node.holes = std::move(patched.holes);
  std::shared_ptr<const Chunk> chunk = node.made ? std::move(patched.chunk) : std::move(made);
  node.heights_q4 = chunk->height_q4.data();
  node.waters_q4 = chunk->water_q4.empty() ? nullptr : chunk->water_q4.data();
  node.biomes = chunk->biome.empty() ? nullptr : chunk->biome.data();
  node.highest_q4 = *std::max_element(chunk->height_q4.begin(), chunk->height_q4.end());
  node.wet = is_wet(*chunk);
  node.serial = serial;
  node.standing = std::move(standing);
  node.chunk = std::move(chunk);
  count_rooms(node, 1);
}

void Land::join(LandNode& node) noexcept {
  const Tile& tile = node.tile;
  for (std::size_t k = 0; k < kBeside.size(); ++k) {
    LandNode* const other =
        at({tile.lod, {tile.coord.x + kBeside[k].x, tile.coord.y + kBeside[k].y}});
    if (other == nullptr || !other->chunk) continue;
    node.beside |= static_cast<std::uint8_t>(1u << k);
    other->beside |= static_cast<std::uint8_t>(1u << kOpposite[k]);
  }
  for (Tile above = coarser(tile); above.lod <= kMaxLod; above = coarser(above)) ++at(above)->finer;
  if (tile.lod == 0) alike_[place_of(tile.coord)].last = &node;
  tell_coarser(node);
}

void Land::part(LandNode& node) noexcept {
  const Tile& tile = node.tile;
  for (std::size_t k = 0; k < kBeside.size(); ++k) {
    LandNode* const other =
        at({tile.lod, {tile.coord.x + kBeside[k].x, tile.coord.y + kBeside[k].y}});
    if (other != nullptr) other->beside &= static_cast<std::uint8_t>(~(1u << kOpposite[k]));
  }
  for (Tile above = coarser(tile); above.lod <= kMaxLod; above = coarser(above)) --at(above)->finer;
  count_rooms(node, -1);
  if (Alike& alike = alike_[place_of(tile.coord)]; alike.last == &node) alike.last = nullptr;
  node.chunk = node.made = nullptr;
  node.holes = nullptr;
  node.standing = nullptr;
  node.heights_q4 = node.waters_q4 = nullptr;
  node.biomes = nullptr;
  node.beside = 0;
  tell_coarser(node);
}

/// Tells those above whether the tile is covered, as far as that changes anything.
void Land::tell_coarser(const LandNode& node) noexcept {
  const LandNode* child = &node;
  while (child->tile.lod < kMaxLod) {
    LandNode& above = *at(coarser(child->tile));
    const std::uint8_t quarter = quarter_of(child->tile), before = above.covered_quarters;
    above.covered_quarters =
        static_cast<std::uint8_t>(child->is_covered() ? before | quarter : before & ~quarter);
    if (above.covered_quarters == before) return;
    child = &above;
  }
}

void Land::count_rooms(const LandNode& node, int change) noexcept {
  if (!node.chunk || node.tile.lod != 0 || node.chunk->rooms.empty()) return;
  alike_[place_of(node.tile.coord)].with_rooms += static_cast<std::size_t>(change);
  with_rooms_ += static_cast<std::size_t>(change);
}

void Land::count_level(Lod lod, int change) noexcept {
  counts_[lod] += static_cast<std::size_t>(change);
  count_ += static_cast<std::size_t>(change);
  finest_ = kMaxLod, coarsest_ = 0;
  for (Lod each = 0; each <= kMaxLod; ++each) {
    if (counts_[each] == 0) continue;
    finest_ = std::min(finest_, each);
    coarsest_ = each;
  }
}

}  // namespace terrane::core
