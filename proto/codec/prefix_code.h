#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "terrane/result.h"

/// A canonical prefix code with short lengths: which bits say a symbol. FORMAT.md, "Lengths" and
/// "Codes".
namespace terrane::codec {

// bits of the longest code: a decoder's table has 2^11 entries
inline constexpr unsigned kMaxLength = 11;
inline constexpr std::size_t kMaxSymbols = 128;

/// Lengths fill the code exactly: the sum of 2^-length over all symbols that have one is 1.
struct PrefixCode {
  unsigned count = 0;                              // symbols from here on have no code
  std::array<std::uint8_t, kMaxSymbols> length{};  // bits; 0: no code
};

/// Short codes for what occurs often, after D. A. Huffman; at most kMaxLength bits each.
/// @param counts  how often each symbol occurs; at least two symbols, at least one of them not
///   never
[[nodiscard]] PrefixCode fit_code(std::span<const std::uint32_t> counts);

/// The bits of each symbol, for a reader that takes the highest first.
[[nodiscard]] std::array<std::uint16_t, kMaxSymbols> code_bits(const PrefixCode& code);

/// @param base  the length of symbol s is coded relative to that of symbol s - p, where p is the
///   largest power of the base that is not above s (FORMAT.md, "Lengths")
void write_code(const PrefixCode& code, unsigned base, std::string& out);

/// Reads a code from the front of `bytes` and takes it off. Errors: kDataLoss with what is wrong.
/// @param symbols  how many there can be, at most kMaxSymbols
[[nodiscard]] Result<PrefixCode> read_code(std::string_view& bytes, unsigned base,
                                           unsigned symbols);

}  // namespace terrane::codec
