// Stage 5: rivers and lakes, sample by sample: beds below the water, banks above it.

#include "hwy/highway.h"
#include "terrane/chunk.h"
#include "worldgen/biome_table.h"
#include "worldgen/rounding.h"
#include "worldgen/terrains/continents/roads.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::continents::HWY_NAMESPACE {

// water at its edge: a little more than 1/16, so that it is not rounded away
constexpr float kThinnest = 0.07f;
constexpr float kShallowest = 0.5f, kDepthPerWidth = 0.22f, kDeepest = 9.0f;  // of beds, blocks
// blocks: half the width of the narrowest channel
constexpr float kNarrowest = 0.1f;
// blocks: a bank goes over into the ground within so much, and half the channel's width up to a
// limit
constexpr float kBankWidth = 5.0f, kWidestBank = 12.0f;
// how much a bank falls per block beyond that, where the ground lies lower than the water
constexpr float kBankFall = 0.5f;
// of a lake's field: from here on a sample is in it
constexpr float kInLake = 0.999f;

/// Cuts beds into the ground, and sees to banks and roads.
void cut_channels(const ChannelRow& row, int n, float* HWY_RESTRICT ground) {
  const float *HWY_RESTRICT outside = row.outside, *HWY_RESTRICT halves = row.half,
                            *HWY_RESTRICT from_edge = row.from_edge,
                            *HWY_RESTRICT surface = row.surface,
                            *HWY_RESTRICT freeboard = row.freeboard;
  for (int i = 0; i < n; ++i) {
    const float half = larger(halves[i], kNarrowest);
    const float beyond = larger(from_edge[i], 0.0f);
    const float water = surface[i];
    // Within: a bed like a parabola.
    const float depth = larger(smaller(kShallowest + kDepthPerWidth * half, kDeepest) *
                                   clamp01(-outside[i] / (2.0f * half)),
                               kThinnest);
    const float bed = smaller(ground[i], water - depth);
    // Without: from the water's edge up to the ground, and never below the water, where that is
    // close.
    const float bank_width = kBankWidth + smaller(half, kWidestBank);
    const float edge = water + freeboard[i] + kBankRise * smaller(beyond, 1.0f);
    const float slope = mix(edge, ground[i], smooth(beyond / bank_width));
    const float bank = larger(slope, edge - kBankFall * larger(beyond - kBankWidth, 0.0f));
    const bool is_bank = beyond < bank_width && water > kSeaLevel;
    const float dry = is_bank ? bank : ground[i];
    ground[i] = outside[i] < 0 ? bed : dry;
  }
  if (row.road.from_edge != nullptr) level_roads(row, n, ground);
}

/// The height of the water over ground that is final, kNoWater where there is none.
void fill_water_heights(const std::int32_t* HWY_RESTRICT height_q4, const ChannelRow* row, int n,
                        std::int32_t* HWY_RESTRICT water_q4) {
  for (int i = 0; i < n; ++i) water_q4[i] = height_q4[i] < 0 ? 0 : kNoWater;
  if (row == nullptr) return;
  for (int i = 0; i < n; ++i) {
    const std::int32_t surface = round_to_int(16.0f * row->surface[i]);
    water_q4[i] = row->outside[i] < 0 && surface > height_q4[i] ? surface : water_q4[i];
  }
}

/// Which samples are under fresh water.
void fill_fresh(const std::int32_t* HWY_RESTRICT water_q4, const float* HWY_RESTRICT lake, int n,
                std::uint8_t* HWY_RESTRICT fresh) {
  for (int i = 0; i < n; ++i) {
    const bool in_lake = lake[i] > kInLake;
    fresh[i] = static_cast<std::uint8_t>(
        water_q4[i] > 0 ? (in_lake ? FreshWater::kLake : FreshWater::kRiver) : FreshWater::kNone);
  }
}

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
