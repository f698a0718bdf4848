#include "codec/predictor.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "codec/vector_clones.h"
#include "codec/zigzag.h"

#ifdef TERRANE_VECTOR_AVX2
#include <immintrin.h>
#endif

#define TERRANE_INLINE [[gnu::always_inline]] inline

namespace terrane::codec {
namespace {

/// v / 2^bits, rounded down; the upper half of v's range is negative.
template <typename Word>
constexpr Word shift_down(Word value, unsigned bits) {
  return static_cast<Word>(static_cast<std::make_signed_t<Word>>(value) >> bits);
}

/// Runs `body` with the predictor as a constant: its weights are then known to the compiler, and
/// what has none is not loaded.
template <typename Body>
TERRANE_INLINE void with_predictor(unsigned predictor, Body body) {
  switch (predictor) {
    case 0: return body(std::integral_constant<unsigned, 0>());
    case 1: return body(std::integral_constant<unsigned, 1>());
    case 2: return body(std::integral_constant<unsigned, 2>());
    case 3: return body(std::integral_constant<unsigned, 3>());
    case 4: return body(std::integral_constant<unsigned, 4>());
    case 5: return body(std::integral_constant<unsigned, 5>());
    case 6: return body(std::integral_constant<unsigned, 6>());
    default: return body(std::integral_constant<unsigned, 7>());
  }
}

/// The two rows above one.
template <typename Word>
struct Above {
  Above(const Numbers<Word>& numbers, std::size_t y)
      : row(numbers.row(y - 1)), row2(numbers.row(y > 1 ? y - 2 : y - 1)) {}

  /// The weighted sum of number i's neighbours above, plus what rounds it, in 1/16.
  template <unsigned kPredictor>
  TERRANE_INLINE Word sum(std::size_t i) const {
    constexpr Predictor kWeights = kPredictors[kPredictor];
    unsigned sum = 1U << kWeightBits >> 1;
    for (std::size_t tap = 0; tap < 4; ++tap) {
      sum += static_cast<unsigned>(kWeights.above[tap]) * (row - 2)[i + tap];
      sum += static_cast<unsigned>(kWeights.above2[tap]) * (row2 - 2)[i + tap];
    }
    return static_cast<Word>(sum);
  }

  [[nodiscard]] Word expect_first(unsigned predictor) const {
    return predictor == 0 ? row[0] : static_cast<Word>(2U * row[0] - row2[0]);
  }

  const Word* row;
  const Word* row2;
};

/// Calls `body` for all indices of a row: sizes are multiples of 16, which makes whole vectors
/// without a rest.
template <typename Body>
TERRANE_INLINE void for_row(std::size_t size, Body body) {
  constexpr std::size_t kBlock = 16;
  for (std::size_t block = 0; block < size; block += kBlock) {
    for (std::size_t i = block; i < block + kBlock; ++i) body(i);
  }
}

template <unsigned kPredictor, typename Word>
TERRANE_INLINE Word residual_at(const Word* row, const Above<Word>& above, std::size_t i) {
  constexpr auto kLeft = static_cast<unsigned>(kPredictors[kPredictor].left);
  const auto sum = static_cast<Word>(kLeft * (row - 1)[i] + above.template sum<kPredictor>(i));
  return zigzag(static_cast<Word>(row[i] - shift_down(sum, kWeightBits)));
}

/// Larger residuals count as this one, so that a row's sum fits.
template <typename Word>
constexpr Word kLargestSummed = static_cast<Word>(std::numeric_limits<Word>::max() / kMaxRowSize);

template <typename Word>
TERRANE_INLINE std::uint32_t sum_row(unsigned predictor, const Numbers<Word>& numbers,
                                     std::size_t y) {
  const Word* const row = numbers.row(y);
  const Above<Word> above(numbers, y);
  std::uint32_t sum = 0;
  with_predictor(
      predictor, [&](auto constant) __attribute__((always_inline)) {
        Word of_row = 0;
        for_row(numbers.size, [&](std::size_t i) {
          const Word residual = residual_at<constant()>(row, above, i);
          of_row = static_cast<Word>(of_row + std::min(residual, kLargestSummed<Word>));
        });
        sum = of_row;
      });
  return sum;
}

template <typename Word>
void first_row_residuals(unsigned predictor, const Word* row, std::size_t size, Word* residuals) {
  residuals[0] = zigzag(row[0]);
  unsigned step = 0;
  for (std::size_t i = 1; i < size; ++i) {
    residuals[i] = zigzag(static_cast<Word>(row[i] - row[i - 1] - step));
    step = predictor == 0 ? 0U : static_cast<unsigned>(row[i] - row[i - 1]);
  }
}

template <typename Word>
TERRANE_INLINE Word residuals_of_all(unsigned predictor, const Numbers<Word>& numbers,
                                     Word* residuals) {
  const std::size_t size = numbers.size;
  first_row_residuals(predictor, numbers.row(0), size, residuals);
  with_predictor(
      predictor, [&](auto constant) __attribute__((always_inline)) {
        for (std::size_t y = 1; y < size; ++y) {
          const Word* const row = numbers.row(y);
          const Above<Word> above(numbers, y);
          Word* __restrict const to = residuals + y * size;
          for_row(size, [&](std::size_t i) { to[i] = residual_at<constant()>(row, above, i); });
          to[0] = zigzag(static_cast<Word>(row[0] - above.expect_first(predictor)));
        }
      });
  Word any_bits = 0;
  for (std::size_t i = 0; i < size * size; ++i)
    any_bits = static_cast<Word>(any_bits | residuals[i]);
  return any_bits;
}

template <typename Word>
void restore_first_row(unsigned predictor, std::size_t size, Word* row) {
  row[0] = unzigzag(row[0]);
  unsigned step = 0;
  for (std::size_t i = 1; i < size; ++i) {
    step = unzigzag(row[i]) + (predictor == 0 ? 0U : step);
    row[i] = static_cast<Word>(row[i - 1] + step);
  }
}

/// row[i] = row[i - 1] + steps[i], as row[0] is known.
template <typename Word>
TERRANE_INLINE void add_along(const std::make_signed_t<Word>* steps, std::size_t size, Word* row) {
  for (std::size_t i = 1; i < size; ++i)
    row[i] = static_cast<Word>(row[i - 1] + static_cast<unsigned>(steps[i]));
}

/// row[i] = (row[i - 1] + steps[i]) / 2, rounded down; steps[0] is such that row[0], which is
/// known, comes out again. Four at a time: halves of halves are quarters, whichever way they are
/// rounded down, so only every fourth number waits for the one before.
template <typename Word>
TERRANE_INLINE void halve_along(const std::make_signed_t<Word>* steps, std::size_t size,
                                Word* row) {
  const auto step = [steps](std::size_t i) {
    return static_cast<std::uint32_t>(std::int32_t{steps[i]});
  };
  std::uint32_t value = row[0];
  for (std::size_t i = 0; i < size; i += 4) {
    const std::uint32_t sum1 = step(i);
    const std::uint32_t sum2 = sum1 + 2 * step(i + 1);
    const std::uint32_t sum3 = sum2 + 4 * step(i + 2);
    const std::uint32_t sum4 = sum3 + 8 * step(i + 3);
    row[i] = static_cast<Word>(shift_down(value + sum1, 1));
    row[i + 1] = static_cast<Word>(shift_down(value + sum2, 2));
    row[i + 2] = static_cast<Word>(shift_down(value + sum3, 3));
    value = shift_down(value + sum4, 4);
    row[i + 3] = static_cast<Word>(value);
  }
}

template <typename Word>
TERRANE_INLINE void restore_all(unsigned predictor, const Numbers<Word>& numbers) {
  const std::size_t size = numbers.size;
  restore_first_row(predictor, size, numbers.row(0));
  pad_row(numbers.row(0), size);
  with_predictor(
      predictor, [&](auto constant) __attribute__((always_inline)) {
        constexpr bool kHalves = kPredictors[constant()].left == 8;
        // All that the numbers of a row need but the one to the left of each: in 1/2 where that
        // counts half, else in 1.
        std::array<std::make_signed_t<Word>, kMaxRowSize> steps;
        for (std::size_t y = 1; y < size; ++y) {
          Word* const row = numbers.row(y);
          const Above<Word> above(numbers, y);
          for_row(size, [&](std::size_t i) {
            const auto sum =
                static_cast<Word>(above.template sum<constant()>(i) +
                                  (static_cast<unsigned>(unzigzag(row[i])) << kWeightBits));
            steps[i] = static_cast<std::make_signed_t<Word>>(
                shift_down(sum, kHalves ? kWeightBits - 1 : kWeightBits));
          });
          const auto first = static_cast<Word>(above.expect_first(predictor) + unzigzag(row[0]));
          row[0] = first;
          if constexpr (kHalves) {
            steps[0] =
                static_cast<std::make_signed_t<Word>>(first);  // as (first + first) / 2 is first
            halve_along(steps.data(), size, row);
          } else {
            add_along(steps.data(), size, row);
          }
          pad_row(row, size);
        }
      });
}

TERRANE_VECTOR_PLAIN void restore_narrow(unsigned predictor,
                                         const Numbers<std::uint16_t>& numbers) {
  restore_all(predictor, numbers);
}

#ifdef TERRANE_VECTOR_AVX2
#define TERRANE_AVX2_INLINE TERRANE_VECTOR_AVX2 TERRANE_INLINE

using Words [[gnu::vector_size(32)]] = std::int16_t;  // sixteen
using Pairs [[gnu::vector_size(32)]] = std::int32_t;  // eight, each in the place of two words
constexpr std::size_t kWords = 16;
constexpr std::size_t kMaxBlocks = kMaxRowSize / kWords;

/// Moves each half up by some bytes; zeros follow.
template <int kBytes, typename Vector>
TERRANE_AVX2_INLINE Vector moved_up(const Vector& vector) {
  return Vector(_mm256_slli_si256(__m256i(vector), kBytes));
}

/// The upper half of one and the lower half of another.
TERRANE_AVX2_INLINE Words middle_of(const Words& low, const Words& high) {
  return Words(_mm256_permute2x128_si256(__m256i(low), __m256i(high), 0x21));
}

/// What pad_row puts before a row, in the last words.
TERRANE_AVX2_INLINE Words pad_before(const Words& row) {
  constexpr Words kFarther = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0};
  const Words step = Words{} + static_cast<std::int16_t>(row[0] - row[1]);
  return row[0] + step + (step & kFarther);
}

/// What it puts behind one, in the first word.
TERRANE_AVX2_INLINE Words pad_behind(const Words& row) {
  return Words{static_cast<std::int16_t>(2 * row[15] - row[14])};
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
/// sum of sixteen steps: what ends two of them first, from which the others follow.
TERRANE_AVX2_INLINE Words follow(const Words& steps, Pairs& value) {
  constexpr Words kWeights = {1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2};
  Pairs sums = Pairs(_mm256_madd_epi16(__m256i(steps), __m256i(kWeights)));
  sums <<= Pairs{0, 2, 4, 6, 8, 10, 12, 14};
  sums += moved_up<4>(sums);
  sums += moved_up<8>(sums);
  sums += __builtin_shufflevector(Pairs{}, sums, 0, 0, 0, 0, 11, 11, 11, 11);
  const Pairs seconds = (value + sums) >> Pairs{2, 4, 6, 8, 10, 12, 14, 16};
  const Pairs before = __builtin_shufflevector(value, seconds, 0, 8, 9, 10, 11, 12, 13, 14);
  value = Pairs{} + seconds[7];
  const Words firsts = (Words(before) + steps) >> 1;
  return Words(_mm256_blend_epi16(__m256i(firsts), __m256i(seconds << 16), 0xaa));
}

/// As restore_all, sixteen at a time. Rows above are read as the whole vectors that were written:
/// others, which lie across two of them, would have to wait until both have reached the cache.
template <unsigned kPredictor>
TERRANE_VECTOR_AVX2 void restore_rows(const Numbers<std::uint16_t>& numbers) {
  constexpr Predictor kWeights = kPredictors[kPredictor];
  constexpr bool kHalves = kWeights.left == 8;
  const std::size_t blocks = numbers.size / kWords;
  std::array<Words, kMaxBlocks + 1> above;  // the row above, and what is behind it
  std::array<Words, kMaxBlocks> sums2;      // of the one above that; less than 0
  // what takes the place of a row's first step, so that `first` comes out again
  std::array<Words, kMaxBlocks> kept;
  std::array<Words, kMaxBlocks> instead;
  kept.fill(~Words{});
  instead.fill(Words{});
  kept[0] = ~Words{-1};

  std::memcpy(above.data(), numbers.row(0), numbers.size * sizeof(std::uint16_t));
  std::uint16_t first = *numbers.row(0);
  std::uint16_t first2 = first;
  for (std::size_t y = 1; y < numbers.size; ++y) {
    std::uint16_t* const row = numbers.row(y);
    const unsigned expected = kPredictor == 0 ? first : 2U * first - first2;
    first2 = std::exchange(first, static_cast<std::uint16_t>(expected + unzigzag(row[0])));
    std::conditional_t<kHalves, Pairs, Words> value = {};
    value += static_cast<std::int16_t>(first);
    if constexpr (kHalves) instead[0] = Words{static_cast<std::int16_t>(first)};
    above[blocks] = pad_behind(above[blocks - 1]);
    Words left = middle_of(pad_before(above[0]), above[0]);
    for (std::size_t block = 0; block < blocks; ++block) {
      const Words here = above[block];
      const Words right = middle_of(here, above[block + 1]);
      const Words sum2 = weighted<-kWeights.above2[0], -kWeights.above2[1], -kWeights.above2[2],
                                  -kWeights.above2[3]>(left, here, right);
      Words sum =
          weighted<kWeights.above[0], kWeights.above[1], kWeights.above[2], kWeights.above[3]>(
              left, here, right);
      sum -= y > 1 ? sums2[block] : sum2;
      sums2[block] = sum2;
      left = right;
      Words residuals;
      std::memcpy(&residuals, row + block * kWords, sizeof residuals);
      const Words positive = (residuals & 1) - 1;  // all bits, or none
      // with the 8 that rounds sums: an 8th of it is 1, and -~n is n + 1
      Words steps = kHalves ? (sum >> 3) - (residuals ^ positive)
                            : ((sum + 8) >> 4) + (residuals >> 1 ^ ~positive);
      steps = (steps & kept[block]) + instead[block];
      const Words restored = follow(steps, value);
      above[block] = restored;
      std::memcpy(row + block * kWords, &restored, sizeof restored);
    }
  }
}

TERRANE_VECTOR_AVX2 void restore_narrow(unsigned predictor, const Numbers<std::uint16_t>& numbers) {
  restore_first_row(predictor, numbers.size, numbers.row(0));
  with_predictor(predictor, [&](auto constant) { restore_rows<constant()>(numbers); });
}
#endif

}  // namespace

TERRANE_VECTOR_CLONES std::uint32_t residual_sum(unsigned predictor,
                                                 const Numbers<std::uint32_t>& numbers,
                                                 std::size_t y) {
  return sum_row(predictor, numbers, y);
}
TERRANE_VECTOR_CLONES std::uint32_t residual_sum(unsigned predictor,
                                                 const Numbers<std::uint16_t>& numbers,
                                                 std::size_t y) {
  return sum_row(predictor, numbers, y);
}
TERRANE_VECTOR_CLONES std::uint32_t find_residuals(unsigned predictor,
                                                   const Numbers<std::uint32_t>& numbers,
                                                   std::uint32_t* residuals) {
  return residuals_of_all(predictor, numbers, residuals);
}
TERRANE_VECTOR_CLONES std::uint16_t find_residuals(unsigned predictor,
                                                   const Numbers<std::uint16_t>& numbers,
                                                   std::uint16_t* residuals) {
  return residuals_of_all(predictor, numbers, residuals);
}
TERRANE_VECTOR_CLONES void restore_numbers(unsigned predictor,
                                           const Numbers<std::uint32_t>& numbers) {
  restore_all(predictor, numbers);
}
void restore_numbers(unsigned predictor, const Numbers<std::uint16_t>& numbers) {
  restore_narrow(predictor, numbers);
}

}  // namespace terrane::codec
#undef TERRANE_INLINE
