#include "codec/predictor.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "codec/predictor_avx2.h"
#include "codec/vector_clones.h"
#include "codec/zigzag.h"

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
  with_predictor(predictor, [&](auto constant) TERRANE_INLINE_LAMBDA {
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
  with_predictor(predictor, [&](auto constant) TERRANE_INLINE_LAMBDA {
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
  with_predictor(predictor, [&](auto constant) TERRANE_INLINE_LAMBDA {
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
        steps[0] = static_cast<std::make_signed_t<Word>>(first);  // as (first + first) / 2 is first
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
TERRANE_VECTOR_AVX2 void restore_narrow(unsigned predictor, const Numbers<std::uint16_t>& numbers) {
  restore_first_row(predictor, numbers.size, numbers.row(0));
  with_predictor(predictor, [&](auto constant) { avx2::restore_rows<constant()>(numbers); });
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
