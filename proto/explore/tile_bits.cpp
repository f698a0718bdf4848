#include "explore/tile_bits.h"

#include <array>

#include "explore/view_range.h"

namespace terrane::explore {
namespace {

constexpr std::size_t kRadii = kMaxViewDistance + kViewMargin + 1;
using HalfWidths = std::array<std::array<std::int8_t, kRadii>, kRadii>;  // by radius, dy

constexpr HalfWidths make_half_widths() {
  HalfWidths widths{};
  for (std::size_t radius = 0; radius < kRadii; ++radius) {
    std::size_t width = radius;
    for (std::size_t dy = 0; dy <= radius; ++dy) {
      while (width * width + dy * dy > radius * radius) --width;
      widths[radius][dy] = static_cast<std::int8_t>(width);
    }
  }
  return widths;
}

constexpr HalfWidths kHalfWidths = make_half_widths();

}  // namespace

std::int64_t half_width(int radius, std::int64_t dy) {
  const std::int64_t away = dy < 0 ? -dy : dy;
  if (away > radius) return -1;
  return kHalfWidths[static_cast<std::size_t>(radius)][static_cast<std::size_t>(away)];
}

}  // namespace terrane::explore
