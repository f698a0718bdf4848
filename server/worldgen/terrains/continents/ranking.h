#pragma once

#include "worldgen/terrains/continents/curve.h"
#include "worldgen/terrains/continents/parameters.h"

namespace terrane::worldgen {

/// `inland` (parameters.h) of each value of land.shape: its rank among the values of all the world,
/// 0 where the coast is to be, 1 and -1 at the ends. The coast is where `land_share` of the world
/// lies above the sea once land.coast has had its say. Measured on some 16,000 places far apart,
/// with a fixed seed.
/// @param land        all but land.inland
/// @param land_share  (0, 1)
[[nodiscard]] Curve rank_inland(const continents::Land& land, double land_share);

/// How much of the coast's noise there is at a place: all of it at sea and at the coast, little at
/// the heart of the land.
[[nodiscard]] inline float coast_share(float inland) {
  const float x = inland * 5.0f;
  const float above = x > 0.0f ? x : 0.0f;
  const float t = above < 1.0f ? above : 1.0f;
  return 1.0f - 0.9f * (t * t * (3.0f - 2.0f * t));
}

}  // namespace terrane::worldgen
