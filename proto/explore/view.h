#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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
///
/// A Move costs what it changes: levels whose tile the viewer has not left are not looked at, and
/// those it has left 64 tiles at a time. Tiles are ranked 128 at a time, square by square of 8 x 8
/// in the order of what the best tile of each could be, and rings of squares around the viewer by
/// what the best of theirs could (a best-first search: nothing is opened before all that might hold
/// something better), so that the order is the exact one and what is far away costs nothing yet.
class View {
 public:
  View(int chunk_size, const ViewDistances& distances);

  /// Tiles that went out of range.
  struct Left {
    std::vector<Octet> held;  // the client may drop them
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
  /// The client has these tiles of a row: that of `first` and up to 63 after it along x, a bit for
  /// each. Out of range they count for nothing. Calls `asked` for those that were on their way.
  void claim_row(const Tile& first, std::uint64_t bits,
                 const std::function<void(const Tile&)>& asked);
  /// It has dropped these: those that it held are unknown again.
  void forget_row(const Tile& first, std::uint64_t bits);
  /// Whether any tile of a rectangle may be in range.
  [[nodiscard]] bool may_reach(const Tile& first, std::uint32_t width, std::uint32_t height) const;
  /// Whether any level may reach a place.
  [[nodiscard]] bool may_reach(const Pose& pose) const;
  /// Those tiles of a square that the client holds.
  [[nodiscard]] std::uint64_t held(Lod lod, ChunkCoord octet) const;
  [[nodiscard]] bool wants(const Tile& tile) const;

  /// Smaller is sooner.
  [[nodiscard]] double urgency(const Tile& tile) const;

  /// Bytes of memory that this holds beside itself.
  [[nodiscard]] std::size_t bytes() const;
  /// How many tiles have been ranked, and squares of them been reckoned with, so far: what the work
  /// done is proportional to.
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  struct Search;  // for the most wanted of what is missing

  [[nodiscard]] ChunkCoord tile_of(Lod lod) const;  // that holds the viewer
  void look_again();
  void rank();
  void close_ring(Search& search, Lod lod, std::int64_t ring) const;
  void open_ring(Search& search, Lod lod);
  void open_square(Search& search);
  [[nodiscard]] double least_urgency(Lod lod, std::int64_t ring) const;
  [[nodiscard]] double least_urgency(Lod lod, ChunkCoord octet) const;

  int chunk_size_;
  Pose pose_;
  std::vector<LevelView> levels_;   // by lod, up to the coarsest that is seen
  std::vector<Tile> ranked_;        // of those missing when last looked at, the most wanted last
  bool all_ranked_ = true;          // whether that is all of them
  double look_x_ = 0, look_y_ = 0;  // of length 1, or 0
  std::uint64_t work_ = 0;
};

}  // namespace terrane::explore
