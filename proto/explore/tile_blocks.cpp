#include "explore/tile_blocks.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

namespace terrane::explore {
namespace {

constexpr int kSquareShift = std::countr_zero(kMaxBlockEdge);

std::uint32_t edge(std::uint32_t length) { return std::max<std::uint32_t>(length, 1); }

std::size_t cells(const TileBlock& block) {
  return std::size_t{edge(block.width)} * edge(block.height);
}

bool has_bit(const std::string& bits, std::size_t i) {
  return (static_cast<unsigned char>(bits[i / 8]) >> i % 8 & 1) != 0;
}

std::size_t count(const TileBlock& block) {
  if (block.bits.empty()) return cells(block);
  std::size_t tiles = 0;
  for (const char byte : block.bits)
    tiles += static_cast<std::size_t>(std::popcount(static_cast<unsigned char>(byte)));
  return tiles;
}

/// The square of 64 x 64 that a tile belongs to: (lod, y, x).
using Square = std::tuple<Lod, std::int64_t, std::int64_t>;

Square square(const Tile& tile) {
  return Square(tile.lod, tile.coord.y >> kSquareShift, tile.coord.x >> kSquareShift);
}

/// @param tiles  of one square; repeats count once
TileBlock to_block(const std::vector<Tile>& tiles) {
  ChunkCoord low = tiles.front().coord, high = low;
  for (const Tile& tile : tiles) {
    low = {std::min(low.x, tile.coord.x), std::min(low.y, tile.coord.y)};
    high = {std::max(high.x, tile.coord.x), std::max(high.y, tile.coord.y)};
  }
  TileBlock block{tiles.front().lod,
                  low.x,
                  low.y,
                  static_cast<std::uint32_t>(high.x - low.x + 1),
                  static_cast<std::uint32_t>(high.y - low.y + 1),
                  {}};
  block.bits.assign((cells(block) + 7) / 8, '\0');
  for (const Tile& tile : tiles) {
    const auto bit =
        static_cast<std::size_t>((tile.coord.y - low.y) * block.width + (tile.coord.x - low.x));
    block.bits[bit / 8] = static_cast<char>(block.bits[bit / 8] | 1 << bit % 8);
  }
  if (count(block) == cells(block)) block.bits.clear();
  return block;
}

/// "have[3].width = 65"
std::string name(std::string_view field, std::size_t index, const char* part,
                 const std::string& value) {
  std::string text(field);
  text.append("[").append(std::to_string(index)).append("]").append(part);
  return text.append(" = ").append(value);
}

Result<void> check_edges(const TileBlock& block, std::string_view field, std::size_t index) {
  for (const auto& [part, length] :
       {std::pair{".width", block.width}, std::pair{".height", block.height}}) {
    if (length <= kMaxBlockEdge) continue;
    return fail(ErrorCode::kInvalidArgument,
                name(field, index, part, std::to_string(length)) + " tiles: at most " +
                    std::to_string(kMaxBlockEdge) + "; name them in several blocks");
  }
  return {};
}

Result<void> check_place(const TileBlock& block, std::string_view field, std::size_t index) {
  if (block.lod > kMaxLod) {
    return fail(ErrorCode::kOutOfRange, name(field, index, ".lod", std::to_string(block.lod)) +
                                            ": levels of detail reach from 0 to " +
                                            std::to_string(kMaxLod));
  }
  const std::int64_t limit = max_chunk_coord(static_cast<Lod>(block.lod));
  for (const auto& [part, first, length] : {std::tuple{".x", block.x, edge(block.width)},
                                            std::tuple{".y", block.y, edge(block.height)}}) {
    if (first >= -limit && first <= limit - (std::int64_t{length} - 1)) continue;
    return fail(ErrorCode::kOutOfRange,
                name(field, index, part, std::to_string(first)) + ", " + std::to_string(length) +
                    " tiles: at lod " + std::to_string(block.lod) +
                    " chunk coordinates reach from " + std::to_string(-limit) + " to " +
                    std::to_string(limit));
  }
  return {};
}

Result<void> check_bits(const TileBlock& block, std::string_view field, std::size_t index) {
  if (block.bits.empty()) return {};
  const std::size_t bytes = (cells(block) + 7) / 8;
  if (block.bits.size() != bytes) {
    return fail(ErrorCode::kInvalidArgument,
                name(field, index, ".bits", std::to_string(block.bits.size())) +
                    " bytes: " + std::to_string(bytes) + " for " + std::to_string(cells(block)) +
                    " tiles, or none for all of them");
  }
  for (std::size_t i = cells(block); i < 8 * bytes; ++i) {
    if (has_bit(block.bits, i)) {
      return fail(ErrorCode::kInvalidArgument,
                  name(field, index, ".bits", "bit " + std::to_string(i)) +
                      " is set: those after the last of " + std::to_string(cells(block)) +
                      " tiles must be 0");
    }
  }
  return {};
}

}  // namespace

std::vector<TileBlock> to_blocks(const std::vector<Tile>& tiles) {
  std::map<Square, std::vector<Tile>> squares;
  auto at = squares.end();
  for (const Tile& tile : tiles) {
    // sets of tiles come in order, more or less: most are in the square of the one before
    if (at == squares.end() || at->first != square(tile))
      at = squares.try_emplace(square(tile)).first;
    at->second.push_back(tile);
  }
  std::vector<TileBlock> blocks;
  blocks.reserve(squares.size());
  for (const auto& [place, inside] : squares) blocks.push_back(to_block(inside));
  return blocks;
}

Result<std::size_t> check_blocks(std::span<const TileBlock> blocks, std::string_view field) {
  std::size_t tiles = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto checked = check_edges(blocks[i], field, i)
                             .and_then([&] { return check_place(blocks[i], field, i); })
                             .and_then([&] { return check_bits(blocks[i], field, i); });
    if (!checked) return tl::unexpected(checked.error());
    tiles += count(blocks[i]);
    if (tiles > kMaxTilesInMessage) {
      return fail(ErrorCode::kInvalidArgument, name(field, i, "", std::to_string(tiles)) +
                                                   " tiles with those before it: at most " +
                                                   std::to_string(kMaxTilesInMessage) +
                                                   " in a message");
    }
  }
  return tiles;
}

void for_each_tile(std::span<const TileBlock> blocks, const std::function<void(const Tile&)>& see) {
  for (const TileBlock& block : blocks) {
    const std::size_t width = edge(block.width), count_of_cells = cells(block);
    for (std::size_t i = 0; i < count_of_cells; ++i) {
      if (!block.bits.empty() && !has_bit(block.bits, i)) continue;
      see({static_cast<Lod>(block.lod),
           {block.x + static_cast<std::int64_t>(i % width),
            block.y + static_cast<std::int64_t>(i / width)}});
    }
  }
}

}  // namespace terrane::explore
