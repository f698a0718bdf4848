#pragma once

#include <cstdint>

#include "terrane/objects.h"

/// Pieces turned about the vertical axis by quarter turns, from +x towards +y.
namespace terrane::worldgen {

/// A block of a structure, from its corner.
struct Cell {
  int x = 0, y = 0;
  friend bool operator==(const Cell&, const Cell&) = default;
};

inline int turned_width(const Piece& piece, int turn) {
  return turn % 2 == 0 ? piece.width : piece.depth;
}
inline int turned_depth(const Piece& piece, int turn) {
  return turn % 2 == 0 ? piece.depth : piece.width;
}

/// The side that a piece's side becomes.
inline Side turned(Side side, int turn) {
  return static_cast<Side>((static_cast<int>(side) + turn) % 4);
}

/// The turn that makes one side another.
inline int turn_to(Side from, Side to) {
  return (static_cast<int>(to) - static_cast<int>(from) + 4) % 4;
}

/// The next block beyond a side.
inline Cell beyond(Cell cell, Side side) {
  switch (side) {
    case Side::kMinY: return {cell.x, cell.y - 1};
    case Side::kMaxX: return {cell.x + 1, cell.y};
    case Side::kMaxY: return {cell.x, cell.y + 1};
    case Side::kMinX: break;
  }
  return {cell.x - 1, cell.y};
}

/// A door's block, from the turned piece's corner.
inline Cell turned_door(const Piece& piece, const Door& door, int turn) {
  const int right = piece.width - 1, far = piece.depth - 1;
  const bool along_x = door.side == Side::kMinY || door.side == Side::kMaxY;
  const int u = along_x ? door.at : (door.side == Side::kMaxX ? right : 0);
  const int v = along_x ? (door.side == Side::kMaxY ? far : 0) : door.at;
  switch (turn) {
    case 0: return {u, v};
    case 1: return {far - v, u};
    case 2: return {right - u, far - v};
    default: return {v, right - u};
  }
}

}  // namespace terrane::worldgen
