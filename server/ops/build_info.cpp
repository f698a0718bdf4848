#include "ops/build_info.h"

namespace terrane::ops {

std::string build_info() {
#ifdef __clang__
  constexpr const char* kCompiler = "Clang " __clang_version__;
#else
  constexpr const char* kCompiler = "GCC " __VERSION__;
#endif
#ifdef NDEBUG
  constexpr const char* kKind = "release";
#else
  constexpr const char* kKind = "with assertions";
#endif
  return std::string("terraned ") + TERRANE_VERSION + " (" + kCompiler + ", " + kKind + ")";
}

}  // namespace terrane::ops
