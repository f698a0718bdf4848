#pragma once

#include <ostream>

#include "terrane/chunk.h"

namespace terrane::test {

/// What stands in a chunk, one thing a line, as the vectors' .txt files have it. Blocks are
/// relative to the chunk's first one.
inline void write_objects(std::ostream& out, const Chunk& chunk) {
  const BlockPos origin = chunk_origin(chunk.coord, chunk.size, chunk.lod);
  const auto write_block = [&](BlockPos block) {
    out << ' ' << block.x - origin.x << ' ' << block.y - origin.y;
  };
  for (const Placement& placement : chunk.placements) {
    out << "placement";
    write_block(placement.anchor);
    out << ' ' << int{placement.kind} << ' ' << int{placement.turn} << ' ' << int{placement.scale}
        << '\n';
  }
  for (const Structure& structure : chunk.structures) {
    out << "structure";
    write_block(structure.anchor);
    out << ' ' << int{structure.kind} << ' ' << structure.rooms;
    write_block(structure.from);
    write_block(structure.to);
    out << '\n';
  }
  for (const Room& room : chunk.rooms) {
    out << "room";
    write_block(room.corner);
    out << ' ' << room.floor_q4;
    write_block(room.structure);
    out << ' ' << room.index << ' ' << int{room.kind} << ' ' << int{room.piece} << ' '
        << int{room.turn} << ' ' << int{room.open_doors} << '\n';
  }
}

}  // namespace terrane::test
