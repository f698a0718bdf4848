#pragma once

#include <cstddef>
#include <vector>

#include "explore/level_view.h"
#include "explore/view_range.h"
#include "terrane/coord.h"
#include "terrane/pose.h"

namespace terrane::explore {

/// The tiles that one moving viewer wants, in the order in which it wants them, and which of them
/// it has. A coarser level is wanted only where finer ones do not reach. Plain values: no threads,
/// no clocks, no chunks.
///
/// Order: the tile of lod 0 that the viewer is in, then those within two chunks of it. All others
/// go by d (1 - 0.6 cos a), where d is the distance from where the viewer will be in a second to
/// the middle of the tile, and a the angle between that way and where it looks; for coarse tiles by
/// less, so that the far land is there before the last of the near.
class View {
 public:
  View(int chunk_size, const ViewDistances& distances);

  /// Tiles that went out of range.
  struct Left {
    std::vector<Tile> held;   // the client may drop them
    std::vector<Tile> asked;  // nobody needs them here any more
  };
  Left move(const Pose& pose);

  /// The most wanted tiles that the viewer neither has nor was promised, at most `max`; they count
  /// as asked for now.
  [[nodiscard]] std::vector<Tile> take(std::size_t max);

  /// What became of a tile that was asked for, or what the client says that it has (kHeld) or has
  /// no longer (kUnknown).
  /// @return whether it is in range
  bool set(const Tile& tile, TileState state);
  [[nodiscard]] TileState state(const Tile& tile) const;
  [[nodiscard]] bool wants(const Tile& tile) const;

  /// Smaller is sooner.
  [[nodiscard]] double urgency(const Tile& tile) const;

 private:
  [[nodiscard]] ChunkCoord tile_of(Lod lod) const;  // that holds the viewer
  void look_again();
  void rank();

  int chunk_size_;
  Pose pose_;
  std::vector<LevelView> levels_;  // by lod, up to the coarsest that is seen
  std::vector<Tile> ranked_;       // of those missing when last looked at, the most wanted last
  bool all_ranked_ = true;         // whether that is all of them
};

}  // namespace terrane::explore
