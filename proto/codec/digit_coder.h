#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "codec/grouping.h"
#include "terrane/result.h"

/// Entropy coding of small numbers: symbols of one or more digits, by a prefix code made for them.
/// FORMAT.md, "Symbols".
namespace terrane::codec {

/// Appends the code of `digits` to `out`.
/// @param digits  each below the grouping's base; a multiple of its digits and streams, at most
///   kMaxDigits
void encode_digits(std::span<const std::uint8_t> digits, const Grouping& grouping,
                   std::string& out);

/// Fills `digits`, of which there must be a number as above, from the front of `bytes` and takes
/// what it read off. Errors: kDataLoss with what is wrong.
[[nodiscard]] Result<void> decode_digits(std::string_view& bytes, const Grouping& grouping,
                                         std::span<std::uint8_t> digits);

}  // namespace terrane::codec
