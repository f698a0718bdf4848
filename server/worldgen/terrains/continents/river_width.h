#pragma once

#include <algorithm>

#include "worldgen/terrains/continents/parameters.h"

/// How wide rivers are.
namespace terrane::worldgen::continents {

/// Half the width of a river where it begins, blocks: any less would be a row of puddles.
inline constexpr float kSpring = 2.0f;

/// What a mouth adds to the squared width, as a factor of it: 3 makes rivers twice as wide there.
inline constexpr float kMouthWidening = 3.0f;

/// Blocks above the sea: where a mouth begins.
inline constexpr float kMouthBegins = 3.0f;

/// Half the width of a river, squared; blocks squared. The width grows as the root of the area that
/// it drains, as that of real rivers about does with their discharge (L. Leopold, T. Maddock, "The
/// Hydraulic Geometry of Stream Channels", 1953).
[[nodiscard]] inline float half_width2(const Rivers& rivers, float area) {
  const float widest = 0.25f * rivers.widest * rivers.widest;
  return std::min(std::max(0.25f * rivers.width * rivers.width * area, kSpring * kSpring), widest);
}

}  // namespace terrane::worldgen::continents
