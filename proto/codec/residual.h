#pragma once

#include <bit>
#include <cstdint>

/// Residuals as tokens: small ones are a token each, of larger ones the token says the leading bits and the rest follows as it
/// is. FORMAT.md, "Residuals".
namespace terrane::codec {

inline constexpr std::uint32_t kDirectTokens = 32;  // folded residuals below it are their own token
inline constexpr unsigned kDirectBits = 5;          // 2^5 = kDirectTokens
inline constexpr unsigned kLeadingBits = 2;         // of larger ones, after the leading one, in the token
inline constexpr std::uint32_t kResidualTokens = kDirectTokens + ((32 - kDirectBits) << kLeadingBits);

/// 0, -1, 1, -2, … become 0, 1, 2, 3, …
constexpr std::uint32_t fold(std::uint32_t residual) { return residual << 1 ^ (0U - (residual >> 31)); }
constexpr std::uint32_t unfold(std::uint32_t folded) { return folded >> 1 ^ (0U - (folded & 1)); }

struct TokenAndRest {
  std::uint8_t token = 0;
  unsigned rest_bits = 0;
  std::uint32_t rest = 0;
};

constexpr TokenAndRest split(std::uint32_t folded) {
  if (folded < kDirectTokens) return {static_cast<std::uint8_t>(folded), 0, 0};
  const unsigned exponent = static_cast<unsigned>(std::bit_width(folded)) - 1;
  const unsigned rest_bits = exponent - kLeadingBits;
  const std::uint32_t leading = folded >> rest_bits & ((1U << kLeadingBits) - 1);
  const std::uint32_t token = kDirectTokens + ((exponent - kDirectBits) << kLeadingBits) + leading;
  return {static_cast<std::uint8_t>(token), rest_bits, folded & ((1U << rest_bits) - 1)};
}

/// @param token  from kDirectTokens to kResidualTokens - 1
constexpr unsigned rest_bits(std::uint32_t token) {
  return kDirectBits + ((token - kDirectTokens) >> kLeadingBits) - kLeadingBits;
}
constexpr std::uint32_t join(std::uint32_t token, std::uint32_t rest) {
  const std::uint32_t leading = (token - kDirectTokens) & ((1U << kLeadingBits) - 1);
  return ((1U << kLeadingBits | leading) << rest_bits(token)) | rest;
}

}  // namespace terrane::codec
