#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "codec/grouping.h"

/// What both directions of the coding `regions` know: rows as borders, and tokens that say where a
/// row's borders lie relative to those of the row above. FORMAT.md, "Regions".
namespace terrane::codec {

inline constexpr std::size_t kMaxRegionRow = 128;

// Tokens: where the next border of a row lies.
inline constexpr std::uint8_t kSkip =
    0;  // not near the candidate of the row above: take its next one
inline constexpr std::uint8_t kExplicit = 1;  // where, and to which colour, follows as it is
// + zigzag distance from the candidate, whose colour it takes
inline constexpr std::uint8_t kNear = 2;
inline constexpr int kMaxDistance = 8;  // from -8 to 8
static_assert(kNear + 2 * kMaxDistance + 1 == kTokenGrouping.base);

struct Border {
  std::uint8_t at = 0;      // index of the first sample of the new colour
  std::uint8_t colour = 0;  // index into the palette
};

/// One row as its first colour and its borders from left to right, ended by one at `size`.
struct BorderRow {
  std::uint8_t first = 0;
  std::size_t count = 0;  // without the one at the end
  std::array<Border, kMaxRegionRow + 1> borders;
};

/// The borders of the row above that can be the next one of this row: those that end an area of the
/// present colour. Both directions walk it alike.
class Candidates {
 public:
  explicit Candidates(const BorderRow& above) : above_(above) {}

  /// Goes to the first candidate behind sample `from` for an area of `colour`; the row's end when
  /// there is none.
  void seek(std::size_t from, std::uint8_t colour) {
    while (first_ < above_.count && above_.borders[first_].at <= from) ++first_;
    index_ = first_;
    settle(colour);
  }
  void skip(std::uint8_t colour) {
    ++index_;
    settle(colour);
  }
  [[nodiscard]] bool at_end() const { return index_ == above_.count; }
  [[nodiscard]] const Border& border() const { return above_.borders[index_]; }

 private:
  void settle(std::uint8_t colour) {
    while (index_ < above_.count && colour_before(index_) != colour) ++index_;
  }
  [[nodiscard]] std::uint8_t colour_before(std::size_t index) const {
    return index == 0 ? above_.first : above_.borders[index - 1].colour;
  }

  const BorderRow& above_;
  std::size_t first_ = 0;
  std::size_t index_ = 0;
};

constexpr std::uint8_t near_token(int distance) {
  return static_cast<std::uint8_t>(kNear + (distance < 0 ? -2 * distance - 1 : 2 * distance));
}
constexpr int near_distance(std::uint8_t token) {
  const int number = token - kNear;
  return number % 2 == 0 ? number / 2 : -(number + 1) / 2;
}

constexpr unsigned bits_for(std::size_t largest) {
  return static_cast<unsigned>(std::bit_width(largest));
}

}  // namespace terrane::codec
