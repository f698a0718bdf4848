#pragma once

#include "codec/vector_clones.h"

#ifdef TERRANE_VECTOR_AVX2
#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "codec/numbers.h"
#include "codec/predictor.h"
#include "codec/zigzag.h"

#define TERRANE_AVX2_INLINE TERRANE_VECTOR_AVX2 TERRANE_INLINE

/// Restores rows of numbers of 16 bits, sixteen at a time. A row waits for the one above, so this
/// does early what can be done without that one, even where it takes more instructions in all.
namespace terrane::codec::avx2 {

using Words [[gnu::vector_size(32)]] = std::int16_t;  // sixteen
using Pairs [[gnu::vector_size(32)]] = std::int32_t;  // eight, each in the place of two words
inline constexpr std::size_t kWords = 16;

/// Moves each half up by some bytes; zeros follow.
template <int kBytes, typename Vector>
TERRANE_AVX2_INLINE Vector moved_up(const Vector& vector) {
  return Vector(_mm256_slli_si256(__m256i(vector), kBytes));
}

/// The upper half of one and the lower half of another.
TERRANE_AVX2_INLINE Words middle_of(const Words& low, const Words& high) {
  return Words(_mm256_permute2x128_si256(__m256i(low), __m256i(high), 0x21));
}

/// The middle of what pad_row puts before a row, of which only the last two words count, and its
/// first block.
TERRANE_AVX2_INLINE Words middle_before(const Words& first) {
  // in the first word
  const Words step = first - Words(_mm256_srli_si256(__m256i(first), 2));
  const Words nearer = first + step;
  const Words farther = nearer + step;
  const Words both = Words(_mm256_unpacklo_epi16(__m256i(farther), __m256i(nearer)));
  return Words(_mm256_permute2x128_si256(__m256i(moved_up<12>(both)), __m256i(first), 0x20));
}

/// The middle of a row's last block and what pad_row puts behind it, of which only the first word
/// counts.
TERRANE_AVX2_INLINE Words middle_behind(const Words& last) {
  const Words behind = last + last - moved_up<2>(last);  // in the last word
  return Words(
      _mm256_permute2x128_si256(__m256i(last), _mm256_srli_si256(__m256i(behind), 14), 0x31));
}

/// Sums of sixteen numbers' neighbours in one of the rows above, each times its weight.
/// @param left, right  the middles of these sixteen numbers of that row and those beside them
template <std::int16_t kWeight0, std::int16_t kWeight1, std::int16_t kWeight2,
          std::int16_t kWeight3>
TERRANE_AVX2_INLINE Words weighted(const Words& left, const Words& here, const Words& right) {
  return Words(_mm256_alignr_epi8(__m256i(here), __m256i(left), 12)) * kWeight0 +
         Words(_mm256_alignr_epi8(__m256i(here), __m256i(left), 14)) * kWeight1 + here * kWeight2 +
         Words(_mm256_alignr_epi8(__m256i(right), __m256i(here), 2)) * kWeight3;
}

/// row[i] = row[i - 1] + steps[i]. @param value  the number to the left, then the last one, in all
/// words
TERRANE_AVX2_INLINE Words follow(Words steps, Words& value) {
  steps += moved_up<2>(steps);
  steps += moved_up<4>(steps);
  steps += moved_up<8>(steps);
  steps += __builtin_shufflevector(Words{}, steps, 0, 0, 0, 0, 0, 0, 0, 0,  //
                                   23, 23, 23, 23, 23, 23, 23, 23);
  steps += value;
  value = Words{} + steps[15];
  return steps;
}

/// row[i] = (row[i - 1] + steps[i]) / 2, rounded down, see halve_along. In 32 bits, which hold the
/// sum of sixteen steps: what ends two of them and what is before them, from which the others
/// follow.
TERRANE_AVX2_INLINE Words follow(const Words& steps, Pairs& value) {
  // less than 0, as 2^15 would not fit
  constexpr Words kWeights = {-1,   -2,   -4,    -8,    -16,   -32,   -64,    -128,
                              -256, -512, -1024, -2048, -4096, -8192, -16384, -32768};
  const Pairs own = Pairs(_mm256_madd_epi16(__m256i(steps), __m256i(kWeights)));
  Pairs sums = own + moved_up<4>(own);
  sums += moved_up<8>(sums);
  sums += __builtin_shufflevector(Pairs{}, sums, 0, 0, 0, 0, 11, 11, 11, 11);
  const Pairs before = (value - (sums - own)) >> Pairs{0, 2, 4, 6, 8, 10, 12, 14};
  const Pairs seconds = (value - sums) >> Pairs{2, 4, 6, 8, 10, 12, 14, 16};
  value = Pairs{} + seconds[7];
  const Words firsts = (Words(before) + steps) >> 1;
  return Words(_mm256_blend_epi16(__m256i(firsts), __m256i(seconds << 16), 0xaa));
}

/// Rows above the one that is being restored, as vectors: what lies across two of them would, read
/// from memory, have to wait until both have reached the cache.
template <std::size_t kBlocks>
struct RowsAbove {
  std::array<Words, kBlocks> row;
  std::array<Words, kBlocks> sums2;  // of the one above that, less than 0
};

template <unsigned kPredictor>
TERRANE_AVX2_INLINE Words sum_above(const Words& left, const Words& here, const Words& right) {
  constexpr auto kWeights = kPredictors[kPredictor].above;
  return weighted<kWeights[0], kWeights[1], kWeights[2], kWeights[3]>(left, here, right);
}

/// Less than 0.
template <unsigned kPredictor>
TERRANE_AVX2_INLINE Words sum_above2(const Words& left, const Words& here, const Words& right) {
  constexpr auto kWeights = kPredictors[kPredictor].above2;
  return weighted<-kWeights[0], -kWeights[1], -kWeights[2], -kWeights[3]>(left, here, right);
}

template <std::size_t kBlock, std::size_t kBlocks>
TERRANE_AVX2_INLINE Words middle_after(const RowsAbove<kBlocks>& above) {
  if constexpr (kBlock + 1 == kBlocks) {
    return middle_behind(above.row[kBlock]);
  } else {
    return middle_of(above.row[kBlock], above.row[kBlock + 1]);
  }
}

/// What is above row 1, from a block on: row 0 stands for the one above it too.
template <unsigned kPredictor, std::size_t kBlock, std::size_t kBlocks>
TERRANE_AVX2_INLINE void sum_first_row(const Words& left, RowsAbove<kBlocks>& above) {
  if constexpr (kBlock < kBlocks) {
    const Words right = middle_after<kBlock>(above);
    above.sums2[kBlock] = sum_above2<kPredictor>(left, above.row[kBlock], right);
    sum_first_row<kPredictor, kBlock + 1>(right, above);
  }
}

/// Restores a row from a block on. @param value  as follow() has it
template <unsigned kPredictor, std::size_t kBlock, std::size_t kBlocks, typename Value>
TERRANE_AVX2_INLINE void restore_row(const Words& left, std::uint16_t* row, Value& value,
                                     RowsAbove<kBlocks>& above) {
  if constexpr (kBlock < kBlocks) {
    constexpr bool kHalves = kPredictors[kPredictor].left == 8;
    const Words here = above.row[kBlock];
    const Words right = middle_after<kBlock>(above);
    Words residuals;
    std::memcpy(&residuals, row + kBlock * kWords, sizeof residuals);
    const Words positive = (residuals & 1) - 1;  // all bits, or none
    // Less 16 times the residual, less the 8 that rounds sums: known before the row above is.
    const Words rest = ((residuals ^ positive) << 3) + above.sums2[kBlock];
    Words steps = (sum_above<kPredictor>(left, here, right) - rest) >> (kHalves ? 3 : 4);
    if constexpr (kBlock == 0) {  // so that the first number, which is known, comes out again
      constexpr Words kFirst = {-1};
      steps = kFirst ? (kHalves ? Words(value) : Words{}) : steps;
    }
    above.sums2[kBlock] = sum_above2<kPredictor>(left, here, right);
    above.row[kBlock] = follow(steps, value);
    std::memcpy(row + kBlock * kWords, &above.row[kBlock], sizeof(Words));
    restore_row<kPredictor, kBlock + 1>(right, row, value, above);
  }
}

/// As restore_all, but for the first row, which is restored. @tparam kBlocks  of a row
template <unsigned kPredictor, std::size_t kBlocks>
TERRANE_VECTOR_AVX2 void restore_rows(const Numbers<std::uint16_t>& numbers) {
  using Value = std::conditional_t<kPredictors[kPredictor].left == 8, Pairs, Words>;
  RowsAbove<kBlocks> above;
  for (std::size_t block = 0; block < kBlocks; ++block)
    std::memcpy(&above.row[block], numbers.row(0) + block * kWords, sizeof(Words));
  sum_first_row<kPredictor, 0>(middle_before(above.row[0]), above);
  std::uint16_t first = *numbers.row(0);
  std::uint16_t first2 = first;
  for (std::size_t y = 1; y < numbers.size; ++y) {
    std::uint16_t* const row = numbers.row(y);
    const unsigned expected = kPredictor == 0 ? first : 2U * first - first2;
    first2 = std::exchange(first, static_cast<std::uint16_t>(expected + unzigzag(row[0])));
    Value value = Value{} + static_cast<std::int16_t>(first);
    restore_row<kPredictor, 0>(middle_before(above.row[0]), row, value, above);
  }
}

/// @param numbers  of a size that is a power of two up to kMaxRowSize
template <unsigned kPredictor>
void restore_rows(const Numbers<std::uint16_t>& numbers) {
  switch (numbers.size / kWords) {
    case 1: return restore_rows<kPredictor, 1>(numbers);
    case 2: return restore_rows<kPredictor, 2>(numbers);
    case 4: return restore_rows<kPredictor, 4>(numbers);
    default: return restore_rows<kPredictor, 8>(numbers);
  }
}

}  // namespace terrane::codec::avx2
#undef TERRANE_AVX2_INLINE
#endif
