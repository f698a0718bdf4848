#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "terrane/chunk.h"
#include "terrane/coord.h"

namespace terrane {

/// Heights on a square grid that takes in the first samples of the chunks beyond, so that meshes
/// made of neighbouring fields meet without a gap.
struct HeightField {
  BlockPos origin;  // world block of the first sample
  int spacing = 1;  // blocks between samples: 2^lod
  int size = 0;     // samples along one edge: n * S + 1 for n chunks of S
  // size * size, 1/16 block, row by row along +x, rows along +y
  std::vector<std::int32_t> heights_q4;
};

/// Where a chunk can be had: Explorer::chunk, or a program's own store. Null: not there.
using ChunkLookup = std::function<std::shared_ptr<const Chunk>(const Tile&)>;

/// Stitches `across` x `across` chunks, the first of them `from`, into one field. Needs these, and
/// those along their far edges: (across + 1)^2 chunks, all of one world and with heights.
/// @param across  1 … 256
/// @return nullopt when one of them is not there or does not fit
[[nodiscard]] std::optional<HeightField> stitch_heights(const ChunkLookup& chunks, const Tile& from,
                                                        int across = 1);

}  // namespace terrane
