#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "terrane/chunk.h"
#include "terrane/result.h"

/// Chunk <-> bytes, as proto/FORMAT.md lays them out. Pure functions; threads: any; they block on
/// nothing.
namespace terrane::codec {

/// One encoded chunk: made once, stored and sent as is, shared by whoever still needs it.
using EncodedChunk = std::shared_ptr<const std::string>;

/// Encodes the layers that `chunk` has (an empty layer is left out).
/// @param chunk  size a power of two from 16 to 128, lod at most 16, each layer empty or size *
///               size samples; what stands there as object_coder.h wants it, at most size * size
///               placements, structures and rooms each
[[nodiscard]] std::string encode(const Chunk& chunk);

/// Decodes the layers of `mask` that the bytes hold; sections of unknown layers are skipped.
/// @param bytes  may be hostile: never read past, and nothing is allocated by a length that was not
///   checked
/// @param coord  becomes the chunk's coord: the bytes do not hold it
/// Errors: kDataLoss with what is wrong.
[[nodiscard]] Result<Chunk> decode(std::string_view bytes, ChunkCoord coord,
                                   LayerMask mask = kAllLayers);

/// Cuts an encoded chunk down to the layers of `mask`, without decoding: the sections that stay are
/// copied as they are. Errors: kDataLoss when the header or the section table is damaged.
[[nodiscard]] Result<std::string> select_layers(std::string_view bytes, LayerMask mask);

}  // namespace terrane::codec
