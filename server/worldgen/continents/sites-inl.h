// What leaves the generator: integers, sample by sample.

#include "hwy/highway.h"
#include "worldgen/continents/limits.h"
#include "worldgen/continents/parameters.h"
#include "worldgen/rounding.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::continents::HWY_NAMESPACE {

/// Rows of floats that the samples' values are made of.
struct RowIn {
  const float *height, *roughness, *slope, *inland, *temperature, *humidity, *border;
};

HWY_INLINE std::int32_t within(const Limit& limit, std::int32_t value) {
  const std::int32_t above = value > limit.min ? value : limit.min;
  return above < limit.max ? above : limit.max;
}

/// Heights, and temperatures that fall with them.
void fill_heights(const RowIn& in, const Ground& ground, const Climate& climate, const Limits& limits, int n,
                  std::int32_t* HWY_RESTRICT height_q4, std::int32_t* HWY_RESTRICT site_height_q4, float* HWY_RESTRICT cooling) {
  const float *HWY_RESTRICT height = in.height, *HWY_RESTRICT roughness = in.roughness, *HWY_RESTRICT slope = in.slope,
                            *HWY_RESTRICT border = in.border;
  for (int i = 0; i < n; ++i) {
    const float amplitude = mix(ground.amplitude_low, ground.amplitude_high, clamp01(slope[i] * 0.01f));
    const float blocks = height[i] + amplitude * roughness[i];
    const float above_sea = larger(blocks, 0.0f);
    height_q4[i] = within(limits.height, round_to_int(16.0f * blocks));
    site_height_q4[i] = within(limits.height, round_to_int(16.0f * (blocks + climate.border_height * border[i] * above_sea)));
    cooling[i] = 10.0f * climate.lapse_rate * above_sea;
  }
}

/// round(10 * value - minus), and the same with `scale` times the border's noise, both within the limit. The latter is rounded
/// once: a sum of two rounded values would flicker from sample to sample along a biome's border.
void fill_tenths(const float* HWY_RESTRICT value, const float* HWY_RESTRICT minus, const float* HWY_RESTRICT border, float scale,
                 const Limit& limit, int n, std::int16_t* HWY_RESTRICT out, std::int16_t* HWY_RESTRICT site) {
  for (int i = 0; i < n; ++i) {
    const float tenths = 10.0f * value[i] - minus[i];
    out[i] = static_cast<std::int16_t>(within(limit, round_to_int(tenths)));
    site[i] = static_cast<std::int16_t>(within(limit, round_to_int(tenths + scale * border[i])));
  }
}

void fill_rounded(const float* HWY_RESTRICT value, float scale, const Limit& limit, int n, std::int16_t* HWY_RESTRICT out) {
  for (int i = 0; i < n; ++i) out[i] = static_cast<std::int16_t>(within(limit, round_to_int(scale * value[i])));
}

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
