#pragma once

#include <string>

#include "drawing/picture.h"
#include "terrane/result.h"

namespace terrane::drawing {

/// The bytes of a PNG file. Errors: kInternal with what libpng says.
[[nodiscard]] Result<std::string> encode_png(const Picture& picture);

}  // namespace terrane::drawing
