#include "worldgen/float_environment.h"

#if defined(__x86_64__)
#include <xmmintrin.h>

#include <cstdint>
#elif defined(__aarch64__)
#include <cstdint>
#else
#include <cfenv>
#endif

namespace terrane::worldgen {

#if defined(__x86_64__)

namespace {
constexpr std::uint32_t kDefault = 0x1f80;         // every exception masked, nothing else set
constexpr std::uint32_t kStickyExceptions = 0x3f;  // what has happened so far: no matter
}  // namespace

void set_default_float_environment() { _mm_setcsr(kDefault); }

bool has_default_float_environment() { return (_mm_getcsr() & ~kStickyExceptions) == kDefault; }

#elif defined(__aarch64__)

void set_default_float_environment() {
  const std::uint64_t value = 0;
  asm volatile("msr fpcr, %0" : : "r"(value));
}

bool has_default_float_environment() {
  std::uint64_t value = 0;
  asm volatile("mrs %0, fpcr" : "=r"(value));
  return value == 0;
}

#else

// Other processors, wasm among them: the C library knows the rounding, and there is nothing else
// that can be set without knowing the processor.

void set_default_float_environment() { std::fesetround(FE_TONEAREST); }

bool has_default_float_environment() { return std::fegetround() == FE_TONEAREST; }

#endif

}  // namespace terrane::worldgen
