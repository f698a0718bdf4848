#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "terrane/objects.h"
#include "terrane/terrane.h"
#include "world_handle.h"

/// Rooms as boxes: pieces that are turned and put somewhere. Threads: any.
namespace terrane::core {

inline constexpr float kSlab = 0.25f;       // blocks: how thick floors and roofs are
inline constexpr float kFoundation = 1.0f;  // how far the lowest floor goes down
inline constexpr float kDoorHeight = 2.5f;  // of the gap, where the storey is high enough

/// A block of a piece, or of a room.
struct RoomSpot {
  int u = 0, v = 0;
};

/// A part of a room: blocks from its corner on, [from, to), and heights.
struct RoomBox {
  RoomSpot from, to;
  float bottom = 0, top = 0;
  int part = 0, level = 0;  // TERRANE_BOX_…
};

/// What rooms are made of. Null: the world has no such piece.
inline const Piece* piece_of(const terrane_world& world, const Room& room) {
  // what a compiled world has is enough: a description adds names
  const auto& kinds = world.generated->structure_kinds;
  if (room.kind >= kinds.size() || room.piece >= kinds[room.kind].pieces.size()) return nullptr;
  return &kinds[room.kind].pieces[room.piece];
}

/// Blocks from one floor to the next, of a room that has a piece.
inline float storey_of(const terrane_world& world, const Room& room) {
  return static_cast<float>(world.generated->structure_kinds[room.kind].storey_q4) / 16;
}

/// How many blocks a room covers along x and along y.
inline RoomSpot extent_of(const Room& room, const Piece& piece) {
  return (room.turn & 1) != 0 ? RoomSpot{piece.depth, piece.width}
                              : RoomSpot{piece.width, piece.depth};
}

/// Block (u, v) of a piece after quarter turns from +x towards +y.
inline RoomSpot turned(RoomSpot spot, const Piece& piece, int turn) {
  const int width = piece.width, depth = piece.depth;
  switch (turn & 3) {
    case 1: return {depth - 1 - spot.v, spot.u};
    case 2: return {width - 1 - spot.u, depth - 1 - spot.v};
    case 3: return {spot.v, width - 1 - spot.u};
    default: return spot;
  }
}

inline RoomSpot spot_of(const Door& door, const Piece& piece) {
  switch (door.side) {
    case Side::kMinY: return {door.at, 0};
    case Side::kMaxX: return {piece.width - 1, door.at};
    case Side::kMaxY: return {door.at, piece.depth - 1};
    case Side::kMinX: return {0, door.at};
  }
  return {};
}

/// One side's wall: `length` blocks from `first` on, along u or along v.
struct RoomWall {
  RoomSpot first;
  bool along_u = true;
  int length = 0;

  [[nodiscard]] RoomSpot at(int k) const {
    return along_u ? RoomSpot{first.u + k, first.v} : RoomSpot{first.u, first.v + k};
  }
};

/// The four walls of a room; corners belong to those along u.
inline std::array<RoomWall, 4> walls(int width, int depth) {
  std::array<RoomWall, 4> sides{RoomWall{{0, 0}, true, width}, RoomWall{{0, 1}, false, depth - 2},
                                RoomWall{{width - 1, 1}, false, depth - 2},
                                RoomWall{{0, depth - 1}, true, width}};
  if (depth == 1) sides[3].length = 0;
  if (width == 1) sides[2].length = 0;
  return sides;
}

/// Calls visit(box) for a wall between its gaps, and for what is over them.
template <typename Visit>
void for_each_box_of_wall(const RoomWall& wall, std::span<const RoomSpot> gaps, float floor,
                          float ceiling, int level, Visit visit) {
  const auto is_gap = [&gaps](RoomSpot spot) {
    return std::ranges::any_of(gaps,
                               [&](RoomSpot gap) { return gap.u == spot.u && gap.v == spot.v; });
  };
  int begun = 0;
  for (int k = 0; k <= wall.length; ++k) {
    if (k < wall.length && !is_gap(wall.at(k))) continue;
    const RoomSpot end = wall.at(k - 1), here = wall.at(k);
    visit({wall.at(begun), {end.u + 1, end.v + 1}, floor, ceiling, TERRANE_BOX_WALL, level});
    if (k < wall.length) {
      visit({here,
             {here.u + 1, here.v + 1},
             floor + kDoorHeight,
             ceiling,
             TERRANE_BOX_LINTEL,
             level});
    }
    begun = k + 1;
  }
}

/// Calls visit(RoomBox) for what a room is made of; some have no extent. They do not overlap.
template <typename Visit>
void for_each_box(const Room& room, const Piece& piece, float storey, Visit visit) {
  const RoomSpot all = extent_of(room, piece);
  const float lowest = static_cast<float>(room.floor_q4) / 16;
  for (int level = 0; level < piece.levels; ++level) {
    const float floor = lowest + static_cast<float>(level) * storey;
    visit({{}, all, floor - (level == 0 ? kFoundation : kSlab), floor, TERRANE_BOX_FLOOR, level});
    std::array<RoomSpot, 8> gaps;  // a piece has no more doors
    std::size_t count = 0;
    for (std::size_t k = 0; k < std::min(piece.doors.size(), gaps.size()); ++k) {
      const Door& door = piece.doors[k];
      if ((room.open_doors >> k & 1) != 0 && door.level == level)
        gaps[count++] = turned(spot_of(door, piece), piece, room.turn);
    }
    for (const RoomWall& wall : walls(all.u, all.v))
      for_each_box_of_wall(wall, {gaps.data(), count}, floor, floor + storey - kSlab, level, visit);
  }
  const float top = lowest + static_cast<float>(piece.levels) * storey;
  visit({{}, all, top - kSlab, top, TERRANE_BOX_ROOF, piece.levels - 1});
}

}  // namespace terrane::core
