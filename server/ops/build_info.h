#pragma once

#include <string>

namespace terrane::ops {

/// One line for people: version, compiler, kind of build.
[[nodiscard]] std::string build_info();

}  // namespace terrane::ops
