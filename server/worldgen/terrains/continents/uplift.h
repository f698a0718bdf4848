#pragma once

#include "worldgen/terrains/continents/parameters.h"

/// How mountainous the land is: what samples and the nodes of drainage both ask.
namespace terrane::worldgen::continents {

/// 0 at 0, 1 at 1, level at both.
[[nodiscard]] inline float smooth_step(float x) {
  const float above = x > 0.0f ? x : 0.0f;
  const float t = above < 1.0f ? above : 1.0f;
  return t * t * (3.0f - 2.0f * t);
}

/// 0 where there are no mountains … 1 where they are highest: along the zero lines of a noise,
/// which makes chains, in the regions where another one is high.
[[nodiscard]] inline float mountain_share(const Relief& relief, float mask, float region) {
  const float crest = relief.mountain_range - (mask < 0 ? -mask : mask);
  const float share = smooth_step((crest - relief.mountain_threshold) / relief.mountain_range);
  const float here = smooth_step((region - relief.region_threshold) / relief.region_range);
  return share * here;
}

/// The hills' mask seldom comes near its limits: stretched by this.
inline constexpr float kHillStretch = 1.8f;

/// Valley sides of hills are so many times as wide as their height asks for.
inline constexpr float kHillValley = 2.0f;
/// Makes hills as high as their noise says on average: its square, which they follow, is smaller.
inline constexpr float kRollingHeight = 2.0f;

/// How hilly, 0 … 1.
[[nodiscard]] inline float hill_share(float mask) {
  return smooth_step(0.5f + 0.5f * kHillStretch * mask);
}

/// How steeply water falls here, as a share of what it does in mountains: 0 … 1.
[[nodiscard]] inline float steepness_of(const Relief& relief, float mountains, float hills) {
  const float low =
      relief.plain_steepness + (relief.hill_steepness - relief.plain_steepness) * hills;
  return low + (1.0f - low) * mountains;
}

}  // namespace terrane::worldgen::continents
