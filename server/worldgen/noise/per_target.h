#pragma once

#include <cassert>

#include "hwy/highway.h"
#include "worldgen/noise/simd_target.h"

/// TERRANE_CALL_TARGET(target, f(x)) calls the f that was compiled for `target`. A statement. For
/// files that are compiled once per instruction set, inside of the namespace that holds N_AVX2 and
/// the others.
#ifdef HWY_COMPILE_ONLY_STATIC
// There is one, whatever it is called.
#define TERRANE_CALL_TARGET(target, call) \
  static_cast<void>(target);              \
  HWY_STATIC_DISPATCH(call)
#else

#if HWY_TARGETS & HWY_AVX3
#define TERRANE_CASE_AVX512(call)                       \
  case ::terrane::worldgen::noise::SimdTarget::kAvx512: \
    N_AVX3::call;                                       \
    break;
#else
#define TERRANE_CASE_AVX512(call)
#endif
#if HWY_TARGETS & HWY_AVX2
#define TERRANE_CASE_AVX2(call)                       \
  case ::terrane::worldgen::noise::SimdTarget::kAvx2: \
    N_AVX2::call;                                     \
    break;
#else
#define TERRANE_CASE_AVX2(call)
#endif
#if HWY_TARGETS & HWY_SSE4
#define TERRANE_CASE_SSE4(call)                       \
  case ::terrane::worldgen::noise::SimdTarget::kSse4: \
    N_SSE4::call;                                     \
    break;
#else
#define TERRANE_CASE_SSE4(call)
#endif
#if HWY_TARGETS & HWY_SSSE3
#define TERRANE_CASE_SSSE3(call)                       \
  case ::terrane::worldgen::noise::SimdTarget::kSsse3: \
    N_SSSE3::call;                                     \
    break;
#else
#define TERRANE_CASE_SSSE3(call)
#endif
#if HWY_TARGETS & HWY_NEON
#define TERRANE_CASE_NEON(call)                       \
  case ::terrane::worldgen::noise::SimdTarget::kNeon: \
    N_NEON::call;                                     \
    break;
#else
#define TERRANE_CASE_NEON(call)
#endif
#if HWY_TARGETS & HWY_SCALAR
#define TERRANE_CASE_SCALAR(call)                       \
  case ::terrane::worldgen::noise::SimdTarget::kScalar: \
    N_SCALAR::call;                                     \
    break;
#else
#define TERRANE_CASE_SCALAR(call)
#endif

#define TERRANE_CALL_TARGET(target, call)                                         \
  switch (target) {                                                               \
    TERRANE_CASE_AVX512(call)                                                     \
    TERRANE_CASE_AVX2(call)                                                       \
    TERRANE_CASE_SSE4(call)                                                       \
    TERRANE_CASE_SSSE3(call)                                                      \
    TERRANE_CASE_NEON(call)                                                       \
    TERRANE_CASE_SCALAR(call)                                                     \
    default: assert(false && "an instruction set that this build does not hold"); \
  }

#endif  // HWY_COMPILE_ONLY_STATIC
