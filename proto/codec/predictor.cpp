#include "codec/predictor.h"

#include <utility>

namespace terrane::codec {
namespace {

/// One predictor with its weights known to the compiler: no multiplications, and what has no weight is not loaded.
template <unsigned kPredictor>
[[gnu::always_inline]] inline void sum_row(const std::uint32_t* above, const std::uint32_t* above2, std::size_t size,
                                           std::uint32_t* sums) {
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

}  // namespace

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

}  // namespace terrane::codec
