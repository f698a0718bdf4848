#pragma once

#include <cstdint>

#include "terrane/chunk.h"

/// Blocks relative to a chunk's first one. Arithmetic is modulo 2^64, so that no coordinate,
/// however hostile, is undefined.
namespace terrane::codec {

struct Offset {
  std::uint64_t x = 0;
  std::uint64_t y = 0;
};

/// Blocks along one edge of the chunk.
[[nodiscard]] constexpr std::uint64_t blocks_across(const Chunk& chunk) {
  return static_cast<std::uint64_t>(chunk.size) << chunk.lod;
}

[[nodiscard]] constexpr Offset offset_in(const Chunk& chunk, BlockPos block) {
  const std::uint64_t span = blocks_across(chunk);
  return {static_cast<std::uint64_t>(block.x) - static_cast<std::uint64_t>(chunk.coord.x) * span,
          static_cast<std::uint64_t>(block.y) - static_cast<std::uint64_t>(chunk.coord.y) * span};
}

[[nodiscard]] constexpr BlockPos block_at(const Chunk& chunk, Offset offset) {
  const std::uint64_t span = blocks_across(chunk);
  return {static_cast<std::int64_t>(static_cast<std::uint64_t>(chunk.coord.x) * span + offset.x),
          static_cast<std::int64_t>(static_cast<std::uint64_t>(chunk.coord.y) * span + offset.y)};
}

}  // namespace terrane::codec
