#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "terrane/coord.h"

/// What stands in a world: things at points (trees, boulders, resources), and structures made of
/// rooms; and what its designer has named. Plain values.
namespace terrane {

/// A thing at one block. No two of a world have the same anchor, so the anchor is also its id: the
/// same for ever, on every server, and what a game keeps its players' changes by.
struct Placement {
  BlockPos anchor;         // in the chunk that holds it
  std::uint8_t kind = 0;   // index into the world's placement kinds
  std::uint8_t turn = 0;   // about the vertical axis, 1/256 of a full turn
  std::uint8_t scale = 0;  // percent of the kind's height and radius

  friend bool operator==(const Placement&, const Placement&) = default;
};

/// A kind of placement.
struct PlacementKind {
  std::string name;            // "oak"
  std::uint32_t color = 0;     // 0xRRGGBB, for maps
  std::int32_t radius_q4 = 0;  // 1/16 block at scale 100: of its crown, or of itself
  std::int32_t height_q4 = 0;  // 1/16 block at scale 100
};

/// Where a building, a ruin or a dungeon is. Its anchor, the block before its outside door, is its
/// id.
struct Structure {
  BlockPos anchor;
  std::uint8_t kind = 0;    // index into the world's structure kinds
  std::uint16_t rooms = 0;  // how many it has
  BlockPos from, to;        // the blocks that its rooms cover lie between these, both included

  friend bool operator==(const Structure&, const Structure&) = default;
};

/// One room of a structure: a piece, turned and put somewhere. (structure, index) is its id.
struct Room {
  // the covered block of smallest x and y; the chunk that holds it holds the room
  BlockPos corner;
  std::int32_t floor_q4 = 0;  // height of its lowest floor, 1/16 block
  BlockPos structure;         // anchor of the structure it belongs to
  std::uint16_t index = 0;    // in its structure; 0 is the entrance
  std::uint8_t kind = 0;      // index into the world's structure kinds
  std::uint8_t piece = 0;     // index into the kind's pieces
  std::uint8_t turn = 0;      // quarter turns, from +x towards +y
  // bit k: the piece's door k leads somewhere; the others are walled up
  std::uint8_t open_doors = 0;

  friend bool operator==(const Room&, const Room&) = default;
};

/// The sides of a piece before it is turned.
enum class Side : std::uint8_t { kMinY = 0, kMaxX = 1, kMaxY = 2, kMinX = 3 };

/// Where two pieces may be joined.
struct Door {
  Side side = Side::kMinY;
  std::uint8_t at = 0;     // blocks along the side from its end of smaller x or y
  std::uint8_t level = 0;  // storeys above the piece's lowest floor
};

/// A room as it is drawn: `width` along x, `depth` along y, before it is turned.
struct Piece {
  std::string name;                   // "hall"
  std::uint8_t width = 0, depth = 0;  // blocks
  std::uint8_t levels = 1;            // storeys
  std::vector<Door> doors;            // at most 8
};

/// A kind of structure, with the pieces it is made of.
struct StructureKind {
  std::string name;            // "ruin"
  std::uint32_t color = 0;     // 0xRRGGBB, for maps
  std::int32_t storey_q4 = 0;  // from floor to floor, 1/16 block
  std::vector<Piece> pieces;   // at most 256
};

/// A place that the world's designer has named.
struct NamedPlace {
  std::string name;  // "Old Harbour"; several may share it
  BlockPos block;
  bool spawn = false;  // players may begin there

  friend bool operator==(const NamedPlace&, const NamedPlace&) = default;
};

}  // namespace terrane
