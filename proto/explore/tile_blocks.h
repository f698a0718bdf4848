#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "explore/tile_bits.h"
#include "explore/view_range.h"
#include "terrane/coord.h"
#include "terrane/result.h"

/// Sets of tiles as messages carry them (TileBlock in explore.proto). Pure functions; threads: any;
/// they block on nothing.
namespace terrane::explore {

/// Some of the tiles of a rectangle of one level. As it comes from a message: nothing is checked.
struct TileBlock {
  std::uint32_t lod = 0;
  std::int64_t x = 0, y = 0;            // the rectangle's tile of smallest x and y
  std::uint32_t width = 1, height = 1;  // tiles; a message may say 0 for 1
  // a bit for each tile, row by row from (x, y), the least significant of a byte first; empty: all
  std::string bits;

  friend bool operator==(const TileBlock&, const TileBlock&) = default;
};

/// Tiles along each edge of a block: a block of 64 x 64 is a bitmap of 512 bytes.
inline constexpr std::uint32_t kMaxBlockEdge = 64;

/// Tiles that all the blocks of one message may name: all that can be in range of any viewer. That
/// many take less than 64 KiB, whatever pattern they make.
inline constexpr std::size_t kMaxTilesInMessage = kMaxTilesInRange;

/// The blocks for a set of tiles, in the one form that every client and server gives it: the level
/// is cut into squares of 64 x 64 tiles whose corners are multiples of 64; each square that holds
/// tiles becomes a block, which is the smallest rectangle around these; without bits if it is full.
/// In the order of lod, y and x of the squares. Messages leave out a width or height of 1.
/// @param tiles  in any order; repeats count once
[[nodiscard]] std::vector<TileBlock> to_blocks(const std::vector<Tile>& tiles);

/// The same for tiles in squares of 8 x 8. @param tiles  in any order; repeats count once. Sorted
///   by this: that is what it costs, and no list of tiles is made.
[[nodiscard]] std::vector<TileBlock> octets_to_blocks(std::vector<Octet> tiles);

/// Whether a list of blocks may be read.
/// @param field  what the list is called, for errors
/// @return how many tiles it names
/// Errors: kInvalidArgument (edges, bits, more than kMaxTilesInMessage), kOutOfRange (levels of
/// detail, places outside of the world).
[[nodiscard]] Result<std::size_t> check_blocks(std::span<const TileBlock> blocks,
                                               std::string_view field);

/// The same for a part of a list, which is looked at in slices.
/// @param first  index of blocks[0] in the list, for errors
/// @param tiles  that the blocks before it name
/// @return how many tiles are named up to here
[[nodiscard]] Result<std::size_t> check_some_blocks(std::span<const TileBlock> blocks,
                                                    std::string_view field, std::size_t first,
                                                    std::size_t tiles);

/// The tiles of a row of a block that has been checked: bit i stands for the tile at x + i.
/// @param row  0 ... height - 1
[[nodiscard]] std::uint64_t row_of_block(const TileBlock& block, std::uint32_t row);

/// Calls `see` for every tile of blocks that have been checked.
void for_each_tile(std::span<const TileBlock> blocks, const std::function<void(const Tile&)>& see);

}  // namespace terrane::explore
