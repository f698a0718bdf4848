// How wide rivers are at their mouths and lakes.

#include "hwy/highway.h"
#include "worldgen/terrains/continents/river_width.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::continents::HWY_NAMESPACE {

// What the squared half-width grows by where a river leaves a lake or comes to one, or to another
// river, or there would be gaps: no nodes that the ground is interpolated from would be in the
// river. Blocks squared.
constexpr float kLakeWidening = 8.0f;

/// By how much the square of a river's width grows towards its mouth: 1 to 1 + kMouthWidening.
/// @param level  height of the valley's floor, blocks
inline float mouth_widening(float level) {
  const float mouth = clamp01(1.0f - level * (1.0f / kMouthBegins));
  return 1.0f + kMouthWidening * mouth * mouth;
}

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
