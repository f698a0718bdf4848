#pragma once

#include <cstdlib>

namespace terrane {

/// By how much bars on time are widened: TERRANE_TIME_SCALE, else 1, which leaves them as they are.
/// tests/run sets 3, as other work may share the machine; tests/run --long sets 1.
inline double time_scale() {
  const char* const text = std::getenv("TERRANE_TIME_SCALE");
  const double scale = text != nullptr ? std::strtod(text, nullptr) : 1;
  return scale >= 1 ? scale : 1;
}

}  // namespace terrane
