#pragma once

#include <cstdint>
#include <vector>

namespace terrane::drawing {

/// 8-bit RGB, row by row from the top.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;
};

}  // namespace terrane::drawing
