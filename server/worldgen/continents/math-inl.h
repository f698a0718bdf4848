// Small functions of the stages, compiled once per instruction set. Plain loops over floats: the compiler makes vectors of them, and
// every operation is exactly rounded, so that all instruction sets agree.

#include "hwy/highway.h"

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

HWY_INLINE float root(float x) { return __builtin_sqrtf(x); }

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
