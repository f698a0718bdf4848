#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "codec/grouping.h"
#include "codec/numbers.h"
#include "terrane/result.h"

/// residuals as digits, of which there are few, and the rests of what is larger. FORMAT.md,
/// "Residuals".
namespace terrane::codec {

/// How residuals become digits.
struct Split {
  unsigned grouping = 0;  // index into kGroupings, or kSparse
  unsigned shift = 0;     // low bits that are not in the digit; 0 for sparse ones
};

/// Only what is not 0 is said, and where.
inline constexpr unsigned kSparse = kGroupings.size();

/// The largest shift, and the largest where residuals are in 16 bits.
inline constexpr unsigned kMaxShift = 12;
inline constexpr unsigned kMaxNarrowShift = 4;

/// Appends the code of a square of residuals.
void encode_residuals(std::span<const std::uint32_t> residuals, const Split& split,
                      std::string& out);
void encode_residuals(std::span<const std::uint16_t> residuals, const Split& split,
                      std::string& out);

/// Fills the rows of `residuals` from `bytes`, all of them.
/// @param limit_bits  more bits than this in a residual are an error
/// Errors: kDataLoss with what is wrong.
[[nodiscard]] Result<void> decode_residuals(std::string_view bytes, const Split& split,
                                            unsigned limit_bits,
                                            const Numbers<std::uint32_t>& residuals);
[[nodiscard]] Result<void> decode_residuals(std::string_view bytes, const Split& split,
                                            unsigned limit_bits,
                                            const Numbers<std::uint16_t>& residuals);

}  // namespace terrane::codec
