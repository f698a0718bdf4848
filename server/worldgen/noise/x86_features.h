#pragma once

namespace terrane::worldgen::noise {

/// What a processor of the x86 family and its operating system let programs use, in the groups that
/// Highway compiles for (its HWY_SSSE3, HWY_SSE4, HWY_AVX2 and HWY_AVX3): each takes in the ones
/// before. All false elsewhere. Highway's own answer needs its library, which games don't have.
struct X86Features {
  bool ssse3 = false;   // SSE3, SSSE3
  bool sse4 = false;    // SSE4.1, SSE4.2, PCLMUL, AES
  bool avx2 = false;    // AVX, AVX2, LZCNT, BMI, BMI2, FMA, F16C
  bool avx512 = false;  // F, CD, BW, DQ, VL
};

/// Source: Intel's Software Developer's Manual, volume 2A, CPUID and XGETBV. Pure; threads: any.
[[nodiscard]] X86Features x86_features();

}  // namespace terrane::worldgen::noise
