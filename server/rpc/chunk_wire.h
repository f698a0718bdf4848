#pragma once

#include <cstddef>
#include <string>

#include "terrane/coord.h"
#include "terrane/result.h"

/// Serialised GetChunkResponse and GetChunksResponse, built by appending: a concatenation of serialised messages is their merge,
/// so a chunk's bytes pass through no message, and need not even be copied.
namespace terrane::rpc {

/// What comes before the encoded bytes of a chunk in a serialised GetChunksResponse with that chunk alone; together they are a
/// GetChunkResponse as well.
[[nodiscard]] std::string chunk_framing(ChunkCoord coord, std::size_t encoded_bytes);

/// Appends a serialised GetChunksResponse with one failure.
void append_failure(std::string& wire, ChunkCoord coord, const Error& error);

}  // namespace terrane::rpc
