#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// What a raster's numbers are expected to be, from those already known. FORMAT.md, "Numbers". Arithmetic is modulo 2^32.
namespace terrane::codec {

/// Weights of the known neighbours in 1/16; all nine add up to 16. `above` and `above2` are of the one and the two rows above,
/// from two samples to the left of the expected one to one to its right.
struct Predictor {
  std::int32_t left;  // 16 or 8: what is left of it can then be done while the decoder goes along a row
  std::array<std::int32_t, 4> above;
  std::array<std::int32_t, 4> above2;
};

inline constexpr unsigned kWeightBits = 4;
inline constexpr std::size_t kMaxRowSize = 128;

/// Part of the format. The first three are the textbook's; the others were fitted by least squares to clusters of layers of the
/// worlds `perlin` and `classic` at lods 0 to 4: halving the weight of the sample to the left averages its rounding away.
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

/// Samples beside a row's ends that `above` and `above2` reach for: they go on as straight lines.
inline constexpr std::size_t kPadLeft = 2;
inline constexpr std::size_t kPadRight = 1;

/// @param row  the first of `size` samples, with room for the padding on both sides
inline void pad_row(std::uint32_t* row, std::size_t size) {
  row[-1] = 2 * row[0] - row[1];
  row[-2] = 2 * row[-1] - row[0];
  row[size] = 2 * row[size - 1] - row[size - 2];
}

/// Numbers below it keep their weighted sums below 2^31: an encoder must not go beyond.
inline constexpr std::uint32_t kNumberLimit = 1U << (31 - kWeightBits);

/// Folded differences between a row and what is expected of it (residual.h).
/// @param row     `size` numbers
/// @param above   the row above, padded; null for the first row
/// @param above2  the row above that, padded; null for the first two rows
/// @param folded  receives `size` differences
void fold_row(unsigned predictor, const std::uint32_t* row, const std::uint32_t* above, const std::uint32_t* above2,
              std::size_t size, std::uint32_t* folded);

/// A row from its folded differences: the inverse of fold_row. Any differences give some row.
void unfold_row(unsigned predictor, const std::uint32_t* folded, const std::uint32_t* above, const std::uint32_t* above2,
                std::size_t size, std::uint32_t* row);

}  // namespace terrane::codec
