// Small functions of the stages, compiled once per instruction set. Plain loops over floats: the
// compiler makes vectors of them, and every operation is exactly rounded, so that all instruction
// sets agree.

#include <cmath>

#include "hwy/highway.h"
#include "worldgen/terrains/continents/curve.h"

#ifndef TERRANE_INDEPENDENT
// Before a loop whose passes do not see each other's results, though its arrays' names do not tell
// the compiler: GCC heeds __restrict on parameters, but not on pointers taken out of a struct.
#if defined(__GNUC__) && !defined(__clang__)
#define TERRANE_INDEPENDENT _Pragma("GCC ivdep")
#else
#define TERRANE_INDEPENDENT
#endif
#endif

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::continents::HWY_NAMESPACE {

HWY_INLINE float clamp01(float x) {
  const float above = x > 0.0f ? x : 0.0f;
  return above < 1.0f ? above : 1.0f;
}

HWY_INLINE float larger(float a, float b) { return a > b ? a : b; }
HWY_INLINE float smaller(float a, float b) { return a < b ? a : b; }

/// 0 at 0, 1 at 1, level at both.
HWY_INLINE float smooth(float x) {
  const float t = clamp01(x);
  return t * t * (3.0f - 2.0f * t);
}

HWY_INLINE float mix(float a, float b, float t) { return a + t * (b - a); }

/// The lower of two values, rounded within `blend` of where they meet: at most a quarter of it
/// lower than both.
HWY_INLINE float lower_of(float a, float b, float blend) {
  const float share = clamp01(0.5f + (b - a) * (0.5f / blend));
  return mix(b, a, share) - blend * share * (1.0f - share);
}

HWY_INLINE float root(float x) { return std::sqrt(x); }

/// Each value's place on a curve.
inline void apply(const Curve& curve, float* HWY_RESTRICT values, int n) {
  const float* HWY_RESTRICT table = curve.values.data();
  const float first = curve.first, steps_per_unit = curve.steps_per_unit;
  constexpr auto kSteps = static_cast<float>(Curve::kSteps);
  for (int i = 0; i < n; ++i) {
    const float inside = smaller(larger((values[i] - first) * steps_per_unit, 0.0f), kSteps);
    const auto whole = static_cast<std::int32_t>(inside);
    const std::int32_t step = whole < Curve::kSteps ? whole : Curve::kSteps - 1;
    values[i] = mix(table[step], table[step + 1], inside - static_cast<float>(step));
  }
}

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
