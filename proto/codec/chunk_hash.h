#pragma once

#include <cstdint>

#include "terrane/chunk.h"

namespace terrane::codec {

/// The hash of a chunk (FORMAT.md, section 13): XXH3-64 of all that it has, the same wherever and
/// however it was made, and however it is encoded. Pure; threads: any.
[[nodiscard]] std::uint64_t hash_chunk(const Chunk& chunk);

}  // namespace terrane::codec
