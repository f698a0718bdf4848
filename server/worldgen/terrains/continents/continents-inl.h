// The stages in their order. Compiled once per instruction set.

// Each sees those before it.
// clang-format off
#include "worldgen/terrains/continents/math-inl.h"
#include "worldgen/terrains/continents/resample-inl.h"
#include "worldgen/terrains/continents/land-inl.h"
#include "worldgen/terrains/continents/river_width-inl.h"
#include "worldgen/terrains/continents/places-inl.h"
#include "worldgen/terrains/continents/drainage-inl.h"
#include "worldgen/terrains/continents/lakes-inl.h"
#include "worldgen/terrains/continents/relief-inl.h"
#include "worldgen/terrains/continents/gullies-inl.h"
#include "worldgen/terrains/continents/climate-inl.h"
#include "worldgen/terrains/continents/banks-inl.h"
#include "worldgen/terrains/continents/sites-inl.h"
// clang-format on

#include "hwy/highway.h"
#include "worldgen/terrains/continents/continents.h"
#include "worldgen/terrains/continents/landforms.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::continents::HWY_NAMESPACE {

/// `values` of the coarse grid at the samples of the finer one; themselves where the grids are the
/// same.
float* refine(const GridContext& coarse, float* values, const GridContext& fine,
              std::int64_t spacing) {
  if (!is_interpolated(fine.grid, spacing)) return values;
  float* out = fine.field();
  resample(coarse.grid, values, fine, spacing, out);
  return out;
}

/// What changes over hundreds of blocks.
struct WideFields {
  Warp warp;
  float* inland;
  Uplift uplift;
  ClimateFields climate;
  LandformShares landforms;
};

WideFields fill_wide(const ContinentsTerrain& terrain, const GridContext& coarse,
                     const GridContext& middle) {
  const auto refined = [&](float* values) {
    return refine(coarse, values, middle, kCoarseSpacing);
  };
  const Warp warp = fill_warp(terrain.land, coarse);
  float* const inland = fill_inland(terrain.land, coarse, warp.displaced());
  const Uplift uplift = fill_uplift(terrain.relief, coarse, warp.displaced(), inland);
  const ClimateFields climate =
      fill_climate(terrain.climate, terrain.relief, coarse, warp.displaced(), inland);
  const LandformShares landforms = fill_landforms(
      terrain.landforms, coarse,
      {climate.sea_temperature, climate.humidity, inland, uplift.mountains, uplift.hills});
  return {{refined(warp.x), refined(warp.y), warp.reach},
          refined(inland),
          {refined(uplift.mountains), refined(uplift.hills)},
          {refined(climate.sea_temperature), refined(climate.humidity)},
          {landforms.tables != nullptr ? refined(landforms.tables) : nullptr,
           landforms.dunes != nullptr ? refined(landforms.dunes) : nullptr}};
}

/// What changes over tens of blocks: the finished surface but for its roughness, and its water.
struct MiddleFields {
  float *height, *slope_p, *inland, *border;
  ClimateFields climate;
  Channels channels;
};

MiddleFields fill_middle(const ContinentsTerrain& terrain, const GridContext& middle,
                         const WideFields& wide) {
  add_coast(terrain.land, middle, wide.inland);
  const Bend bend = fill_bend(terrain.drainage, middle, wide.warp);
  float* const border = middle.noise(terrain.climate.border, "continents.border");
  const WaterFields water = fill_water(terrain, middle, wide.inland, bend);
  float* const hills = middle.noise(terrain.relief.hills, "continents.hills");
  float* const flanks = wide.landforms.tables != nullptr ? middle.field() : nullptr;
  if (flanks != nullptr)
    raise_tables(terrain, middle, wide.landforms.tables, water.valleys.distance,
                 {hills, wide.uplift.hills, flanks});
  const Surface surface =
      fill_relief(terrain, middle, {wide.inland, hills, wide.uplift, water.valleys, water.channels},
                  bend.meander);
  float* const slope_p = middle.field();
  const int n = middle.count();
  for (int i = 0; i < n; ++i)
    slope_p[i] = 100.0f * root(surface.slope_x[i] * surface.slope_x[i] +
                               surface.slope_y[i] * surface.slope_y[i]);
  add_gullies(terrain, middle, wide.uplift, water.valleys, surface);
  if (flanks != nullptr)
    add_layers(terrain, middle, wide.landforms.tables, water.valleys.distance,
               {surface.height, slope_p, flanks});
  if (wide.landforms.dunes != nullptr)
    add_dunes(terrain, middle, wide.landforms.dunes, water.valleys.distance, surface.height);
  return {surface.height, slope_p, wide.inland, border, wide.climate, water.channels};
}

/// The same at the samples.
MiddleFields refine_middle(const MiddleFields& fields, const GridContext& middle,
                           const GridContext& samples) {
  const auto refined = [&](float* values) {
    return refine(middle, values, samples, kMiddleSpacing);
  };
  MiddleFields out{refined(fields.height),
                   refined(fields.slope_p),
                   refined(fields.inland),
                   refined(fields.border),
                   {refined(fields.climate.sea_temperature), refined(fields.climate.humidity)},
                   fields.channels};
  if (!fields.channels.any) return out;
  for (float** const field :
       {&out.channels.outside, &out.channels.brooks, &out.channels.half, &out.channels.from_edge,
        &out.channels.from_road_edge, &out.channels.from_ford, &out.channels.lake,
        &out.channels.surface, &out.channels.freeboard}) {
    if (*field != nullptr) *field = refined(*field);
  }
  for (int i = 0; i < samples.count(); ++i)
    out.channels.outside[i] =
        lower_of(out.channels.outside[i], out.channels.brooks[i], kConfluence);
  return out;
}

/// One row of samples.
/// @param k   its place in the fields
/// @param to  its place in the layers
void fill_row(const ContinentsTerrain& terrain, const LayerRanges& ranges,
              const MiddleFields& fields, const float* rough, int k, int to, int width,
              const RowOut& out) {
  alignas(64) float cooling[noise::kMaxGridSize], site_cooling[noise::kMaxGridSize];
  alignas(64) float ground[noise::kMaxGridSize];
  const Climate& climate = terrain.climate;
  const Channels& channels = fields.channels;
  const RowIn in{fields.height + k,
                 rough + k,
                 fields.slope_p + k,
                 fields.inland + k,
                 fields.climate.sea_temperature + k,
                 fields.climate.humidity + k,
                 fields.border + k};
  ChannelRow row{};
  const bool has_road = channels.any && channels.from_road_edge != nullptr;
  if (channels.any) {
    row = {channels.outside + k, channels.half + k, channels.from_edge + k, channels.surface + k,
           channels.freeboard + k};
    if (has_road) row.road = {channels.from_road_edge + k, channels.from_ford + k, in.border};
  }
  fill_ground(in, terrain.ground, width, ground);
  if (channels.any) cut_channels(row, width, ground);
  fill_heights(in, ground, climate, ranges.height_q4, width, out.height_q4 + to,
               out.site_height_q4 + to, cooling, site_cooling);
  fill_water_heights(out.height_q4 + to, channels.any ? &row : nullptr, width, out.water_q4 + to);
  if (channels.any) fill_fresh(out.water_q4 + to, channels.lake + k, width, out.fresh + to);
  if (has_road) lay_roads(row, width, out.height_q4 + to, out.water_q4 + to, out.fresh + to);
  fill_tenths(in.temperature, {cooling, site_cooling}, in.border,
              10.0f * climate.border_temperature, ranges.temperature_d, width,
              out.temperature_d + to, out.site_temperature_d + to);
  for (int i = 0; i < width; ++i) cooling[i] = 0;  // humidity does not change with height
  fill_tenths(in.humidity, {cooling, cooling}, in.border, -10.0f * climate.border_humidity,
              ranges.humidity_d, width, out.humidity_d + to, out.site_humidity_d + to);
  fill_rounded(in.slope, 1.0f, ranges.slope_p, width, out.slope_p + to);
  fill_rounded(in.inland, 1000.0f, ranges.inland_p, width, out.inland_p + to);
}

void fill_continents(const ContinentsTerrain& terrain, const GridContext& samples,
                     const LayerRanges& ranges, TerrainOutput& out) {
  const GridContext middle = samples.over(lattice_around(samples.grid, kMiddleSpacing));
  const GridContext coarse = samples.over(lattice_around(middle.grid, kCoarseSpacing));
  const SiteRows site(samples);  // first: the caller keeps it
  const Scratch::Scope scope(*samples.scratch);
  const WideFields wide = fill_wide(terrain, coarse, middle);
  const MiddleFields fields = refine_middle(fill_middle(terrain, middle, wide), middle, samples);
  const float* const rough = samples.noise(terrain.ground.roughness, "continents.roughness");
  samples.stop_if_abandoned();
  const RowOut rows{out, site};
  const int pitch = noise::row_pitch(samples.grid.width), width = samples.grid.width;
  for (int j = 0; j < samples.grid.height; ++j)
    fill_row(terrain, ranges, fields, rough, j * pitch, j * width, width, rows);
  out.site = site.layers(fields.channels.any);
}

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
