#pragma once

#include <cstddef>
#include <cstdint>

/// What a raster's samples are expected to be, from those already known. FORMAT.md, "Predictors". Arithmetic is modulo 2^32.
namespace terrane::codec {

/// How a sample follows from the one before it in its row: which step is expected.
enum class Predictor : std::uint8_t {
  kFlat = 0,    // none
  kPlanar = 1,  // the step of the row above
  kSmooth = 2,  // that, averaged over three steps weighted 1 2 1: rounding cancels
  kCurved = 3,  // twice the smooth step of the row above less that of the row before it
};
inline constexpr unsigned kPredictorCount = 4;

namespace predictor_detail {

inline std::uint32_t quarter(std::uint32_t sum) {  // rounded; a negative sum is one from 2^31 on
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(sum + 2) >> 2);
}

/// Four times the smooth step towards sample i.
inline std::uint32_t smooth4(const std::uint32_t* row, std::size_t i) { return row[i + 1] + row[i] - row[i - 1] - row[i - 2]; }

}  // namespace predictor_detail

/// Expected steps of a row but the first: steps[i] for 1 <= i < size is what sample i is expected to have over sample i - 1.
/// @param above   the row above
/// @param above2  the row before that; null in the second row
inline void expect_steps(Predictor predictor, const std::uint32_t* above, const std::uint32_t* above2, std::size_t size,
                         std::uint32_t* steps) {
  using namespace predictor_detail;
  if (predictor == Predictor::kFlat) {
    for (std::size_t i = 1; i < size; ++i) steps[i] = 0;
    return;
  }
  if (predictor == Predictor::kPlanar) {
    for (std::size_t i = 1; i < size; ++i) steps[i] = above[i] - above[i - 1];
    return;
  }
  // Beside the row's ends the smooth step would need samples that are not there.
  steps[1] = above[1] - above[0];
  steps[size - 1] = above[size - 1] - above[size - 2];
  if (predictor == Predictor::kSmooth || above2 == nullptr) {
    for (std::size_t i = 2; i + 1 < size; ++i) steps[i] = quarter(smooth4(above, i));
  } else {
    for (std::size_t i = 2; i + 1 < size; ++i) steps[i] = quarter(2 * smooth4(above, i) - smooth4(above2, i));
  }
}

/// Expected first sample of a row but the first; parameters as above.
inline std::uint32_t expect_first(Predictor predictor, const std::uint32_t* above, const std::uint32_t* above2) {
  return predictor == Predictor::kFlat || above2 == nullptr ? above[0] : 2 * above[0] - above2[0];
}

}  // namespace terrane::codec
