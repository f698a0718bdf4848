// Stage 6: temperature and humidity, from large-scale noises, the sea, and the mountains that the wind meets.

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::continents::HWY_NAMESPACE {

/// Noises of several octaves seldom come near their limits; this stretches them over most of the range.
constexpr float kStretch = 1.7f;

struct ClimateFields {
  float *sea_temperature, *humidity;  // degC at sea level; percent
};

/// Mountains' share some way before (negative) or behind each sample, as the wind goes.
inline float* fill_upwind(const Climate& climate, const Relief& relief, const Stage& stage, int blocks) {
  (void)climate;
  Stage shifted = stage;
  shifted.grid.origin.x += blocks;
  float* mask = shifted.noise(relief.mountain_mask, "continents.mountains");
  const int n = stage.count();
  for (int i = 0; i < n; ++i) mask[i] = mountain_share(relief, mask[i]);
  return mask;
}

ClimateFields fill_climate(const Climate& climate, const Relief& relief, const Stage& stage, const float* HWY_RESTRICT inland) {
  float* temperature = stage.noise(climate.temperature, "continents.temperature");
  float* humidity = stage.noise(climate.humidity, "continents.humidity");
  const float* before = fill_upwind(climate, relief, stage, -climate.wind_reach);
  const float* behind = fill_upwind(climate, relief, stage, climate.wind_reach);
  const float warm = 0.5f * (climate.temperature_low + climate.temperature_high);
  const float wet = 0.5f * (climate.humidity_low + climate.humidity_high);
  const float warm_half = 0.5f * kStretch * (climate.temperature_high - climate.temperature_low);
  const float wet_half = 0.5f * kStretch * (climate.humidity_high - climate.humidity_low);
  const int n = stage.count();
  for (int i = 0; i < n; ++i) {
    const float from_sea = clamp01(inland[i]);
    const float shadow = climate.rain_shadow * (behind[i] - before[i]);
    temperature[i] = smaller(larger(warm + warm_half * temperature[i], climate.temperature_low), climate.temperature_high);
    humidity[i] = wet + wet_half * humidity[i] + climate.coast_humidity * (0.5f - from_sea) + shadow;
  }
  return {temperature, humidity};
}

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
