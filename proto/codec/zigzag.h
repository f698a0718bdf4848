#pragma once

#include <cstdint>

/// Signed numbers as unsigned ones that are small where the number is near 0. FORMAT.md, "Bits".
namespace terrane::codec {

/// 0, -1, 1, -2, … become 0, 1, 2, 3, …
/// @tparam Word  std::uint32_t or std::uint16_t, of as many bits as the number in two's complement
template <typename Word>
constexpr Word zigzag(Word number) {
  const unsigned bits = number;
  return static_cast<Word>(bits << 1 ^ (0U - (bits >> (8 * sizeof(Word) - 1))));
}

/// The inverse of zigzag.
template <typename Word>
constexpr Word unzigzag(Word number) {
  const unsigned bits = number;
  return static_cast<Word>(bits >> 1 ^ (0U - (bits & 1)));
}

}  // namespace terrane::codec
