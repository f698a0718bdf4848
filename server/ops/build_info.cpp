#include "ops/build_info.h"

namespace terrane::ops {
namespace {

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

}  // namespace

std::string build_info() {
  std::string info = "terraned ";
  for (const char* part :
       {TERRANE_VERSION, " (revision ", TERRANE_REVISION, ", ", kCompiler, ", ", kKind, ")"})
    info += part;
  return info;
}

void scrape_build(Scrape& scrape) {
  scrape.gauge("terrane_build_info", "Always 1; the labels say what runs.", 1,
               {{"version", TERRANE_VERSION},
                {"revision", TERRANE_REVISION},
                {"compiler", kCompiler},
                {"kind", kKind}});
}

}  // namespace terrane::ops
