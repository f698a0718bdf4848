#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// How digits become symbols of a prefix code. FORMAT.md, "Symbols".
namespace terrane::codec {

/// A symbol stands for `digits` digits side by side, one or two, each below `base`, the first one
/// worth more. Small digits are taken together because no symbol has less than one bit. Symbols are
/// written as `streams` runs, which a decoder reads side by side.
struct Grouping {
  unsigned digits;
  unsigned base;
  unsigned streams;

  [[nodiscard]] constexpr unsigned symbols() const { return digits == 1 ? base : base * base; }
};

/// Part of the format: those of dense residuals, for larger and larger ones the further in front.
inline constexpr std::array<Grouping, 3> kGroupings = {{{1, 32, 4}, {2, 9, 4}, {2, 5, 4}}};

/// The ones of sparse residuals, and of region tokens, which are below 19.
inline constexpr Grouping kSparseGrouping = {1, 64, 1};
inline constexpr Grouping kTokenGrouping = {1, 19, 1};

/// Samples of the largest chunk: no more digits are coded at once.
inline constexpr std::size_t kMaxDigits = 128 * 128;

}  // namespace terrane::codec
