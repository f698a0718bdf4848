#include "worlds/preset_values.h"

#include <algorithm>
#include <cmath>

namespace terrane::worlds {

Result<std::uint32_t> to_color(const std::string& color, const std::string& path) {
  if (color.size() != 6 || color.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) {
    return fail(ErrorCode::kInvalidArgument, path + ": '" + color.substr(0, 16) +
                                                 "' is not six hexadecimal digits, like 2E7612");
  }
  return static_cast<std::uint32_t>(std::stoul(color, nullptr, 16));
}

Result<worldgen::Interval> to_interval(const worldfile::v1::Range& range, double steps_per_unit,
                                       const std::string& path) {
  constexpr double kSlack = 1e-6;  // 12.3 * 10 is a little more than 123
  worldgen::Interval interval;
  if (range.has_lowest())
    interval.min = static_cast<std::int32_t>(std::ceil(range.lowest() * steps_per_unit - kSlack));
  if (range.has_highest())
    interval.max = static_cast<std::int32_t>(std::floor(range.highest() * steps_per_unit + kSlack));
  if (interval.min > interval.max)
    return fail(ErrorCode::kInvalidArgument, path + ": min is greater than max");
  return interval;
}

Result<std::uint8_t> biome_named(const std::string& name, std::span<const worldgen::Biome> biomes,
                                 const std::string& path) {
  const auto row = std::find_if(biomes.begin(), biomes.end(),
                                [&](const worldgen::Biome& biome) { return biome.name == name; });
  if (row != biomes.end()) return static_cast<std::uint8_t>(row - biomes.begin());
  return fail(ErrorCode::kInvalidArgument,
              path + ": no row of biomes has the name \"" + name + "\"");
}

}  // namespace terrane::worlds
