#pragma once

#include <string>
#include <vector>

#include "cli/map/drawing.h"
#include "terrane/locate.h"
#include "terrane/objects.h"

/// A structure's rooms -> floor plans. Pure functions.
namespace terrane::cli {

/// What a plan shows at a block. Anything else is floor: the letter of the room's piece.
inline constexpr char kNothing = ' ';
inline constexpr char kWall = '#';
inline constexpr char kDoor = '+';
inline constexpr char kOutside = '@';  // the anchor, before the outside door

/// One storey seen from above.
struct PlanLevel {
  int level = 0;                  // storeys above the lowest floor
  BlockPos from;                  // the block of rows[0][0]
  std::vector<std::string> rows;  // of growing y, a character a block
};

/// Every storey that has rooms, the lowest first. Rooms of a piece that the kind lacks are left
/// out.
[[nodiscard]] std::vector<PlanLevel> plan_levels(const StructurePlan& plan,
                                                 const StructureKind& kind);

/// The letter that stands for a piece: A to Z, then a to z, then again.
[[nodiscard]] char piece_letter(std::size_t piece);

/// The block that a room's piece covers at (u, v), before it was turned.
[[nodiscard]] BlockPos turned_block(const Room& room, const Piece& piece, int u, int v);

/// The levels side by side, `scale` pixels a block: walls dark, floors in shades of the kind's
/// colour, doors light.
[[nodiscard]] Picture draw_plan(const std::vector<PlanLevel>& levels, const StructureKind& kind,
                                int scale);

}  // namespace terrane::cli
