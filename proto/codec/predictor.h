#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "codec/numbers.h"

/// What a raster's numbers are expected to be, from those already known. FORMAT.md, "Numbers".
namespace terrane::codec {

/// Weights of the known neighbours in 1/16; all nine add up to 16. `above` and `above2` are of the
/// one and the two rows above, from two samples to the left of the expected one to one to its
/// right.
struct Predictor {
  // 16 or 8: what is left of it can then be done while the decoder goes along a row
  std::int32_t left;
  std::array<std::int32_t, 4> above;
  std::array<std::int32_t, 4> above2;
};

inline constexpr unsigned kWeightBits = 4;
inline constexpr std::size_t kMaxRowSize = 128;

/// Part of the format. The first three are the textbook's; the others were fitted by least squares
/// to clusters of layers of the worlds `perlin` and `classic` at lods 0 to 4: halving the weight of
/// the sample to the left averages its rounding away.
inline constexpr std::array<Predictor, 8> kPredictors = {{
    {16, {0, 0, 0, 0}, {0, 0, 0, 0}},
    {16, {0, -16, 16, 0}, {0, 0, 0, 0}},
    {16, {-8, -8, 8, 8}, {4, 4, -4, -4}},
    {8, {0, 0, 8, 0}, {0, 0, 0, 0}},
    {8, {-1, 1, 8, 8}, {-1, -1, -2, -4}},
    {8, {1, 2, 5, 7}, {-2, -2, -2, -1}},
    {8, {-4, 11, 3, -1}, {-2, 0, 0, 1}},
    {8, {1, 3, 5, 7}, {-3, -3, -2, 0}},
}};

/// residuals from what is expected are below it if the numbers are below their limit: in
/// 32 bits, and in 16.
inline constexpr unsigned kResidualBits = 24;
inline constexpr unsigned kNarrowResidualBits = 10;  // an encoder must look whether they are

/// The sum of the residuals between a row and what is expected of it, but for its first
/// number; large ones count less, so that the sum fits.
/// @param y  at least 1
[[nodiscard]] std::uint32_t residual_sum(unsigned predictor, const Numbers<std::uint32_t>& numbers,
                                         std::size_t y);
[[nodiscard]] std::uint32_t residual_sum(unsigned predictor, const Numbers<std::uint16_t>& numbers,
                                         std::size_t y);

/// residuals (residual.h) between all numbers and what is expected of them.
/// @param residuals  receives size * size of them
/// @return the bits that any of them has
std::uint32_t find_residuals(unsigned predictor, const Numbers<std::uint32_t>& numbers,
                             std::uint32_t* residuals);
std::uint16_t find_residuals(unsigned predictor, const Numbers<std::uint16_t>& numbers,
                             std::uint16_t* residuals);

/// The inverse of find_residuals, in place, and the padding. If all results are below their limit,
/// they are what FORMAT.md means.
/// @param numbers  residuals, below 2^kResidualBits or 2^kNarrowResidualBits
void restore_numbers(unsigned predictor, const Numbers<std::uint32_t>& numbers);
void restore_numbers(unsigned predictor, const Numbers<std::uint16_t>& numbers);

}  // namespace terrane::codec
