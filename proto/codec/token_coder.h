#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "terrane/result.h"

/// Entropy coding of small numbers by their frequencies: interleaved static rANS. FORMAT.md, "Tokens".
///
/// After J. Duda, "Asymmetric numeral systems" (arXiv 1311.2540), with 64-bit states, 32-bit words and 11-bit frequencies.
namespace terrane::codec {

inline constexpr std::size_t kMaxTokens = 128 * 128;  // in one call

/// Appends the code of `tokens` to `out`: table of frequencies, states, words.
/// @param lanes  1 or 4: how many tokens are decoded side by side; each lane costs four bytes
void encode_tokens(std::span<const std::uint8_t> tokens, unsigned lanes, std::string& out);

/// Fills `tokens` from the front of `bytes` and takes what it read off.
/// @return one more than the largest token that can occur
/// Errors: kDataLoss with what is wrong.
[[nodiscard]] Result<unsigned> decode_tokens(std::string_view& bytes, unsigned lanes, std::span<std::uint8_t> tokens);

}  // namespace terrane::codec
