#include "worldgen/float_environment.h"

#if defined(__x86_64__) || defined(_M_X64)
#include <xmmintrin.h>
#elif !defined(__aarch64__)
#include <cfenv>
#endif

namespace terrane::worldgen {

#if defined(__x86_64__) || defined(_M_X64)

namespace {
constexpr std::uint32_t kDefault = 0x1f80;         // every exception masked, nothing else set
constexpr std::uint32_t kStickyExceptions = 0x3f;  // what has happened so far: no matter
}  // namespace

namespace {
std::uint64_t control() { return _mm_getcsr(); }
void set_control(std::uint64_t value) { _mm_setcsr(static_cast<std::uint32_t>(value)); }
}  // namespace

void set_default_float_environment() { set_control(kDefault); }

bool has_default_float_environment() { return (control() & ~kStickyExceptions) == kDefault; }

#elif defined(__aarch64__)

namespace {
std::uint64_t control() {
  std::uint64_t value = 0;
  asm volatile("mrs %0, fpcr" : "=r"(value));
  return value;
}
void set_control(std::uint64_t value) { asm volatile("msr fpcr, %0" : : "r"(value)); }
}  // namespace

void set_default_float_environment() { set_control(0); }

bool has_default_float_environment() { return control() == 0; }

#else

// Other processors, wasm among them: the C library knows the rounding, and there is nothing else
// that can be set without knowing the processor.

namespace {
std::uint64_t control() { return static_cast<std::uint64_t>(std::fegetround()); }
void set_control(std::uint64_t value) { std::fesetround(static_cast<int>(value)); }
}  // namespace

void set_default_float_environment() { set_control(FE_TONEAREST); }

bool has_default_float_environment() { return std::fegetround() == FE_TONEAREST; }

#endif

DefaultFloatEnvironment::DefaultFloatEnvironment() : former_(control()) {
  if (!has_default_float_environment()) set_default_float_environment();
}

DefaultFloatEnvironment::~DefaultFloatEnvironment() { set_control(former_); }

}  // namespace terrane::worldgen
