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

/// Mountains' share where the wind comes from, less that where it goes to.
inline float* fill_shadow(const Climate& climate, const Relief& relief, const Stage& stage) {
  Stage upwind = stage, downwind = stage;
  upwind.grid.origin.x -= climate.wind_reach;
  downwind.grid.origin.x += climate.wind_reach;
  float* HWY_RESTRICT before = upwind.noise(relief.mountain_mask, "continents.mountains");
  const float* HWY_RESTRICT behind = downwind.noise(relief.mountain_mask, "continents.mountains");
  const int n = stage.count();
  for (int i = 0; i < n; ++i)
    before[i] = mountain_share(relief, before[i]) - mountain_share(relief, behind[i]);
  return before;
}

ClimateFields fill_climate(const Climate& climate, const Relief& relief, const Stage& stage,
                           const float* HWY_RESTRICT inland) {
  float* temperature = stage.noise(climate.temperature, "continents.temperature");
  float* humidity = stage.noise(climate.humidity, "continents.humidity");
  const float* shadow = fill_shadow(climate, relief, stage);
  const float warm = 0.5f * (climate.temperature_low + climate.temperature_high);
  const float wet = 0.5f * (climate.humidity_low + climate.humidity_high);
  const float warm_half = 0.5f * kStretch * (climate.temperature_high - climate.temperature_low);
  const float wet_half = 0.5f * kStretch * (climate.humidity_high - climate.humidity_low);
  const int n = stage.count();
  for (int i = 0; i < n; ++i) {
    const float from_sea = clamp01(inland[i]);
    temperature[i] = smaller(larger(warm + warm_half * temperature[i], climate.temperature_low),
                             climate.temperature_high);
    humidity[i] = wet + wet_half * humidity[i] + climate.coast_humidity * (0.5f - from_sea) -
                  climate.rain_shadow * shadow[i] * smooth(inland[i] * 4.0f + 0.4f);
  }
  return {temperature, humidity};
}

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
