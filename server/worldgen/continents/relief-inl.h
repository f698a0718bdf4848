// Stage 3: what rises above the valley floors. Height = floor + relief, and relief >= 0 vanishes at
// the ways of water: so nothing that flows stands above its banks, and mountains drain by
// construction.

#include <array>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::continents::HWY_NAMESPACE {

/// How high the land may rise, before valleys are cut into it; changes over hundreds of blocks.
struct Uplift {
  float *mountains, *hills;  // blocks
};

/// 0 where there are no mountains … 1 where they are highest.
HWY_INLINE float mountain_share(const Relief& relief, float mask) {
  const float crest = relief.mountain_range - (mask < 0 ? -mask : mask);
  const float share = smooth((crest - relief.mountain_threshold) / relief.mountain_range);
  return share * share;
}

Uplift fill_uplift(const Relief& relief, const Stage& stage, const float* HWY_RESTRICT inland) {
  float* mountains = stage.noise(relief.mountain_mask, "continents.mountains");
  float* hills = stage.noise(relief.hill_mask, "continents.hill_mask");
  const float middle = 0.5f * (relief.hill_height_low + relief.hill_height_high);
  const float half = 0.5f * (relief.hill_height_high - relief.hill_height_low);
  const int n = stage.count();
  for (int i = 0; i < n; ++i) {
    const float ashore = smooth(inland[i] * 8.0f);
    mountains[i] =
        relief.mountain_height * mountain_share(relief, mountains[i]) * smooth(inland[i] * 4.0f);
    hills[i] =
        (larger(middle + half * hills[i] * 1.8f, relief.hill_height_low) + 0.1f * mountains[i]) *
        ashore;
  }
  return {mountains, hills};
}

/// Height in blocks, with its slope.
struct Surface {
  float *height, *slope_x, *slope_y;
};

/// One octave of ridged noise: adds crests where the noise is near zero, as high as `weight` says,
/// which it makes the next octave's.
void add_ridges(float amplitude, float rounding, int n, const float* HWY_RESTRICT value,
                const float* HWY_RESTRICT value_x, const float* HWY_RESTRICT value_y,
                float* HWY_RESTRICT weight, float* HWY_RESTRICT height, float* HWY_RESTRICT slope_x,
                float* HWY_RESTRICT slope_y) {
  for (int i = 0; i < n; ++i) {
    const float magnitude = root(value[i] * value[i] + rounding);
    const float crest = larger(1.0f - magnitude, 0.0f);
    const float squared = crest * crest;
    const float share = amplitude * weight[i];
    const float turn = -2.0f * share * crest * value[i] / magnitude;
    height[i] += share * squared;
    slope_x[i] += turn * value_x[i];
    slope_y[i] += turn * value_y[i];
    weight[i] = clamp01(weight[i] * squared * 1.6f);
  }
}

/// Ridged noise in [0, 1], with its slope: each octave is weaker where the one before it is low.
Surface fill_ridges(const Relief& relief, const Stage& stage,
                    const noise::Displacement& displaced) {
  const Surface out{stage.field(), stage.field(), stage.field()};
  float* value = stage.field();
  float* slope_x = stage.field();
  float* slope_y = stage.field();
  float* weight = stage.field();
  const int n = stage.count();
  std::array<noise::Octave, noise::kMaxOctaves> octaves;
  noise::make_octaves(relief.ridges, stage.key("continents.ridges"), octaves.data());
  float total = 0;
  for (int k = 0; k < relief.ridges.octaves; ++k)
    total += octaves[static_cast<std::size_t>(k)].amplitude;
  for (int i = 0; i < n; ++i) {
    out.height[i] = out.slope_x[i] = out.slope_y[i] = 0;
    weight[i] = 1;
  }
  float rounding = 0.0025f;  // of the crests, squared: they are as round in blocks in every octave
  for (int k = 0; k < relief.ridges.octaves; ++k) {
    noise::Octave octave = octaves[static_cast<std::size_t>(k)];
    const float amplitude = octave.amplitude / total;
    octave.amplitude = noise::kInverseOfLargest;
    noise::fill_displaced_octave(octave, stage.grid, displaced, stage.target,
                                 {value, slope_x, slope_y});
    add_ridges(amplitude, rounding, n, value, slope_x, slope_y, weight, out.height, out.slope_x,
               out.slope_y);
    rounding = smaller(rounding * 4.0f, 0.12f);
  }
  return out;
}

/// Heights of valley floors and of the sea's bed: along a way they are the way's, down to the sea.
float* fill_floor(const Land& land, const Drainage& drainage, const Stage& stage,
                  const float* HWY_RESTRICT inland, const Valleys& valleys) {
  float* HWY_RESTRICT floor = stage.field();
  const float* HWY_RESTRICT distance = valleys.distance;
  const float* HWY_RESTRICT way = valleys.inland;
  const int n = stage.count();
  for (int i = 0; i < n; ++i)
    floor[i] = mix(way[i], inland[i], smooth(distance[i] / drainage.bed_width));
  apply(land.floor, floor, n);
  return floor;
}

/// Land and sea bed without gullies: raises `surface`, which holds the ridges, to what stands on
/// the floor.
void raise(const Drainage& drainage, const Relief& relief, int n, const float* HWY_RESTRICT inland,
           const float* HWY_RESTRICT floor, const float* HWY_RESTRICT mountains,
           const float* HWY_RESTRICT hill_heights, const float* HWY_RESTRICT hills,
           const float* HWY_RESTRICT distance, const float* HWY_RESTRICT away_x,
           const float* HWY_RESTRICT away_y, float* HWY_RESTRICT height,
           float* HWY_RESTRICT slope_x, float* HWY_RESTRICT slope_y) {
  const float rest = 1.0f - relief.ridge_share;
  const float widest = 0.95f * drainage.reach;
  for (int i = 0; i < n; ++i) {
    const float mountain = mountains[i], hill = hill_heights[i];
    // Valley sides: as wide as what stands above them is high.
    const float width = smaller(relief.valley_width + relief.valley_widening * mountain, widest);
    const float x = clamp01(distance[i] / width);
    const float side = x * x * (3.0f - 2.0f * x);
    const float steepening = 6.0f * x * (1.0f - x) / width;
    const float hill_side =
        smooth(distance[i] / (2.0f * (relief.valley_width + relief.valley_widening * hill)));
    const float form = rest + relief.ridge_share * height[i];
    const float rolling = 0.5f + 0.5f * hills[i];
    const float along = mountain * steepening * form, across = mountain * side * relief.ridge_share;
    const float seabed = relief.seabed_height * smooth(inland[i] * -5.0f) * hills[i];
    height[i] =
        floor[i] + mountain * side * form + hill * hill_side * rolling * rolling * 2.0f + seabed;
    slope_x[i] = along * away_x[i] + across * slope_x[i];
    slope_y[i] = along * away_y[i] + across * slope_y[i];
  }
}

Surface fill_relief(const Land& land, const Drainage& drainage, const Relief& relief,
                    const Stage& stage, const float* HWY_RESTRICT inland, const Uplift& uplift,
                    const Valleys& valleys, const noise::Displacement& displaced) {
  const float* floor = fill_floor(land, drainage, stage, inland, valleys);
  const float* hills = stage.noise(relief.hills, "continents.hills");
  const Surface surface = fill_ridges(relief, stage, displaced);
  raise(drainage, relief, stage.count(), inland, floor, uplift.mountains, uplift.hills, hills,
        valleys.distance, valleys.away_x, valleys.away_y, surface.height, surface.slope_x,
        surface.slope_y);
  return surface;
}

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
