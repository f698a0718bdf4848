#pragma once

#include <algorithm>
#include <cstdint>

/// From floats to a world's integers, in operations that are exact or exactly rounded, and that
/// compilers turn into vectors.
namespace terrane::worldgen {

/// The nearest integer, halves upwards. |value| < 2^30.
inline std::int32_t round_to_int(float value) {
  const float shifted = value + 0.5f;
  const auto truncated = static_cast<std::int32_t>(shifted);
  return truncated - (static_cast<float>(truncated) > shifted ? 1 : 0);
}

/// a / b rounded to the nearest integer, halves upwards, for b > 0.
constexpr std::int32_t divide_rounded(std::int32_t a, std::int32_t b) {
  const std::int32_t twice = 2 * a + b;
  return twice / (2 * b) - (twice % (2 * b) < 0 ? 1 : 0);
}

}  // namespace terrane::worldgen
