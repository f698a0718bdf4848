#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "terrane/coord.h"
#include "terrane/pose.h"

namespace terrane::client {

/// What a viewer sees from where it is: of each level of detail a disc of tiles around the one that
/// holds the viewer. The same rule as the server's, but for tiles that finer levels hide. A plain
/// value.
class Sight {
 public:
  /// Tiles beyond the view distance that the server leaves with the viewer.
  static constexpr int kMargin = 2;

  /// @param view_distances  tiles, by lod; at most kMaxLod + 1 of them, each 0 … kMaxViewDistance
  explicit Sight(std::vector<int> view_distances) : view_distances_(std::move(view_distances)) {}

  void set_chunk_size(int samples) { chunk_size_ = samples; }
  [[nodiscard]] int chunk_size() const { return chunk_size_; }  // 0: not known yet

  /// @param pose  finite and in the world
  void set_pose(const Pose& pose) { pose_ = pose; }
  [[nodiscard]] const Pose& pose() const { return pose_; }

  /// Whether a tile of this level and place can ever be in sight.
  [[nodiscard]] bool exists(const Tile& tile) const;

  /// Whether a tile is in sight, or within `margin` tiles of that. Never before the chunk size is
  /// known.
  [[nodiscard]] bool sees(const Tile& tile, int margin = 0) const;

  /// The tile of the finest level that holds the viewer; none before the chunk size is known.
  [[nodiscard]] std::optional<Tile> underfoot() const;

  /// An upper bound of how many tiles are in sight at once, the margin included.
  [[nodiscard]] std::size_t most_tiles() const;

 private:
  [[nodiscard]] ChunkCoord tile_at(Lod lod) const;

  std::vector<int> view_distances_;
  int chunk_size_ = 0;
  Pose pose_;
};

}  // namespace terrane::client
