#include "explore/tile_blocks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <tuple>
#include <utility>

#include "terrane/result_macros.h"

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

/// The tiles of a square of 64 x 64: a word for each row.
using SquareBits = std::array<std::uint64_t, kMaxBlockEdge>;

void add_octet(SquareBits& rows, const Octet& octet) {
  constexpr std::int64_t kMask = (std::int64_t{1} << (kSquareShift - kOctetShift)) - 1;
  const auto x = static_cast<std::size_t>((octet.at.x & kMask) * kOctetEdge),
             y = static_cast<std::size_t>((octet.at.y & kMask) * kOctetEdge);
  for (std::size_t row = 0; row < kOctetEdge; ++row)
    rows[y + row] |= (octet.bits >> (row * kOctetEdge) & 0xff) << x;
}

/// @param rows  not all of them empty
TileBlock to_block(const Square& square, const SquareBits& rows) {
  std::uint64_t columns = 0;
  for (const std::uint64_t row : rows) columns |= row;
  const auto is_used = [](std::uint64_t row) { return row != 0; };
  const auto low = std::find_if(rows.begin(), rows.end(), is_used);
  const auto high = std::find_if(rows.rbegin(), rows.rend(), is_used).base();
  const int left = std::countr_zero(columns);
  const auto& [lod, y, x] = square;
  TileBlock block{lod,
                  x * kMaxBlockEdge + left,
                  y * kMaxBlockEdge + (low - rows.begin()),
                  static_cast<std::uint32_t>(64 - std::countl_zero(columns) - left),
                  static_cast<std::uint32_t>(high - low),
                  {}};
  block.bits.assign((cells(block) + 7) / 8, '\0');
  std::size_t bit = 0;
  for (auto row = low; row != high; ++row, bit += block.width) {
    const std::uint64_t word = *row >> left;
    // 64 bits may begin in the middle of a byte and end in that of the eighth after it
    for (std::size_t i = 0; i < 9 && bit / 8 + i < block.bits.size(); ++i) {
      const auto shift = static_cast<int>(8 * i) - static_cast<int>(bit % 8);
      const std::uint64_t byte = shift < 0 ? word << -shift : shift < 64 ? word >> shift : 0;
      char& place = block.bits[bit / 8 + i];
      place = static_cast<char>(static_cast<unsigned char>(place) | (byte & 0xff));
    }
  }
  if (count(block) == cells(block)) block.bits.clear();
  return block;
}

/// One block of a list, as errors name it.
struct Place {
  std::string_view field;
  std::size_t index = 0;

  /// "have[3].width"
  [[nodiscard]] std::string name(const char* part) const {
    std::string text(field);
    return text.append("[").append(std::to_string(index)).append("]").append(part);
  }
};

/// "have[3].width = 65 tiles: at most 64 ..."
/// @param limit  as a program wants it; `what` says it in a sentence
tl::unexpected<Error> refuse(ErrorReason reason, std::string field, std::string value,
                             std::string limit, const std::string& what) {
  const bool is_far = reason == ErrorReason::kFieldOutOfRange;
  std::string message = field;
  message.append(" = ").append(value).append(what);
  return tl::unexpected<Error>(
      Error{.code = is_far ? ErrorCode::kOutOfRange : ErrorCode::kInvalidArgument,
            .message = std::move(message),
            .reason = reason,
            .field = std::move(field),
            .value = std::move(value),
            .limit = std::move(limit),
            .retry_after = {}});
}

Result<void> check_edges(const TileBlock& block, const Place& place) {
  const std::string limit = std::to_string(kMaxBlockEdge);
  for (const auto& [part, length] :
       {std::pair{".width", block.width}, std::pair{".height", block.height}}) {
    if (length <= kMaxBlockEdge) continue;
    return refuse(ErrorReason::kTooMany, place.name(part), std::to_string(length), limit,
                  " tiles: at most " + limit + "; name them in several blocks");
  }
  return {};
}

Result<void> check_place(const TileBlock& block, const Place& place) {
  if (block.lod > kMaxLod) {
    const std::string limit = "0 to " + std::to_string(kMaxLod);
    return refuse(ErrorReason::kFieldOutOfRange, place.name(".lod"), std::to_string(block.lod),
                  limit, ": levels of detail reach from " + limit);
  }
  const std::int64_t end = max_chunk_coord(static_cast<Lod>(block.lod));
  for (const auto& [part, first, length] : {std::tuple{".x", block.x, edge(block.width)},
                                            std::tuple{".y", block.y, edge(block.height)}}) {
    if (first >= -end && first <= end - (std::int64_t{length} - 1)) continue;
    const std::string limit = std::to_string(-end) + " to " + std::to_string(end);
    return refuse(ErrorReason::kFieldOutOfRange, place.name(part), std::to_string(first), limit,
                  ", " + std::to_string(length) + " tiles: at lod " + std::to_string(block.lod) +
                      " chunk coordinates reach from " + limit);
  }
  return {};
}

Result<void> check_bits(const TileBlock& block, const Place& place) {
  if (block.bits.empty()) return {};
  const std::size_t bytes = (cells(block) + 7) / 8;
  if (block.bits.size() != bytes) {
    const std::string limit = std::to_string(bytes);
    return refuse(
        ErrorReason::kFieldMalformed, place.name(".bits"),
        std::to_string(block.bits.size()) + " bytes", limit,
        ": " + limit + " for " + std::to_string(cells(block)) + " tiles, or none for all of them");
  }
  for (std::size_t i = cells(block); i < 8 * bytes; ++i) {
    if (has_bit(block.bits, i)) {
      const std::string limit = std::to_string(cells(block));
      return refuse(ErrorReason::kFieldMalformed, place.name(".bits"), "bit " + std::to_string(i),
                    limit, " is set: those after the last of " + limit + " tiles must be 0");
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

std::vector<TileBlock> octets_to_blocks(std::vector<Octet> tiles) {
  constexpr int kShift = kSquareShift - kOctetShift;
  const auto square_of = [](const Octet& octet) {
    return Square(octet.lod, octet.at.y >> kShift, octet.at.x >> kShift);
  };
  std::sort(tiles.begin(), tiles.end(),
            [&](const Octet& a, const Octet& b) { return square_of(a) < square_of(b); });
  std::vector<TileBlock> blocks;
  for (std::size_t i = 0; i < tiles.size();) {
    const Square square = square_of(tiles[i]);
    SquareBits rows{};
    for (; i < tiles.size() && square_of(tiles[i]) == square; ++i) add_octet(rows, tiles[i]);
    if (std::any_of(rows.begin(), rows.end(), [](std::uint64_t row) { return row != 0; }))
      blocks.push_back(to_block(square, rows));
  }
  return blocks;
}

Result<std::size_t> check_blocks(std::span<const TileBlock> blocks, std::string_view field) {
  return check_some_blocks(blocks, field, 0, 0);
}

Result<std::size_t> check_some_blocks(std::span<const TileBlock> blocks, std::string_view field,
                                      std::size_t first, std::size_t tiles) {
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Place place{field, first + i};
    TERRANE_RETURN_IF_ERROR(check_edges(blocks[i], place));
    TERRANE_RETURN_IF_ERROR(check_place(blocks[i], place));
    TERRANE_RETURN_IF_ERROR(check_bits(blocks[i], place));
    tiles += count(blocks[i]);
    if (tiles > kMaxTilesInMessage) {
      const std::string limit = std::to_string(kMaxTilesInMessage);
      return refuse(ErrorReason::kTooMany, place.name(""), std::to_string(tiles), limit,
                    " tiles with those before it: at most " + limit + " in a message");
    }
  }
  return tiles;
}

std::uint64_t row_of_block(const TileBlock& block, std::uint32_t row) {
  const std::uint32_t width = edge(block.width);
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - width);
  if (block.bits.empty()) return all;
  const std::size_t bit = std::size_t{row} * width;
  std::uint64_t word = 0;
  // 64 bits may begin in the middle of a byte and end in that of the eighth after it
  for (std::size_t i = 0; i < 9; ++i) {
    const std::size_t byte = bit / 8 + i;
    if (byte >= block.bits.size()) break;
    const std::uint64_t value = static_cast<unsigned char>(block.bits[byte]);
    const auto shift = static_cast<int>(8 * i) - static_cast<int>(bit % 8);
    if (shift >= 64) break;
    word |= shift < 0 ? value >> -shift : value << shift;
  }
  return word & all;
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
