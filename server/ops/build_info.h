#pragma once

#include <string>

#include "ops/metrics.h"

namespace terrane::ops {

/// One line for people: version, compiler, kind of build.
[[nodiscard]] std::string build_info();

/// The same as the labels of terrane_build_info.
void scrape_build(Scrape& scrape);

}  // namespace terrane::ops
