#include "worldgen/terrains/continents/landforms.h"

#include "hwy/highway.h"
#include "worldgen/terrains/continents/continents.h"
#include "worldgen/terrains/continents/math-inl.h"
#include "worldgen/terrains/continents/uplift.h"

// Compiled once, and not once per instruction set: it is seldom needed, and games' library is to
// be small.

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::continents {

using namespace HWY_NAMESPACE;

namespace {

/// Calls visit(k) for each sample: what lies between the rows may be no number.
template <typename Visit>
void for_samples(const noise::SampleGrid& grid, const Visit& visit) {
  const int pitch = noise::row_pitch(grid.width);
  for (int j = 0; j < grid.height; ++j)
    for (int k = j * pitch; k < j * pitch + grid.width; ++k) visit(k);
}

/// Percent of humidity, and of the regions' noise, within which shares grow from 0 to 1.
constexpr float kDryRange = 10.0f, kRegionRange = 0.08f;
/// Of inland: neither begins at the coast, but at one over this.
constexpr float kLandformRise = 60.0f;
/// Blocks: where mountains are as high, there are none.
constexpr float kTablesUntil = 100.0f, kDunesUntil = 30.0f;
/// degC at sea level: dunes begin here, and are whole so much above. It has to be drier for them,
/// by so many percent of humidity.
constexpr float kDunesFrom = 14.0f, kDunesWithin = 8.0f, kDunesDrier = 10.0f;

/// Of the hills' height: what sand has filled up where dunes are.
constexpr float kSmoothedHills = 0.7f;

}  // namespace

LandformShares fill_landforms(const Landforms& landforms, const GridContext& context,
                              const Country& country) {
  if (landforms.table_height <= 0 && landforms.dune_height <= 0) return {nullptr, nullptr};
  const float* HWY_RESTRICT regions = context.noise(landforms.regions, "continents.landforms");
  float *HWY_RESTRICT tables = context.field(), *HWY_RESTRICT dunes = context.field();
  const float *HWY_RESTRICT temperature = country.temperature,
                            *HWY_RESTRICT humidity = country.humidity,
                            *HWY_RESTRICT inland = country.inland,
                            *HWY_RESTRICT mountains = country.mountains;
  const float with_tables = landforms.table_height > 0 ? 1.0f : 0.0f;
  const float with_dunes = landforms.dune_height > 0 ? 1.0f : 0.0f;
  float* HWY_RESTRICT hills = country.hills;
  float most_tables = 0, most_dunes = 0;
  for_samples(context.grid, [&](int i) {
    const float drier = landforms.humidity - humidity[i];
    const float ashore = smooth(inland[i] * kLandformRise);
    const float region = regions[i], beyond = landforms.threshold;
    tables[i] = with_tables * ashore * smooth(drier * (1.0f / kDryRange)) *
                smooth((region - beyond) * (1.0f / kRegionRange)) *
                (1.0f - smooth(mountains[i] * (1.0f / kTablesUntil)));
    dunes[i] = with_dunes * ashore * smooth((drier - kDunesDrier) * (1.0f / kDryRange)) *
               smooth((-region - beyond) * (1.0f / kRegionRange)) *
               (1.0f - smooth(mountains[i] * (1.0f / kDunesUntil))) *
               smooth((temperature[i] - kDunesFrom) * (1.0f / kDunesWithin));
    hills[i] *= 1.0f - kSmoothedHills * dunes[i];
    most_tables = larger(most_tables, tables[i]);
    most_dunes = larger(most_dunes, dunes[i]);
  });
  return {most_tables > 0 ? tables : nullptr, most_dunes > 0 ? dunes : nullptr};
}

namespace {

/// Of the hills' noise: at a watercourse tables begin here, and are whole one over the second
/// above.
constexpr float kTableFrom = 0.3f, kTableSteepness = 2.6f;
/// Blocks from a watercourse over which they begin one lower: so what lies low between tables is
/// open to where water flows.
constexpr float kTablesWithin = 200.0f;

/// How much the hills' noise changes per block, about, as a share of what it does in a cell.
constexpr float kHillChange = 1.2f;

}  // namespace

void raise_tables(const ContinentsTerrain& terrain, const GridContext& context,
                  const float* HWY_RESTRICT tables, const float* HWY_RESTRICT distance,
                  const TableHills& out) {
  float *HWY_RESTRICT hills = out.noise, *HWY_RESTRICT heights = out.heights,
                      *HWY_RESTRICT flanks = out.flanks;
  const Landforms landforms = terrain.landforms;  // a copy, which no store can change
  const noise::Frequency cells = terrain.relief.hills.frequency;
  const float steepest = 100.0f * landforms.table_height * kTableSteepness * kHillChange *
                         static_cast<float>(cells.cells) / static_cast<float>(cells.blocks);
  for_samples(context.grid, [&](int i) {
    const float x =
        clamp01((hills[i] - kTableFrom + distance[i] * (1.0f / kTablesWithin)) * kTableSteepness);
    flanks[i] = steepest * clamp01(tables[i]) * 6.0f * x * (1.0f - x);
    const float share = clamp01(tables[i]);
    const float table = 2.0f * root(smooth(x) * (1.0f / kRollingHeight)) - 1.0f;
    hills[i] = mix(hills[i], table, share);
    heights[i] = mix(heights[i], larger(heights[i], landforms.table_height), share);
  });
}

namespace {

/// Of a layer's height, what of it is a cliff at its foot instead of a slope.
constexpr float kCliffShare = 0.9f;

}  // namespace

void add_layers(const ContinentsTerrain& terrain, const GridContext& context,
                const float* HWY_RESTRICT tables, const float* HWY_RESTRICT distance,
                const Steps& steps) {
  const float layer = terrain.landforms.layer, per_layer = 1.0f / layer;
  const float per_bed = 1.0f / terrain.drainage.bed_width;
  const Relief& relief = terrain.relief;
  const float per_side =
      1.0f / (kHillValley *
              (relief.valley_width + relief.valley_widening * terrain.landforms.table_height));
  const float* HWY_RESTRICT flanks = steps.flanks;
  float *HWY_RESTRICT height = steps.height, *HWY_RESTRICT slope = steps.slope_p;
  for_samples(context.grid, [&](int i) {
    const float share =
        kCliffShare * clamp01(tables[i]) * smooth((distance[i] * per_bed - 0.5f) * 0.5f);
    // positive: no ground lies 2048 layers below the sea
    const float layers = height[i] * per_layer + 2048.0f;
    const float up = layers - static_cast<float>(static_cast<std::int32_t>(layers));
    const float left = 1.0f - up, left3 = left * left * left;
    height[i] += share * layer * (left - left3 * left);
    const float flank = flanks[i] * smooth(distance[i] * per_side);
    slope[i] = root(slope[i] * slope[i] + flank * flank) * (1.0f + share * (4.0f * left3 - 1.0f));
  });
}

namespace {

/// Of a dune's length, its side to the wind: the other one is as steep as sand lies.
constexpr float kWindward = 0.7f;
/// How far crests are bent, in dunes' lengths where the noise is 1, and how high they are on
/// average, with what the noise adds and takes.
constexpr float kBentCrests = 1.6f, kMeanCrest = 0.5f, kBrokenCrests = 1.1f;

}  // namespace

void add_dunes(const ContinentsTerrain& terrain, const GridContext& context,
               const float* HWY_RESTRICT dunes, const float* HWY_RESTRICT distances,
               float* HWY_RESTRICT height) {
  const Landforms& landforms = terrain.landforms;
  const float* bends = context.noise(landforms.crests, "continents.dune_bends");
  const float* breaks = context.noise(landforms.crests, "continents.dune_breaks");
  const noise::SampleGrid& grid = context.grid;
  const std::int64_t length = landforms.dune_length;
  const float per_length = 1.0f / static_cast<float>(length);
  const float per_bed = 1.0f / terrain.drainage.bed_width;
  alignas(64) float along[noise::kMaxGridSize];  // of dunes: phases from 0 to 1
  for (int i = 0; i < grid.width; ++i) {
    const std::int64_t x = grid.origin.x + i * grid.stride;
    along[i] = static_cast<float>(x - floor_div(x, length) * length) * per_length;
  }
  const int pitch = noise::row_pitch(grid.width);
  for (int j = 0; j < grid.height; ++j) {
    const float *HWY_RESTRICT bend = bends + j * pitch, *HWY_RESTRICT crest = breaks + j * pitch,
                              *HWY_RESTRICT share = dunes + j * pitch,
                              *HWY_RESTRICT distance = distances + j * pitch;
    float* HWY_RESTRICT out = height + j * pitch;
    for (int i = 0; i < grid.width; ++i) {
      const float waves = along[i] + kBentCrests * bend[i] + 16.0f;  // positive
      const float phase = waves - static_cast<float>(static_cast<std::int32_t>(waves));
      const float rise = phase * (1.0f / kWindward), fall = (1.0f - phase) / (1.0f - kWindward);
      const float high = clamp01(kMeanCrest + kBrokenCrests * crest[i]);
      out[i] += landforms.dune_height * clamp01(share[i]) * high * smooth(smaller(rise, fall)) *
                smooth((distance[i] * per_bed - 0.5f) * 0.5f);
    }
  }
}

}  // namespace terrane::worldgen::continents
HWY_AFTER_NAMESPACE();
