#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "explore/tile_bits.h"
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
///
/// States are two bits a tile, in squares of 8 x 8 that are addressed modulo the view's width: the
/// largest level takes 5 KiB, from the first state on. What is wanted is reckoned where it is asked
/// for, 64 tiles at a time.
class LevelView {
 public:
  /// @param radius  tiles, 0 … kMaxViewDistance; 0: nothing of this level is wanted
  /// @param hidden  within this distance finer levels show everything, in tiles of the next finer
  ///   level; 0: nowhere
  /// @param bound   largest coordinate of a tile, either sign: beyond it there is nothing to want
  LevelView(int radius, int hidden, std::int64_t bound);

  /// Given the tiles of a square that have left, in no order.
  using Leave = std::function<void(ChunkCoord octet, std::uint64_t bits, TileState)>;

  /// Puts the viewer into another tile, and its tile of the next finer level. Calls `leave` for all
  /// tiles that were asked for or held and are now out of range.
  /// @return whether other tiles may be wanted now than before
  bool move(ChunkCoord to, ChunkCoord finer, const Leave& leave);

  [[nodiscard]] bool wants(ChunkCoord tile) const;
  /// kUnknown for what is out of range.
  [[nodiscard]] TileState state(ChunkCoord tile) const;
  /// Leaves alone what is out of range. Throws std::bad_alloc where there was no state before, and
  /// has then done nothing; not after make_room(). @return whether it is in range
  bool set(ChunkCoord tile, TileState state);
  /// Takes the memory for states. Throws std::bad_alloc.
  void make_room();

  /// Those tiles of a square that are held.
  [[nodiscard]] std::uint64_t held(ChunkCoord octet) const;

  /// The client has these tiles of a row: (x, y) and up to 63 after it, a bit for each. Calls
  /// `asked` for those that were on their way. Memory as set().
  void claim_row(ChunkCoord first, std::uint64_t bits,
                 const std::function<void(ChunkCoord)>& asked);
  /// It has dropped these. @return whether any of them was held
  bool forget_row(ChunkCoord first, std::uint64_t bits);
  /// Whether a rectangle may hold tiles in range: false spares looking at its rows.
  [[nodiscard]] bool may_reach(ChunkCoord first, std::int64_t width, std::int64_t height) const;

  /// How many rings of squares there are that may hold tiles that are wanted: the square that the
  /// viewer is in, those around it, and so on outwards.
  [[nodiscard]] std::int64_t rings() const {
    return radius_ == 0 || !at_ ? 0 : (radius_ + 2 * kOctetEdge - 1) / kOctetEdge;
  }
  /// Calls `see` for every square of a ring with tiles that are wanted and unknown. Between the
  /// viewer and the middle of any of them lie at least ring - 1 squares.
  template <typename See>  // void(ChunkCoord octet, std::uint64_t bits)
  void for_missing(std::int64_t ring, const See& see) const {
    const ChunkCoord middle = octet_of(*at_);
    for (std::int64_t y = -ring; y <= ring; ++y) {
      const bool is_edge = y == -ring || y == ring;
      for (std::int64_t x = -ring; x <= ring; x += is_edge ? 1 : 2 * ring) {
        const ChunkCoord octet{middle.x + x, middle.y + y};
        if (const std::uint64_t bits = missing(octet); bits != 0) see(octet, bits);
      }
    }
  }

  /// Bytes of memory that this holds beside itself.
  [[nodiscard]] std::size_t bytes() const { return cells_.capacity() * sizeof(Cell); }

 private:
  struct Cell {               // of a square
    std::uint64_t asked = 0;  // kAsked and kFailed
    std::uint64_t held = 0;   // kHeld and kFailed
  };

  [[nodiscard]] bool in_range(ChunkCoord tile) const;
  [[nodiscard]] Span hidden_in_row(std::int64_t y) const;
  [[nodiscard]] std::uint64_t disc(ChunkCoord octet, int radius) const;
  [[nodiscard]] std::uint64_t hidden(ChunkCoord octet) const;
  [[nodiscard]] std::uint64_t wanted(ChunkCoord octet) const;
  [[nodiscard]] std::uint64_t missing(ChunkCoord octet) const;
  [[nodiscard]] ChunkCoord lowest_octet() const;
  [[nodiscard]] std::size_t index(ChunkCoord octet) const;
  void leave_behind(ChunkCoord low, const Leave& leave);
  template <typename Change>
  void for_row(ChunkCoord first, std::uint64_t bits, const Change& change);

  int radius_, hidden_;
  std::int64_t bound_;
  std::int64_t across_ = 0;       // squares along each edge: all that a disc may touch
  std::optional<ChunkCoord> at_;  // none until the first move
  ChunkCoord finer_;
  std::vector<Cell> cells_;  // empty: all are unknown
};

}  // namespace terrane::explore
