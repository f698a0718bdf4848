#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "terrane/coord.h"
#include "terrane/result.h"

/// Serialised GetChunkResponse and GetChunksResponse, built by appending: a concatenation of serialised messages is their merge,
/// so a chunk's bytes pass through no message.
namespace terrane::rpc {

inline constexpr std::size_t kMaxChunkFraming = 40;  // bytes beside the encoded ones: tags, lengths and two coordinates

/// Appends a serialised GetChunksResponse with one chunk; alone it is a GetChunkResponse as well.
void append_chunk(std::string& wire, ChunkCoord coord, std::string_view encoded);

/// Appends a serialised GetChunksResponse with one failure.
void append_failure(std::string& wire, ChunkCoord coord, const Error& error);

}  // namespace terrane::rpc
