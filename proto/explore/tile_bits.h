#pragma once

#include <cstddef>
#include <cstdint>

#include "terrane/coord.h"

/// Sets of tiles of one level as bits: squares of 8 x 8 tiles whose corners are multiples of 8, a
/// word each. What is done with a view's tiles is done with 64 of them at a time. Plain values and
/// pure functions; threads: any.
namespace terrane::explore {

inline constexpr int kOctetShift = 3;
inline constexpr std::int64_t kOctetEdge = std::int64_t{1} << kOctetShift;  // tiles

/// Some tiles of a square of 8 x 8.
struct Octet {
  Lod lod = 0;
  ChunkCoord at;           // of the square: a tile's coordinates over 8, rounded down
  std::uint64_t bits = 0;  // bit 8 (y mod 8) + (x mod 8) for each tile
};

/// The bit of a tile in its square's word.
[[nodiscard]] constexpr std::uint64_t bit_in_octet(ChunkCoord tile) {
  return std::uint64_t{1} << ((tile.y & (kOctetEdge - 1)) * kOctetEdge +
                              (tile.x & (kOctetEdge - 1)));
}

/// The square that holds a tile.
[[nodiscard]] constexpr ChunkCoord octet_of(ChunkCoord tile) {
  return {tile.x >> kOctetShift, tile.y >> kOctetShift};
}

/// The tile of a bit: 0 ... 63.
[[nodiscard]] constexpr ChunkCoord tile_in_octet(ChunkCoord octet, int bit) {
  return {octet.x * kOctetEdge + bit % kOctetEdge, octet.y * kOctetEdge + bit / kOctetEdge};
}

/// The tiles of one row whose x is from `first` to `last`; none if that is less.
struct Span {
  std::int64_t first = 0, last = -1;
};

/// Those tiles of the row that lie in the eight tiles from `x` on, as bits.
[[nodiscard]] constexpr std::uint64_t bits_of_span(Span span, std::int64_t x) {
  const std::int64_t low = span.first > x ? span.first - x : 0,
                     high = span.last < x + kOctetEdge - 1 ? span.last - x : kOctetEdge - 1;
  if (low >= kOctetEdge || high < low) return 0;
  return (std::uint64_t{0xff} >> (kOctetEdge - 1 - (high - low))) << low;
}

/// How far a disc of `radius` tiles (0 ... kMaxViewDistance + kViewMargin) reaches to each side in
/// the row that is `dy` tiles from its middle; -1: it does not reach that row.
[[nodiscard]] std::int64_t half_width(int radius, std::int64_t dy);

}  // namespace terrane::explore
