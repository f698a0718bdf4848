#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "terrane/chunk.h"
#include "terrane/coord.h"
#include "terrane/terrane.h"

namespace terrane::core {

class Land;
struct LandNode;

/// What a game has been told to draw of a land, and what it is to be told: tiles that changes touch
/// are marked at once, and looked at when the game asks. Threads: one at a time.
class LandCover {
 public:
  /// A tile is about to come, to go, or to be replaced.
  void mark_around(const Land& land, const Tile& tile) noexcept;

  /// As terrane_land_take_changes.
  std::size_t take(const Land& land, terrane_change* changes, std::size_t capacity);

  /// A tile has gone: should the same chunk come back before the game asks, that is no change.
  void remember(const Tile& tile, const std::shared_ptr<const Chunk>& chunk,
                std::uint64_t serial) noexcept;
  /// The serial number of what comes back; 0: it does not.
  [[nodiscard]] std::uint64_t serial_of(const Tile& tile,
                                        const std::shared_ptr<const Chunk>& chunk) const noexcept;

  /// A tile has gone: if the game has not heard of it, it need not.
  void forget_untold(const Tile& tile) noexcept;

  /// The quarters that a tile's mesh leaves out: covered, and the game has been told so, if it has
  /// been told of the tile at all. So a mesh that is built long after it was told leaves no hole.
  [[nodiscard]] std::uint8_t quarters_left_out(const LandNode& node) const;

 private:
  /// What a tile's mesh depends on. The same: so is the mesh.
  struct Signature {
    std::uint64_t hash = 0;
    std::uint8_t quarters = 0;  // that are covered
    bool far = false;           // depends on land that it does not touch

    friend bool operator==(const Signature&, const Signature&) = default;
  };
  /// Drawn first: of the finest level, then those that came first.
  struct Turn {
    Lod lod = 0;
    std::uint64_t serial = 0;
    Tile tile;
    friend auto operator<=>(const Turn&, const Turn&) = default;
  };
  enum class Due : std::uint8_t { kNothing, kDraw, kHide };
  struct State {
    bool told = false;
    Signature as_told;
    Due due = Due::kNothing;
    Signature next;  // if it is to be drawn
    std::uint64_t serial = 0;
    std::weak_ptr<const Chunk> gone;
    std::uint64_t gone_serial = 0;
  };

  static Signature signature(const Land& land, const LandNode& node);
  void mark_from(const Land& land, const Tile& tile, const Tile& changed);
  void mark_all(const Land& land);
  void look_at(const Land& land, const Tile& tile);
  void look_at_drawn(const Land& land, const LandNode& node);
  void set_due(const Tile& tile, State& state, Due due, std::uint64_t serial);
  terrane_change tell(const Turn& turn) noexcept;

  std::unordered_map<Tile, State> states_;  // told, or to be told
  std::unordered_set<Tile> marked_;
  std::unordered_set<Tile> far_;  // told tiles that any change may touch
  bool changed_ = false;          // something has come or gone since the last look
  bool all_marked_ = false;       // there was no memory left to mark some
  std::set<Turn> to_draw_;
  std::set<Turn> to_hide_;
};

}  // namespace terrane::core
