#pragma once

#include <cstdint>
#include <functional>

#include "cli/session.h"
#include "terrane/chunk_stream.h"

namespace terrane::cli {

/// Number of chunks in a rectangle. Errors: kInvalidArgument when its corners are swapped, or past
/// any sensible number.
[[nodiscard]] Result<std::uint64_t> count_chunks(const ChunkRectangle& area);

/// The part of `area` that begins with its `first`-th chunk in row order (growing x, then growing
/// y) and is itself a rectangle of consecutive chunks: some whole rows, or a piece of one row. At
/// most `max_chunks` chunks; `first` is the end of an earlier part or 0.
[[nodiscard]] ChunkRectangle part_of(const ChunkRectangle& area, std::uint64_t first,
                                     std::uint64_t max_chunks);

/// Streams all chunks of a rectangle of any size, part by part in row order with at most two
/// requests under way, and shows progress. `use` gets each chunk once, in no particular order
/// within a part. Blocks until all are there. Errors: the first that occurs, naming the chunk; the
/// rest is cancelled then.
[[nodiscard]] Result<void> fetch(const Session& session, const ChunkRectangle& area, Lod lod,
                                 LayerMask layers, const std::function<void(const Chunk&)>& use);

}  // namespace terrane::cli
