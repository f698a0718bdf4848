#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "terrane/coord.h"
#include "terrane/result.h"

/// Serialised GetChunkResponse and GetChunksResponse, built by appending: a concatenation of serialised messages is their merge,
/// so a chunk's bytes are copied once, from the cache's string into the wire's, and pass through no message.
namespace terrane::rpc {

/// Bytes that append_chunk adds to a chunk's own, at most: tags, lengths and two coordinates.
inline constexpr std::size_t kMaxChunkFraming = 40;

/// Appends a serialised GetChunksResponse with one chunk; the same bytes are a GetChunkResponse.
void append_chunk(std::string& wire, ChunkCoord coord, std::string_view encoded);

/// Appends a serialised GetChunksResponse with one failure.
void append_failure(std::string& wire, ChunkCoord coord, const Error& error);

}  // namespace terrane::rpc
