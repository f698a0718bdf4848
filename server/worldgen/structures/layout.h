#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "terrane/objects.h"
#include "worldgen/structures/parameters.h"
#include "worldgen/structures/turn.h"

namespace terrane::worldgen {

/// A piece put somewhere.
struct LaidRoom {
  int x = 0, y = 0;  // corner, blocks from the layout's
  int width = 0, depth = 0;
  int level = 0, levels = 1;  // storeys [level, level + levels); the ground floor is 0
  std::uint8_t piece = 0, turn = 0, open_doors = 0;
};

/// A structure without a place.
struct Layout {
  std::vector<LaidRoom> rooms;  // the entrance first; empty: the pieces could not be made to fit
  // blocks that the rooms and the anchor cover: [0, width) x [0, depth)
  int width = 0, depth = 0;
  Cell anchor;  // the block before the outside door
};

/// Puts a structure together from its pieces: an entrance; then, as long as rooms are wanted, any
/// door that leads nowhere and any piece that fits there, turned as it must be. Rooms do not
/// overlap, those above the ground floor stand upon others all over, and none above ground lies
/// before the entrance, so that one can walk up to it. Doors that lead nowhere stay closed. A pure
/// function of its arguments. Threads: any. Blocks: no.
/// @param front  the side that the outside door is to be at; none: any
[[nodiscard]] Layout lay_out(const StructureKind& kind, const StructureRule& rule,
                             std::uint64_t key, std::optional<Side> front = std::nullopt);

}  // namespace terrane::worldgen
