#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "codec/chunk_codec.h"
#include "terrane/coord.h"
#include "terrane/result.h"

/// Serialised GetChunkResponse, GetChunksResponse and ExploreResponse, built by appending: a
/// concatenation of serialised messages is their merge, so a chunk's bytes pass through no message.
namespace terrane::rpc {

// bytes beside the encoded ones: tags, lengths, two coordinates and a lod
inline constexpr std::size_t kMaxChunkFraming = 42;

/// Appends a serialised GetChunksResponse with one chunk, which is an ExploreResponse as well;
/// alone, a GetChunkResponse too.
/// @param lod  where the request does not say it
void append_chunk(std::string& wire, ChunkCoord coord, std::string_view encoded, Lod lod = 0);

/// The same with one failure.
void append_failure(std::string& wire, ChunkCoord coord, const Error& error, Lod lod = 0);

/// The chunk with some of its layers alone; as it is for kAllLayers. Errors: kDataLoss when they
/// can't be cut out.
[[nodiscard]] Result<codec::EncodedChunk> with_layers(codec::EncodedChunk chunk, LayerMask layers);

}  // namespace terrane::rpc
