#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "codec/vector_clones.h"

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
inline constexpr std::uint32_t kHalf = 1U << kWeightBits >> 1;

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

/// For each sample of a row but the first: the weighted sum of its neighbours above plus what rounds it, in 1/16.
/// @param above   the row above, padded
/// @param above2  the row above that, padded; in the second row the same as `above`
void sum_above(unsigned predictor, const std::uint32_t* above, const std::uint32_t* above2, std::size_t size,
               std::uint32_t* sums);

/// sum / 16, rounded down; a negative sum is one from 2^31 on.
constexpr std::uint32_t sixteenth(std::uint32_t sum) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(sum) >> kWeightBits);
}

/// Expected first sample of a row but the first; parameters as above.
constexpr std::uint32_t expect_first(unsigned predictor, const std::uint32_t* above, const std::uint32_t* above2) {
  return predictor == 0 ? above[0] : 2 * above[0] - above2[0];
}

}  // namespace terrane::codec
