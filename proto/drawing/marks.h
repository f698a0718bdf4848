#pragma once

#include <span>
#include <vector>

#include "drawing/picture.h"
#include "terrane/chunk.h"
#include "terrane/objects.h"

/// What stands in a world, drawn onto a map.
namespace terrane::drawing {

struct Objects {
  std::vector<Placement> placements;
  std::vector<Structure> structures;
  std::vector<Room> rooms;
};

/// Adds what stands in a chunk.
void append(Objects& objects, const Chunk& chunk);

/// Draws placements as discs of their width, rooms as the blocks that they cover, and a mark at
/// every structure, in the colours of their kinds.
/// @param picture  a pixel for each block that is a multiple of 2^lod, `first` at the top left
void draw_marks(Picture& picture, std::span<const PlacementKind> placement_kinds,
                std::span<const StructureKind> structure_kinds, BlockPos first, Lod lod,
                const Objects& objects);

}  // namespace terrane::drawing
