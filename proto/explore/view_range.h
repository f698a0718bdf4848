#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "terrane/coord.h"
#include "terrane/explore_limits.h"
#include "terrane/pose.h"

/// What is in view of one moving viewer: the rules that both sides of an Explore stream follow.
/// Plain values and pure functions; no gRPC, no threads, no clock.
namespace terrane::explore {

/// How far a viewer sees each level of detail, in tiles of that level, 0 … kMaxViewDistance; 0:
/// not at all.
using ViewDistances = std::array<std::uint8_t, kMaxLod + 1>;

/// Tiles beyond the view distance up to where a tile that was sent stays in range: further out the
/// server counts it as dropped, so that a step forth and back drops nothing.
inline constexpr int kViewMargin = 2;

/// How many tiles a square holds that reaches `distance` tiles to each side of its middle.
constexpr std::size_t square_tiles(int distance) {
  const int width = 2 * distance + 1;
  return static_cast<std::size_t>(width) * static_cast<std::size_t>(width);
}

/// An upper bound of the tiles that can be in range at once, whatever the view.
inline constexpr std::size_t kMaxTilesInRange =
    (kMaxLod + std::size_t{1}) * square_tiles(kMaxViewDistance + kViewMargin);

/// Whether two tiles of a level are at most `reach` tiles apart. They may be a world apart.
[[nodiscard]] bool is_within(ChunkCoord a, ChunkCoord b, std::int64_t reach);

/// The tile of a level that holds a viewer. @param pose  finite and in the world
[[nodiscard]] ChunkCoord tile_at(const Pose& pose, int chunk_size, Lod lod);

/// Which tiles a viewer can see from where it is, for each level a disc around the tile that holds
/// it. Does not know which of them finer levels hide: View does.
class ViewRange {
 public:
  explicit ViewRange(const ViewDistances& distances) : distances_(distances) {}

  void set_chunk_size(int samples) { chunk_size_ = samples; }
  [[nodiscard]] int chunk_size() const { return chunk_size_; }  // 0: not known yet

  /// @param pose  finite and in the world
  void set_pose(const Pose& pose) { pose_ = pose; }
  [[nodiscard]] const Pose& pose() const { return pose_; }

  /// Whether a tile of this level and place can ever be in view.
  [[nodiscard]] bool exists(const Tile& tile) const;

  /// Whether a tile is in view, or within `margin` tiles of that. Never before the chunk size is
  /// known.
  [[nodiscard]] bool is_in_view(const Tile& tile, int margin = 0) const;
  [[nodiscard]] bool is_in_range(const Tile& tile) const { return is_in_view(tile, kViewMargin); }

  /// The tile of the finest level that holds the viewer; none before the chunk size is known.
  [[nodiscard]] std::optional<Tile> underfoot() const;

  /// An upper bound of how many tiles are in range at once.
  [[nodiscard]] std::size_t max_tiles() const;

 private:
  ViewDistances distances_;
  int chunk_size_ = 0;
  Pose pose_;
};

}  // namespace terrane::explore
