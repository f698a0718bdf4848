#pragma once

#include <string_view>

#include "drawing/picture.h"

namespace terrane::test {

/// What a PNG file shows, by libpng's own reader; an empty picture where it is none.
[[nodiscard]] drawing::Picture read_png(std::string_view bytes);

}  // namespace terrane::test
