#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "explore/view_range.h"
#include "terrane/coord.h"

/// What one viewer sees, and has been given, of one level of detail. Plain values; no threads, no
/// clocks.
namespace terrane::explore {

/// Where a viewer stands with a tile.
enum class TileState : std::uint8_t {
  kUnknown,  // not asked for, as far as is known
  kAsked,    // on its way
  kHeld,     // given to the client, or the client's own
  kFailed,   // asked for in vain; asked for again only once it has been out of view
};

/// The tiles of one level around the tile that the viewer is in: all whose distance from it is at
/// most the radius, but for those of which a finer level shows all four quarters. Keeps a state for
/// each, and for those up to kViewMargin tiles further out, where tiles may stay that are no longer
/// in view.
class LevelView {
 public:
  /// @param radius  tiles, 0 … kMaxViewDistance; 0: nothing of this level is wanted
  /// @param hidden  within this distance finer levels show everything, in tiles of the next finer
  ///   level; 0: nowhere
  /// @param bound   largest coordinate of a tile, either sign: beyond it there is nothing to want
  LevelView(int radius, int hidden, std::int64_t bound);

  /// Puts the viewer into another tile, and its tile of the next finer level. Calls `leave` for all
  /// tiles that were asked for or held and are now out of range.
  /// @return whether other tiles may be wanted now than before
  bool move(ChunkCoord to, ChunkCoord finer,
            const std::function<void(ChunkCoord, TileState)>& leave);

  [[nodiscard]] bool wants(ChunkCoord tile) const;
  /// kUnknown for what is out of range.
  [[nodiscard]] TileState state(ChunkCoord tile) const;
  /// Leaves alone what is out of range. @return whether it is in range
  bool set(ChunkCoord tile, TileState state);

  /// Calls `see` for every tile that is wanted and unknown, row by row.
  void for_missing(const std::function<void(ChunkCoord)>& see) const;

 private:
  [[nodiscard]] bool in_range(ChunkCoord tile) const;
  [[nodiscard]] bool is_hidden(ChunkCoord tile) const;
  [[nodiscard]] std::size_t cell(ChunkCoord tile) const;

  int radius_, hidden_;
  std::int64_t bound_;
  std::int64_t width_ = 0;        // of the square of states, which is addressed modulo this
  std::optional<ChunkCoord> at_;  // none until the first move
  ChunkCoord finer_;
  std::vector<TileState> states_;
};

}  // namespace terrane::explore
