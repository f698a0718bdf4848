#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/chunk.h"
#include "terrane/result.h"

/// What stands in a chunk: the codings `placements` and `structures`. FORMAT.md, "Placements" and
/// "Structures and rooms".
namespace terrane::codec {

/// A chunk holds no more placements, structures or rooms than samples, each.
[[nodiscard]] constexpr std::size_t most_objects(int size) {
  return static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
}

/// Appends the code of the chunk's placements.
/// @param chunk  lod 0, with at least one placement: in the chunk, by y, then x, no two at one
///   block
void encode_placements(const Chunk& chunk, std::string& out);

/// Fills the placements of `chunk`, whose coord, size and lod are set. Errors: kDataLoss with what
/// is wrong.
[[nodiscard]] Result<void> decode_placements(std::string_view payload, Chunk& chunk);

/// Appends the code of the chunk's structures and rooms.
/// @param chunk  with at least one of either: lod at most kMaxStructureLod, 0 where there are
///   rooms; structures have their anchors in the chunk, by y, then x, no two at one block; rooms
///   their corners, by structure (y, then x), then index
void encode_structures(const Chunk& chunk, std::string& out);

/// Fills the structures and rooms of `chunk`, whose coord, size and lod are set. Errors: kDataLoss
/// with what is wrong.
[[nodiscard]] Result<void> decode_structures(std::string_view payload, Chunk& chunk);

}  // namespace terrane::codec
