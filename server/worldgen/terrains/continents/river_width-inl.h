// How wide rivers are.

#include "hwy/highway.h"
#include "worldgen/terrains/continents/parameters.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::continents::HWY_NAMESPACE {

// half the width of a river where it begins, blocks: any less would be a row of puddles
constexpr float kSpring = 2.0f;

// what a mouth adds to the squared width, as a factor of it: 3 makes rivers twice as wide there
constexpr float kMouthWidening = 3.0f;
// how far inland a mouth begins
constexpr float kMouthBegins = 0.05f;

/// Half the width of a river, squared; blocks squared. The width grows as the root of the number of
/// nodes whose water it brings, as that of real rivers about does with their discharge (L. Leopold,
/// T. Maddock, "The Hydraulic Geometry of Stream Channels", 1953).
/// @param joined  nodes that have joined since the spring
inline float river_half_width2(const Rivers& rivers, float joined) {
  const float per_node = 0.25f * rivers.width * rivers.width;
  const float widest = 0.25f * rivers.widest * rivers.widest;
  return smaller(kSpring * kSpring + per_node * joined, widest);
}

/// By how much the square of a river's width grows towards its mouth: 1 to 1 + kMouthWidening.
/// @param level  how far inland a node is, its hollows filled: Nodes::level
inline float mouth_widening(float level) {
  const float mouth = clamp01(1.0f - level * (1.0f / kMouthBegins));
  return 1.0f + kMouthWidening * mouth * mouth;
}

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
