#include "worldgen/noise/x86_features.h"

#include <array>
#include <cstdint>

#if defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
#define TERRANE_X86_MSVC
#include <immintrin.h>
#include <intrin.h>
#elif defined(__x86_64__) || defined(__i386__)
#define TERRANE_X86_GNU
#include <cpuid.h>
#endif

namespace terrane::worldgen::noise {

#if defined(TERRANE_X86_MSVC) || defined(TERRANE_X86_GNU)
namespace {

struct Registers {
  std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// All 0 where the processor has no such leaf.
Registers cpuid(std::uint32_t leaf) {
  Registers r;
#ifdef TERRANE_X86_MSVC
  int values[4];
  __cpuid(values, static_cast<int>(leaf & 0x80000000u));
  if (static_cast<std::uint32_t>(values[0]) < leaf) return r;
  __cpuidex(values, static_cast<int>(leaf), 0);
  r = {static_cast<std::uint32_t>(values[0]), static_cast<std::uint32_t>(values[1]),
       static_cast<std::uint32_t>(values[2]), static_cast<std::uint32_t>(values[3])};
#else
  __get_cpuid_count(leaf, 0, &r.eax, &r.ebx, &r.ecx, &r.edx);
#endif
  return r;
}

/// Which registers the operating system keeps: XCR0. Only where OSXSAVE is set.
std::uint64_t kept_registers() {
#ifdef TERRANE_X86_MSVC
  return _xgetbv(0);
#else
  std::uint32_t low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return std::uint64_t{high} << 32 | low;
#endif
}

template <std::size_t N>
bool has_all(std::uint32_t flags, const std::array<int, N>& bits) {
  for (const int bit : bits) {
    if ((flags >> bit & 1) == 0) return false;
  }
  return true;
}

}  // namespace

X86Features x86_features() {
  const Registers basic = cpuid(1), extended = cpuid(7), amd = cpuid(0x80000001u);
  X86Features has;
  has.ssse3 = has_all(basic.ecx, std::array{0, 9});
  has.sse4 = has.ssse3 && has_all(basic.ecx, std::array{1, 19, 20, 25});
  const bool keeps = has_all(basic.ecx, std::array{27});  // OSXSAVE
  const std::uint64_t kept = keeps ? kept_registers() : 0;
  constexpr std::uint64_t kYmm = 0x6, kZmm = 0xE6;
  has.avx2 = has.sse4 && (kept & kYmm) == kYmm && has_all(basic.ecx, std::array{12, 28, 29}) &&
             has_all(extended.ebx, std::array{3, 5, 8}) && has_all(amd.ecx, std::array{5});
  has.avx512 =
      has.avx2 && (kept & kZmm) == kZmm && has_all(extended.ebx, std::array{16, 17, 28, 30, 31});
  return has;
}
#else
X86Features x86_features() { return {}; }
#endif

}  // namespace terrane::worldgen::noise
