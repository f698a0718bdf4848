#include "codec/predictor.h"

#include "codec/residual.h"
#include "codec/vector_clones.h"

namespace terrane::codec {
namespace {

/// One predictor with its weights known to the compiler: no multiplications, and what has no weight is not loaded.
template <unsigned kPredictor>
[[gnu::always_inline]] inline void sum_row(const std::uint32_t* above, const std::uint32_t* above2, std::size_t size,
                                           std::uint32_t* sums) {
  constexpr std::uint32_t kHalf = 1U << kWeightBits >> 1;
  constexpr Predictor kWeights = kPredictors[kPredictor];
  const auto weighted = [](std::int32_t weight, std::uint32_t sample) { return static_cast<std::uint32_t>(weight) * sample; };
  for (std::size_t i = 1; i < size; ++i) {
    std::uint32_t sum = kHalf;
    for (std::size_t tap = 0; tap < 4; ++tap) {
      sum += weighted(kWeights.above[tap], above[i + tap - 2]);
      sum += weighted(kWeights.above2[tap], above2[i + tap - 2]);
    }
    sums[i] = sum;
  }
}

/// For each number of a row but the first: the weighted sum of its neighbours above, plus what rounds it, in 1/16.
TERRANE_VECTOR_CLONES void sum_above(unsigned predictor, const std::uint32_t* above, const std::uint32_t* above2,
                                     std::size_t size, std::uint32_t* sums) {
  switch (predictor) {
    case 0: return sum_row<0>(above, above2, size, sums);
    case 1: return sum_row<1>(above, above2, size, sums);
    case 2: return sum_row<2>(above, above2, size, sums);
    case 3: return sum_row<3>(above, above2, size, sums);
    case 4: return sum_row<4>(above, above2, size, sums);
    case 5: return sum_row<5>(above, above2, size, sums);
    case 6: return sum_row<6>(above, above2, size, sums);
    default: return sum_row<7>(above, above2, size, sums);
  }
}

/// v / 2^bits, rounded down; from 2^31 on v is negative.
constexpr std::uint32_t shift_down(std::uint32_t value, unsigned bits) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(value) >> bits);
}

TERRANE_VECTOR_CLONES void fold_differences(const std::uint32_t* row, const std::uint32_t* sums, std::uint32_t left,
                                            std::size_t size, std::uint32_t* folded) {
  for (std::size_t i = 1; i < size; ++i) folded[i] = fold(row[i] - shift_down(left * row[i - 1] + sums[i], kWeightBits));
}

/// All that a row's numbers need but the sample to the left of each: residual and neighbours above, in 1 / 2^(kWeightBits -
/// bits).
TERRANE_VECTOR_CLONES void add_residuals(const std::uint32_t* folded, unsigned bits, std::size_t size, std::uint32_t* sums) {
  for (std::size_t i = 1; i < size; ++i) sums[i] = shift_down(sums[i] + (unfold(folded[i]) << kWeightBits), bits);
}

std::uint32_t expect_first(unsigned predictor, const std::uint32_t* above, const std::uint32_t* above2) {
  return predictor == 0 ? above[0] : 2 * above[0] - above2[0];
}

void fold_first_row(unsigned predictor, const std::uint32_t* row, std::size_t size, std::uint32_t* folded) {
  folded[0] = fold(row[0]);
  std::uint32_t step = 0;
  for (std::size_t i = 1; i < size; ++i) {
    folded[i] = fold(row[i] - row[i - 1] - step);
    step = predictor == 0 ? 0 : row[i] - row[i - 1];
  }
}

void unfold_first_row(unsigned predictor, const std::uint32_t* folded, std::size_t size, std::uint32_t* row) {
  row[0] = unfold(folded[0]);
  std::uint32_t step = 0;
  for (std::size_t i = 1; i < size; ++i) {
    step = unfold(folded[i]) + (predictor == 0 ? 0 : step);
    row[i] = row[i - 1] + step;
  }
}

}  // namespace

void fold_row(unsigned predictor, const std::uint32_t* row, const std::uint32_t* above, const std::uint32_t* above2,
              std::size_t size, std::uint32_t* folded) {
  if (above == nullptr) return fold_first_row(predictor, row, size, folded);
  if (above2 == nullptr) above2 = above;
  std::array<std::uint32_t, kMaxRowSize> sums;
  sum_above(predictor, above, above2, size, sums.data());
  fold_differences(row, sums.data(), static_cast<std::uint32_t>(kPredictors[predictor].left), size, folded);
  folded[0] = fold(row[0] - expect_first(predictor, above, above2));
}

void unfold_row(unsigned predictor, const std::uint32_t* folded, const std::uint32_t* above, const std::uint32_t* above2,
                std::size_t size, std::uint32_t* row) {
  if (above == nullptr) return unfold_first_row(predictor, folded, size, row);
  if (above2 == nullptr) above2 = above;
  const bool halves = kPredictors[predictor].left == 8;
  std::array<std::uint32_t, kMaxRowSize> steps;
  sum_above(predictor, above, above2, size, steps.data());
  add_residuals(folded, halves ? kWeightBits - 1 : kWeightBits, size, steps.data());
  std::uint32_t value = expect_first(predictor, above, above2) + unfold(folded[0]);
  row[0] = value;
  // What can't be done side by side: one or two operations from sample to sample.
  if (halves) {
    for (std::size_t i = 1; i < size; ++i) row[i] = value = shift_down(value + steps[i], 1);
  } else {
    for (std::size_t i = 1; i < size; ++i) row[i] = value += steps[i];
  }
}

}  // namespace terrane::codec
