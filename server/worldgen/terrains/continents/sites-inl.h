// What leaves the generator: integers, sample by sample.

#include "hwy/highway.h"
#include "worldgen/rounding.h"
#include "worldgen/terrains/continents/parameters.h"
#include "worldgen/terrains/terrain.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::continents::HWY_NAMESPACE {

/// Rows of floats that the samples' values are made of.
struct RowIn {
  const float *height, *roughness, *slope, *inland, *temperature, *humidity, *border;
};

/// What chooses the biomes, in the grid's scratch: a value a sample.
struct SiteRows {
  std::span<std::int32_t> height_q4;
  std::span<std::int16_t> temperature_d, humidity_d, slope_p, inland_p;
  std::span<std::uint8_t> fresh;

  explicit SiteRows(const GridContext& samples)
      : height_q4(samples.scratch->take_span<std::int32_t>(samples.samples())),
        temperature_d(samples.scratch->take_span<std::int16_t>(samples.samples())),
        humidity_d(samples.scratch->take_span<std::int16_t>(samples.samples())),
        slope_p(samples.scratch->take_span<std::int16_t>(samples.samples())),
        inland_p(samples.scratch->take_span<std::int16_t>(samples.samples())),
        fresh(samples.scratch->take_span<std::uint8_t>(samples.samples())) {}

  /// @param any_fresh  whether `fresh` was filled
  [[nodiscard]] SiteLayers layers(bool any_fresh) const {
    return {height_q4, temperature_d, humidity_d,
            slope_p,   inland_p,      fresh.first(any_fresh ? fresh.size() : 0)};
  }
};

/// Where all that goes: the layers, and what chooses the biomes.
struct RowOut {
  std::int32_t *height_q4, *water_q4;
  std::int16_t *temperature_d, *humidity_d;
  std::int32_t* site_height_q4;
  std::int16_t *site_temperature_d, *site_humidity_d, *slope_p, *inland_p;
  std::uint8_t* fresh;

  RowOut(const TerrainOutput& out, const SiteRows& site)
      : height_q4(out.height_q4.data()),
        water_q4(out.water_q4.data()),
        temperature_d(out.temperature_d.data()),
        humidity_d(out.humidity_d.data()),
        site_height_q4(site.height_q4.data()),
        site_temperature_d(site.temperature_d.data()),
        site_humidity_d(site.humidity_d.data()),
        slope_p(site.slope_p.data()),
        inland_p(site.inland_p.data()),
        fresh(site.fresh.data()) {}
};

HWY_INLINE std::int32_t within(const Interval& limit, std::int32_t value) {
  const std::int32_t above = value > limit.min ? value : limit.min;
  return above < limit.max ? above : limit.max;
}

/// Below this many blocks above the sea a site's height is the sample's own, so that what is under
/// water is sea; higher up it is that of the ground without its roughness, so that tree lines have
/// no specks.
constexpr float kShore = 16.0f;

/// The ground before it has rivers, blocks.
void fill_ground(const RowIn& in, const Ground& ground, int n, float* HWY_RESTRICT out) {
  const float *HWY_RESTRICT height = in.height, *HWY_RESTRICT roughness = in.roughness,
                            *HWY_RESTRICT slope = in.slope;
  for (int i = 0; i < n; ++i) {
    out[i] =
        height[i] +
        mix(ground.amplitude_low, ground.amplitude_high, clamp01(slope[i] * 0.01f)) * roughness[i];
  }
}

/// Heights, and how much colder it is for them, in tenths of a degree. A site's are those that
/// choose its biome.
void fill_heights(const RowIn& in, const float* HWY_RESTRICT ground, const Climate& climate,
                  const Interval& limit, int n, std::int32_t* HWY_RESTRICT height_q4,
                  std::int32_t* HWY_RESTRICT site_height_q4, float* HWY_RESTRICT cooling,
                  float* HWY_RESTRICT site_cooling) {
  const float *HWY_RESTRICT height = in.height, *HWY_RESTRICT border = in.border;
  const float tenths = 10.0f * climate.lapse_rate;
  for (int i = 0; i < n; ++i) {
    const float blocks = ground[i];
    const float site = blocks < kShore ? blocks : height[i];
    const float above_sea = larger(site, 0.0f);
    height_q4[i] = within(limit, round_to_int(16.0f * blocks));
    site_height_q4[i] =
        within(limit, round_to_int(16.0f * (site + climate.border_height * border[i] * above_sea)));
    cooling[i] = tenths * larger(blocks, 0.0f);
    site_cooling[i] = tenths * above_sea;
  }
}

/// What is taken off a sample and off its site, in tenths.
struct Reduction {
  const float *sample, *site;
};

/// round(10 * value - minus), and the same for the site, with `scale` times the border's noise,
/// both within the limit.
void fill_tenths(const float* HWY_RESTRICT value, const Reduction& reduction,
                 const float* HWY_RESTRICT border, float scale, const Interval& limit, int n,
                 std::int16_t* HWY_RESTRICT out, std::int16_t* HWY_RESTRICT site) {
  const float *HWY_RESTRICT minus = reduction.sample, *HWY_RESTRICT site_minus = reduction.site;
  for (int i = 0; i < n; ++i) {
    const float tenths = 10.0f * value[i];
    out[i] = static_cast<std::int16_t>(within(limit, round_to_int(tenths - minus[i])));
    site[i] = static_cast<std::int16_t>(
        within(limit, round_to_int(tenths - site_minus[i] + scale * border[i])));
  }
}

void fill_rounded(const float* HWY_RESTRICT value, float scale, const Interval& limit, int n,
                  std::int16_t* HWY_RESTRICT out) {
  for (int i = 0; i < n; ++i)
    out[i] = static_cast<std::int16_t>(within(limit, round_to_int(scale * value[i])));
}

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
