// The stages in their order. Compiled once per instruction set.

// Each sees those before it.
// clang-format off
#include "worldgen/continents/math-inl.h"
#include "worldgen/continents/resample-inl.h"
#include "worldgen/continents/land-inl.h"
#include "worldgen/continents/nodes-inl.h"
#include "worldgen/continents/drainage-inl.h"
#include "worldgen/continents/lakes-inl.h"
#include "worldgen/continents/relief-inl.h"
#include "worldgen/continents/gullies-inl.h"
#include "worldgen/continents/climate-inl.h"
#include "worldgen/continents/banks-inl.h"
#include "worldgen/continents/sites-inl.h"
// clang-format on

#include "hwy/highway.h"
#include "worldgen/continents/limits.h"
#include "worldgen/terrain.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::continents::HWY_NAMESPACE {

/// `values` of the coarse grid at the samples of the finer stage; itself where the grids are the
/// same.
float* refine(const Stage& coarse, float* values, const Stage& fine, std::int64_t spacing) {
  if (!is_interpolated(fine.grid, spacing)) return values;
  float* out = fine.field();
  resample(coarse.grid, values, fine.grid, spacing, out);
  return out;
}

/// The channels at the samples; the same where there are none.
Channels refine_channels(const Channels& channels, const Stage& middle, const Stage& samples) {
  if (!channels.any) return channels;
  const auto refined = [&](float* values) {
    return refine(middle, values, samples, kMiddleSpacing);
  };
  return {refined(channels.outside), refined(channels.half),    refined(channels.from_edge),
          refined(channels.lake),    refined(channels.surface), true};
}

void fill_continents(const ContinentsTerrain& terrain, const Stage& samples, const Stage& middle,
                     const Stage& coarse, const Limits& limits, const TerrainLayers& out,
                     const SiteLayers& site, bool& any_fresh) {
  // Over hundreds of blocks.
  float* inland_c = fill_inland(terrain.land, coarse);
  const Uplift uplift_c = fill_uplift(terrain.relief, coarse, inland_c);
  const ClimateFields climate_c = fill_climate(terrain.climate, terrain.relief, coarse, inland_c);
  // Over tens of blocks.
  float* inland = refine(coarse, inland_c, middle, kCoarseSpacing);
  const Uplift uplift{refine(coarse, uplift_c.mountains, middle, kCoarseSpacing),
                      refine(coarse, uplift_c.hills, middle, kCoarseSpacing)};
  float* sea_temperature = refine(coarse, climate_c.sea_temperature, middle, kCoarseSpacing);
  float* humidity = refine(coarse, climate_c.humidity, middle, kCoarseSpacing);
  add_coast(terrain.land, middle, inland);
  const noise::Displacement bend = fill_bend(terrain.drainage, middle);
  float* border = middle.noise(terrain.climate.border, "continents.border");
  const Water water = fill_water(terrain, middle, bend, border);
  const Valleys& valleys = water.valleys;
  const Surface surface = fill_relief(terrain.land, terrain.drainage, terrain.relief, middle,
                                      inland, uplift, valleys, bend);
  float* slope = middle.field();
  const int n = middle.count();
  for (int i = 0; i < n; ++i)
    slope[i] = 100.0f * root(surface.slope_x[i] * surface.slope_x[i] +
                             surface.slope_y[i] * surface.slope_y[i]);
  add_gullies(terrain.gullies, terrain.relief, terrain.drainage, middle, uplift, valleys, surface);

  // Sample by sample.
  const float* height = refine(middle, surface.height, samples, kMiddleSpacing);
  const float* slope_p = refine(middle, slope, samples, kMiddleSpacing);
  const float* inland_p = refine(middle, inland, samples, kMiddleSpacing);
  const float* t = refine(middle, sea_temperature, samples, kMiddleSpacing);
  const float* h = refine(middle, humidity, samples, kMiddleSpacing);
  const float* b = refine(middle, border, samples, kMiddleSpacing);
  const float* rough = samples.noise(terrain.ground.roughness, "continents.roughness");
  const Channels channels = refine_channels(water.channels, middle, samples);
  const int pitch = noise::row_pitch(samples.grid.width), width = samples.grid.width;
  alignas(64) float cooling[noise::kMaxGridSize], site_cooling[noise::kMaxGridSize];
  alignas(64) float nothing[noise::kMaxGridSize] = {}, ground[noise::kMaxGridSize];
  for (int j = 0; j < samples.grid.height; ++j) {
    const int k = j * pitch;
    const int to = j * width;
    const RowIn in{height + k, rough + k, slope_p + k, inland_p + k, t + k, h + k, b + k};
    const ChannelRow row{channels.outside + k, channels.half + k, channels.from_edge + k,
                         channels.surface + k};
    fill_ground(in, terrain.ground, width, ground);
    if (channels.any) cut_channels(row, width, ground);
    fill_heights(in, ground, terrain.climate, limits, width, out.height_q4.data() + to,
                 site.height_q4.data() + to, cooling, site_cooling);
    fill_water_heights(out.height_q4.data() + to, channels.any ? &row : nullptr, width,
                       out.water_q4.data() + to);
    if (channels.any)
      fill_fresh(out.water_q4.data() + to, channels.lake + k, width, site.fresh.data() + to);
    fill_tenths(in.temperature, cooling, site_cooling, in.border,
                10.0f * terrain.climate.border_temperature, limits.temperature, width,
                out.temperature_d.data() + to, site.temperature_d.data() + to);
    fill_tenths(in.humidity, nothing, nothing, in.border, -10.0f * terrain.climate.border_humidity,
                limits.humidity, width, out.humidity_d.data() + to, site.humidity_d.data() + to);
    fill_rounded(in.slope, 1.0f, limits.slope, width, site.slope_p.data() + to);
    fill_rounded(in.inland, 1000.0f, limits.inland, width, site.inland_p.data() + to);
  }
  any_fresh = channels.any;
}

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
