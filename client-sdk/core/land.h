#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "land_cover.h"
#include "land_patches.h"
#include "standing.h"
#include "terrane/chunk.h"
#include "terrane/coord.h"
#include "terrane/result.h"
#include "terrane/terrane.h"

namespace terrane::core {

/// The eight tiles around one, of its own level: the four beyond its edges first.
inline constexpr std::array<ChunkCoord, 8> kBeside{
    {{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}}};
inline constexpr std::array<int, 8> kOpposite{1, 0, 3, 2, 7, 6, 5, 4};
inline constexpr std::uint8_t kAllBeside = 0xff;
inline constexpr std::uint8_t kAllQuarters = 0xf;

/// A tile that is at hand, or that such lie below.
struct LandNode {
  Tile tile;
  std::shared_ptr<const Chunk> chunk;  // null: it is not at hand itself
  std::shared_ptr<const Chunk> made;   // as it was before the game's patches; null: there are none
  std::shared_ptr<const Holes> holes;  // null: there are none
  std::unique_ptr<const Standing> standing;  // null: nothing is there
  // the chunk's layers; null: it has none
  const std::int32_t* heights_q4 = nullptr;
  const std::int32_t* waters_q4 = nullptr;
  const std::uint8_t* biomes = nullptr;
  std::int32_t highest_q4 = 0;        // of its heights
  std::uint64_t serial = 0;           // another one for every other chunk, in the order of coming
  std::size_t finer = 0;              // how many tiles at hand lie below it
  std::uint8_t covered_quarters = 0;  // bit 2 * b + a: of the child (2 * x + a, 2 * y + b)
  std::uint8_t beside = 0;            // bit k: the one at kBeside[k] is at hand; of those at hand
  bool wet = false;                   // some of its samples are under water

  [[nodiscard]] bool is_covered() const { return chunk || covered_quarters == kAllQuarters; }
  [[nodiscard]] bool is_drawn() const { return chunk && covered_quarters != kAllQuarters; }
};

/// What lies at some place: the finest tile at hand there, the same all over `area`.
struct Spot {
  Tile area;
  const LandNode* node = nullptr;  // null: nothing is at hand

  [[nodiscard]] bool holds(BlockPos block, int size_log2) const {
    const int shift = size_log2 + area.lod;
    return block.x >> shift == area.coord.x && block.y >> shift == area.coord.y;
  }
};

/// The chunks at hand, of all levels of detail: a sparse quadtree. Threads: one at a time.
class Land {
 public:
  /// Takes a chunk in, for one that it had of that tile.
  /// Errors: kInvalidArgument for one without heights, of another size than the others, or outside
  /// of the world.
  Result<void> put(std::shared_ptr<const Chunk> chunk);

  /// Does nothing where it is not at hand.
  void remove(const Tile& tile) noexcept;

  /// Keeps what the game has done to the land, for chunks at hand and those that come.
  /// Errors: kInvalidArgument for what is no TERRANE_PATCH_…, kOutOfRange for a block outside of
  /// every world. Throws where memory ends: some patches count then, and it may be called again.
  Result<void> patch(const terrane_patch* patches, std::size_t count);

  /// Null: it is not at hand. As the game has patched it.
  [[nodiscard]] std::shared_ptr<const Chunk> find(const Tile& tile) const;
  [[nodiscard]] std::size_t count() const { return count_; }

  /// As terrane_land_take_changes.
  std::size_t take_changes(terrane_change* changes, std::size_t capacity) {
    return cover_.take(*this, changes, capacity);
  }
  [[nodiscard]] const LandCover& cover() const { return cover_; }

  /// Samples along an edge of all chunks, and its logarithm; 0 while there are none.
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] int size_log2() const { return size_log2_; }

  /// The levels of detail of what is at hand lie between these, both included.
  [[nodiscard]] Lod finest() const { return finest_; }
  [[nodiscard]] Lod coarsest() const { return coarsest_; }

  /// Null: neither it nor one below it is at hand. Lives until the next put or remove.
  [[nodiscard]] const LandNode* node(const Tile& tile) const;
  [[nodiscard]] Spot spot(BlockPos block) const;
  /// The finest tile at hand, but for those of finer levels than `least`; null: there is none.
  [[nodiscard]] const LandNode* at_least(BlockPos block, Lod least) const;

  /// A tile of lod 0; null: it is not at hand. Quick while those at hand lie close together.
  [[nodiscard]] const LandNode* finest_node(ChunkCoord coord) const {
    const LandNode* const last = alike_[place_of(coord)].last;
    if (last != nullptr && last->tile.coord == coord) return last;
    const LandNode* const found = node({0, coord});
    return found != nullptr && found->chunk ? found : nullptr;
  }
  [[nodiscard]] bool has_rooms() const { return with_rooms_ != 0; }
  /// Whether rooms may have their corner in a tile of lod 0: false where there are none.
  [[nodiscard]] bool may_have_rooms(ChunkCoord coord) const {
    return alike_[place_of(coord)].with_rooms != 0;
  }

  struct CoordHash {
    std::size_t operator()(const ChunkCoord& coord) const noexcept {
      return ChunkKeyHash{}({0, 0, 0, coord});
    }
  };
  using Level = std::unordered_map<ChunkCoord, LandNode, CoordHash>;
  [[nodiscard]] const Level& level(Lod lod) const { return levels_[lod]; }

 private:
  LandNode* at(const Tile& tile);
  LandNode& make(const Tile& tile);
  void forget_if_empty(const Tile& tile) noexcept;
  void patch_again(LandNode& node);
  void fill(LandNode& node, std::shared_ptr<const Chunk> made, Patched patched,
            std::unique_ptr<const Standing> standing, std::uint64_t serial) noexcept;
  void join(LandNode& node) noexcept;
  void part(LandNode& node) noexcept;
  void tell_coarser(const LandNode& node) noexcept;
  void count_level(Lod lod, int change) noexcept;
  void count_rooms(const LandNode& node, int change) noexcept;

  /// Tiles of lod 0 whose coordinates end alike.
  struct Alike {
    const LandNode* last = nullptr;  // that came; null: it has gone
    std::size_t with_rooms = 0;      // how many of them have rooms
  };
  static std::size_t place_of(ChunkCoord coord) {
    return static_cast<std::size_t>((coord.y & 15) * 16 + (coord.x & 15));
  }

  std::array<Level, kMaxLod + 1> levels_;
  std::array<std::size_t, kMaxLod + 1> counts_{};  // at hand
  std::size_t count_ = 0;
  Lod finest_ = kMaxLod, coarsest_ = 0;
  int size_ = 0, size_log2_ = 0;
  std::uint64_t last_serial_ = 0;
  LandCover cover_;
  LandPatches patches_;
  std::array<Alike, 256> alike_{};
  std::size_t with_rooms_ = 0;  // tiles of lod 0
};

/// The tile of the next coarser level that holds this one.
inline Tile coarser(const Tile& tile) {
  return {static_cast<Lod>(tile.lod + 1), {tile.coord.x >> 1, tile.coord.y >> 1}};
}

/// Calls visit(block, spot) for what lies around a tile in the direction kBeside[k]: just beyond
/// an edge from its end of smaller x or y on, or beyond a corner.
template <typename Visit>
void for_each_spot_beside(const Land& land, const Tile& tile, std::size_t k, Visit visit) {
  const std::int64_t span = std::int64_t{land.size()} << tile.lod;
  const BlockPos origin = chunk_origin(tile.coord, land.size(), tile.lod);
  const ChunkCoord to = kBeside[k];
  BlockPos block{origin.x + (to.x < 0 ? -1 : to.x * span),
                 origin.y + (to.y < 0 ? -1 : to.y * span)};
  const BlockPos end{to.x == 0 ? origin.x + span : block.x + 1,
                     to.y == 0 ? origin.y + span : block.y + 1};
  while (block.x < end.x && block.y < end.y) {
    const Spot spot = land.spot(block);
    visit(block, spot);
    const int shift = land.size_log2() + spot.area.lod;
    if (to.x == 0) {
      block.x = (spot.area.coord.x + 1) << shift;
    } else if (to.y == 0) {
      block.y = (spot.area.coord.y + 1) << shift;
    } else {
      break;
    }
  }
}

}  // namespace terrane::core

struct terrane_land {
  terrane::core::Land land;
  bool of_explorer = false;  // only that one puts chunks into it
};
