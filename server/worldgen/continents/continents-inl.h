// The stages in their order. Compiled once per instruction set.

// clang-format off: each sees those before it
#include "worldgen/continents/math-inl.h"
#include "worldgen/continents/resample-inl.h"
#include "worldgen/continents/land-inl.h"
#include "worldgen/continents/drainage-inl.h"
#include "worldgen/continents/relief-inl.h"
#include "worldgen/continents/gullies-inl.h"
#include "worldgen/continents/climate-inl.h"
// clang-format on

#include "hwy/highway.h"
#include "worldgen/continents/limits.h"
#include "worldgen/rounding.h"
#include "worldgen/terrain.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::continents::HWY_NAMESPACE {

constexpr float kRidgeWarp = 260.0f;  // blocks that ridges are bent by

/// `values` of the coarse grid at the samples of the finer stage; itself where the grids are the same.
float* refine(const Stage& coarse, float* values, const Stage& fine, std::int64_t spacing) {
  if (!is_interpolated(fine.grid, spacing)) return values;
  float* out = fine.field();
  resample(coarse.grid, values, fine.grid, spacing, out);
  return out;
}

void fill_continents(const ContinentsTerrain& terrain, const Stage& samples, const Stage& middle, const Stage& coarse,
                     const Limits& limits, const TerrainLayers& out, const SiteLayers& site) {
  // Over hundreds of blocks.
  float* inland_c = fill_inland(terrain.land, coarse);
  const Uplift uplift_c = fill_uplift(terrain.relief, coarse, inland_c);
  const ClimateFields climate_c = fill_climate(terrain.climate, terrain.relief, coarse, inland_c);
  float* warp_x = coarse.noise(terrain.relief.mountain_mask, "continents.ridge_warp_x");
  float* warp_y = coarse.noise(terrain.relief.mountain_mask, "continents.ridge_warp_y");
  const int coarse_count = coarse.count();
  for (int i = 0; i < coarse_count; ++i) {
    warp_x[i] *= kRidgeWarp;
    warp_y[i] *= kRidgeWarp;
  }
  // Over tens of blocks.
  float* inland = refine(coarse, inland_c, middle, kCoarseSpacing);
  const Uplift uplift{refine(coarse, uplift_c.mountains, middle, kCoarseSpacing), refine(coarse, uplift_c.hills, middle, kCoarseSpacing)};
  float* sea_temperature = refine(coarse, climate_c.sea_temperature, middle, kCoarseSpacing);
  float* humidity = refine(coarse, climate_c.humidity, middle, kCoarseSpacing);
  float* bend_x = refine(coarse, warp_x, middle, kCoarseSpacing);
  float* bend_y = refine(coarse, warp_y, middle, kCoarseSpacing);
  add_coast(terrain.land, middle, inland);
  const Valleys valleys = fill_valleys(terrain.land, terrain.drainage, middle);
  const Surface surface =
      fill_relief(terrain.land, terrain.drainage, terrain.relief, middle, inland, uplift, valleys, {bend_x, bend_y, 2 * kRidgeWarp});
  float* slope = middle.field();
  const int n = middle.count();
  for (int i = 0; i < n; ++i) slope[i] = 100.0f * root(surface.slope_x[i] * surface.slope_x[i] + surface.slope_y[i] * surface.slope_y[i]);
  add_gullies(terrain.gullies, terrain.relief, terrain.drainage, middle, uplift, valleys, surface);
  float* border_t = middle.noise(terrain.climate.border, "continents.border_temperature");
  float* border_h = middle.noise(terrain.climate.border, "continents.border_humidity");

  // Sample by sample.
  const float* height = refine(middle, surface.height, samples, kMiddleSpacing);
  const float* slope_p = refine(middle, slope, samples, kMiddleSpacing);
  const float* inland_p = refine(middle, inland, samples, kMiddleSpacing);
  const float* t = refine(middle, sea_temperature, samples, kMiddleSpacing);
  const float* h = refine(middle, humidity, samples, kMiddleSpacing);
  const float* bt = refine(middle, border_t, samples, kMiddleSpacing);
  const float* bh = refine(middle, border_h, samples, kMiddleSpacing);
  const float* rough = samples.noise(terrain.ground.roughness, "continents.roughness");
  const int pitch = noise::row_pitch(samples.grid.width), width = samples.grid.width;
  const Ground& ground = terrain.ground;
  const Climate& climate = terrain.climate;
  for (int j = 0; j < samples.grid.height; ++j) {
    for (int i = 0; i < width; ++i) {
      const int k = j * pitch + i;
      const auto to = static_cast<std::size_t>(j * width + i);
      const float amplitude = mix(ground.amplitude_low, ground.amplitude_high, clamp01(slope_p[k] * 0.01f));
      const float blocks = height[k] + amplitude * rough[k];
      const float cooler = climate.lapse_rate * larger(blocks, 0.0f);
      const float tree_line = blocks + climate.border_height * bt[k] * larger(blocks, 0.0f);
      out.height_q4[to] = limits.height.clamp(round_to_int(16.0f * blocks));
      site.height_q4[to] = limits.height.clamp(round_to_int(16.0f * tree_line));
      const std::int32_t temperature_d = round_to_int(10.0f * (t[k] - cooler));
      const std::int32_t humidity_d = round_to_int(10.0f * h[k]);
      out.temperature_d[to] = static_cast<std::int16_t>(limits.temperature.clamp(temperature_d));
      out.humidity_d[to] = static_cast<std::int16_t>(limits.humidity.clamp(humidity_d));
      site.temperature_d[to] =
          static_cast<std::int16_t>(limits.temperature.clamp(temperature_d + round_to_int(10.0f * climate.border_temperature * bt[k])));
      site.humidity_d[to] =
          static_cast<std::int16_t>(limits.humidity.clamp(humidity_d + round_to_int(10.0f * climate.border_humidity * bh[k])));
      site.slope_p[to] = static_cast<std::int16_t>(limits.slope.clamp(round_to_int(slope_p[k])));
      site.inland_p[to] = static_cast<std::int16_t>(limits.inland.clamp(round_to_int(1000.0f * inland_p[k])));
    }
  }
}

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
