#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "terrane/chunk.h"

namespace terrane::core {

/// What stands in a chunk, by where it stands. Immutable; threads: any.
struct Standing {
  static constexpr int kCells = 16;  // along one edge of the chunk

  struct Thing {
    std::uint8_t x = 0, y = 0;  // blocks from the chunk's origin
    std::uint8_t kind = 0, scale = 0;
  };

  std::vector<Thing> things;  // cell by cell, rows of growing x
  std::array<std::uint16_t, kCells * kCells + 1> begins{};
};

/// Null: nothing stands there. @param chunk  of at most 128 samples along an edge
[[nodiscard]] std::unique_ptr<const Standing> standing_of(const Chunk& chunk);

}  // namespace terrane::core
