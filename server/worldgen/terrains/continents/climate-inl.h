// Stage 6: temperature and humidity, from large-scale noises, the sea, and the mountains that the
// wind meets.

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::continents::HWY_NAMESPACE {

/// Noises of several octaves seldom come near their limits; this stretches them over most of the
/// range.
constexpr float kStretch = 2.2f;

struct ClimateFields {
  float *sea_temperature, *humidity;  // degC at sea level; percent
};

/// In units of 1 / inland: how soon the shadow of rain reaches its strength behind the coast, and
/// how much of it there is at the coast.
constexpr float kShadowRise = 4.0f, kShadowAtCoast = 0.4f;

/// Mountains' share where the wind comes from, less that where it goes to.
inline float* fill_shadow(const Climate& climate, const Relief& relief, const GridContext& context,
                          const noise::Displacement& warp) {
  const auto share_at = [&](std::int64_t shift) {
    GridContext there = context;
    there.grid.origin.x += shift;
    float* HWY_RESTRICT mask = there.noise(relief.mountain_mask, "continents.mountains", warp);
    const float* HWY_RESTRICT regions =
        there.noise(relief.mountain_regions, "continents.mountain_regions", warp);
    const int n = context.count();
    for (int i = 0; i < n; ++i) mask[i] = mountain_share(relief, mask[i], regions[i]);
    return mask;
  };
  const auto reach = static_cast<std::int64_t>(climate.wind_reach);
  float* HWY_RESTRICT before = share_at(-reach);
  const float* HWY_RESTRICT behind = share_at(reach);
  const int n = context.count();
  for (int i = 0; i < n; ++i) before[i] -= behind[i];
  return before;
}

ClimateFields fill_climate(const Climate& climate, const Relief& relief, const GridContext& context,
                           const noise::Displacement& warp, const float* HWY_RESTRICT inland) {
  float* temperature = context.noise(climate.temperature, "continents.temperature");
  float* humidity = context.noise(climate.humidity, "continents.humidity");
  const float* shadow = fill_shadow(climate, relief, context, warp);
  const float warm = 0.5f * (climate.temperature_low + climate.temperature_high);
  const float wet = 0.5f * (climate.humidity_low + climate.humidity_high);
  const float warm_half = 0.5f * kStretch * (climate.temperature_high - climate.temperature_low);
  const float wet_half = 0.5f * kStretch * (climate.humidity_high - climate.humidity_low);
  const int n = context.count();
  for (int i = 0; i < n; ++i) {
    const float from_sea = clamp01(inland[i]);
    temperature[i] = smaller(larger(warm + warm_half * temperature[i], climate.temperature_low),
                             climate.temperature_high);
    humidity[i] =
        wet + wet_half * humidity[i] + climate.coast_humidity * (0.5f - from_sea) -
        climate.rain_shadow * shadow[i] * smooth(inland[i] * kShadowRise + kShadowAtCoast);
  }
  return {temperature, humidity};
}

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
