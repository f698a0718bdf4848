#pragma once

#include <cstdint>
#include <optional>

#include "terrane/coord.h"
#include "terrane/objects.h"

namespace terrane::rpc {

/// A square of blocks, both corners included.
struct SearchSquare {
  BlockPos first;
  BlockPos last;
};

/// Something that was looked for.
struct Hit {
  BlockPos block;
  std::uint8_t biome = 0;              // of the block, when a biome was looked for
  std::optional<Structure> structure;  // when a structure was
};

/// Square of the distance between two blocks that are at most 2^31 blocks apart.
[[nodiscard]] constexpr std::int64_t squared_distance(BlockPos a, BlockPos b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

/// Whether `a` is nearer to `origin` than `b`: by straight distance, then smallest y, then smallest
/// x.
[[nodiscard]] bool is_nearer(BlockPos origin, BlockPos a, BlockPos b);

/// Which squares to look at for the nearest hit: ring by ring, each ring's squares side by
/// side and in any order, so that the answer does not depend on who is how fast. Threads: one at a
/// time.
class NearestSearch {
 public:
  struct Area {
    BlockPos origin;
    std::int64_t radius = 0;  // blocks
    // edge of a square, in blocks; squares lie on the grid of its multiples
    std::int64_t edge = 0;
    // the world's edges, either axis; squares that lie outside are left out
    std::int64_t first_block = 0;
    std::int64_t last_block = 0;
  };

  explicit NearestSearch(const Area& area);

  /// The next square to look at, to be reported; empty while a ring is being finished by others, or
  /// when the search is over.
  [[nodiscard]] std::optional<SearchSquare> next();

  /// What the nearest hit of a square is, if it has one within the radius.
  void report(const std::optional<Hit>& hit);

  [[nodiscard]] std::size_t under_way() const { return under_way_; }
  [[nodiscard]] bool over() const { return done_ && under_way_ == 0; }
  [[nodiscard]] const std::optional<Hit>& best() const { return best_; }

  /// All that lies nearer than this many blocks has been looked at.
  [[nodiscard]] std::int64_t searched() const;

 private:
  [[nodiscard]] SearchSquare square_at(std::int64_t step) const;
  [[nodiscard]] bool matters(const SearchSquare& square) const;
  [[nodiscard]] std::int64_t least_distance_of_ring() const;
  [[nodiscard]] std::int64_t limit_squared() const;

  const Area area_;
  const BlockPos middle_;  // in squares
  std::int64_t ring_ = 0;
  std::int64_t step_ = 0;  // along the ring
  std::size_t under_way_ = 0;
  bool done_ = false;
  std::optional<Hit> best_;
};

}  // namespace terrane::rpc
