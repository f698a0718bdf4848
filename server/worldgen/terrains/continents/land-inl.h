// Stage 1: where land is. Everything here changes over hundreds of blocks.

#include "hwy/highway.h"
#include "worldgen/grid_context.h"
#include "worldgen/terrains/continents/parameters.h"
#include "worldgen/terrains/continents/ranking.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::continents::HWY_NAMESPACE {

/// How far each place lies, on the ground where land, water and mountains are, from where it is
/// drawn: that ground is bent, so that nothing on it runs straight.
struct Warp {
  float *x, *y;  // blocks
  float reach;

  [[nodiscard]] noise::Displacement displaced() const { return {x, y, reach}; }
};

Warp fill_warp(const Land& land, const GridContext& context) {
  float* x = context.noise(land.warp, "continents.warp_x");
  float* y = context.noise(land.warp, "continents.warp_y");
  const int n = context.count();
  for (int i = 0; i < n; ++i) {
    x[i] *= land.warp_amplitude;
    y[i] *= land.warp_amplitude;
  }
  return {x, y, land.warp_amplitude};
}

/// `inland` (parameters.h) without the coast's detail.
float* fill_inland(const Land& land, const GridContext& context, const noise::Displacement& warp) {
  float* out = context.noise(land.shape, "continents.shape", warp);
  apply(land.inland, out, context.count());
  return out;
}

/// Adds bays, headlands and islands to `inland`: fully at sea and at the coast, less and less
/// towards the heart of the land.
void add_coast(const Land& land, const GridContext& context, float* HWY_RESTRICT inland) {
  const float* detail = context.noise(land.coast, "continents.coast");
  const int n = context.count();
  for (int i = 0; i < n; ++i) {
    inland[i] += land.coast_amplitude * coast_share(inland[i]) * detail[i];
  }
}

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
