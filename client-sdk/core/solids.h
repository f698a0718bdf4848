#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "terrane/objects.h"
#include "worldgen/world.h"

/// What of a world's things is in the way. Plain values; threads: any.
namespace terrane::core {

/// What of a kind of placement is solid: an upright cylinder about its anchor.
struct Solid {
  float radius = 0, height = 0;  // blocks, for each percent of a placement's scale; 0: nothing
  std::uint8_t part = 0;         // TERRANE_OBSTACLE_TRUNK or _ROCK; 0: nothing
};

struct Solids {
  std::array<Solid, 256> kinds;  // by kind of placement
  float widest = 0;              // blocks: the largest radius at the largest scale
  float widest_room = 0;         // blocks: the longest side of a piece
};

/// Of a tree the trunk is solid: an eighth of its crown's radius thick, a quarter of a block at
/// least where the crown has as much, and as high as the tree; of one lower than kBush blocks
/// nothing is. All else is solid as a whole. A world's biomes say which kinds are trees; where its
/// sizes are not known, they are as in a world file that says nothing of them.
inline constexpr float kTrunkShare = 0.125f, kThinTrunk = 0.25f, kBush = 2;

/// @param kinds  those of the world's description; empty: there is none
[[nodiscard]] Solids solids_of(const worldgen::World& world, std::span<const PlacementKind> kinds);

}  // namespace terrane::core
