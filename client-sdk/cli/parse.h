#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "terrane/coord.h"
#include "terrane/result.h"

/// Command-line text -> values. Pure functions. Errors: kInvalidArgument with what was written and
/// what would be right.
namespace terrane::cli {

/// "-3,4": two whole numbers, either may be negative.
[[nodiscard]] Result<ChunkCoord> parse_chunk_coord(std::string_view text);
[[nodiscard]] Result<BlockPos> parse_block_pos(std::string_view text);

/// Any uint64, decimal or 0x hexadecimal.
[[nodiscard]] Result<std::uint64_t> parse_seed(std::string_view text);

/// HOST:PORT with a port from 1 to 65535, several of these with commas, or unix:PATH.
[[nodiscard]] Result<std::string> parse_server(std::string_view text);

}  // namespace terrane::cli
