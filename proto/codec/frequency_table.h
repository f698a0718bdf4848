#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "terrane/result.h"

/// How often each token occurs, out of kFrequencySum; as written before the tokens. FORMAT.md, "Frequencies".
namespace terrane::codec {

inline constexpr unsigned kFrequencyBits = 11;
inline constexpr std::uint32_t kFrequencySum = 1U << kFrequencyBits;
inline constexpr std::size_t kTokenLimit = 192;  // tokens are smaller

/// Frequencies that add up to kFrequencySum; those of tokens from `count` on are 0.
struct FrequencyTable {
  unsigned count = 0;      // one more than the largest token that occurs
  unsigned remainder = 0;  // the token that has what the others leave
  std::array<std::uint16_t, kTokenLimit> frequency{};
};

/// Frequencies in proportion to how often each token occurs, rounded to what can be written; at least 1 for each that occurs.
/// @param tokens  at least one, each below kTokenLimit
[[nodiscard]] FrequencyTable count_tokens(std::span<const std::uint8_t> tokens);

void write_frequencies(const FrequencyTable& table, std::string& out);

/// Reads a table from the front of `bytes` and takes it off. Errors: kDataLoss with what is wrong.
[[nodiscard]] Result<FrequencyTable> read_frequencies(std::string_view& bytes);

}  // namespace terrane::codec
