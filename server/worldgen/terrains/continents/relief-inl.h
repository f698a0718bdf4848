// Stage 3: what rises above the valley floors. Height = floor + relief, and relief >= 0 vanishes at
// watercourses: so nothing that flows stands above its banks, and mountains drain by
// construction.

#include <array>

#include "hwy/highway.h"
#include "worldgen/terrains/continents/continents.h"
#include "worldgen/terrains/continents/uplift.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::continents::HWY_NAMESPACE {

/// How high the land may rise, before valleys are cut into it; changes over hundreds of blocks.
struct Uplift {
  float *mountains, *hills;  // blocks
};

/// In units of 1 / inland: how soon mountains and hills reach their height behind the coast.
constexpr float kMountainRise = 4.0f, kHillRise = 60.0f;
/// Where there are mountains, hills are higher by this share of them.
constexpr float kFoothills = 0.1f;

Uplift fill_uplift(const Relief& relief, const GridContext& context,
                   const noise::Displacement& warp, const float* HWY_RESTRICT inland) {
  float* mountains = context.noise(relief.mountain_mask, "continents.mountains", warp);
  const float* regions =
      context.noise(relief.mountain_regions, "continents.mountain_regions", warp);
  float* hills = context.noise(relief.hill_mask, "continents.hill_mask", warp);
  const int n = context.count();
  for (int i = 0; i < n; ++i) {
    const float ashore = smooth(inland[i] * kHillRise);
    mountains[i] = relief.mountain_height * mountain_share(relief, mountains[i], regions[i]) *
                   smooth(inland[i] * kMountainRise);
    hills[i] = (mix(relief.hill_height_low, relief.hill_height_high, hill_share(hills[i])) +
                kFoothills * mountains[i]) *
               ashore;
  }
  return {mountains, hills};
}

/// Height in blocks, with its slope.
struct Surface {
  float *height, *slope_x, *slope_y;
};

/// Of crests: how round they are in the first octave, squared. They are as round in blocks in every
/// octave, up to a limit.
constexpr float kCrestRounding = 0.0025f, kRoundestCrest = 0.12f;
/// How much an octave's crests count for the weight of the next octave's.
constexpr float kCrestWeight = 1.6f;

/// One octave of ridged noise: adds crests where the noise is near zero, as high as `weight` says,
/// which it makes the next octave's.
void add_ridges(float amplitude, float rounding, int n, const noise::NoiseOut& octave,
                float* HWY_RESTRICT weight, const Surface& surface) {
  const float *HWY_RESTRICT value = octave.value, *HWY_RESTRICT value_x = octave.slope_x,
                            *HWY_RESTRICT value_y = octave.slope_y;
  float *HWY_RESTRICT height = surface.height, *HWY_RESTRICT slope_x = surface.slope_x,
                      *HWY_RESTRICT slope_y = surface.slope_y;
  TERRANE_INDEPENDENT
  for (int i = 0; i < n; ++i) {
    const float magnitude = root(value[i] * value[i] + rounding);
    const float crest = larger(1.0f - magnitude, 0.0f);
    const float squared = crest * crest;
    const float share = amplitude * weight[i];
    const float turn = -2.0f * share * crest * value[i] / magnitude;
    height[i] += share * squared;
    slope_x[i] += turn * value_x[i];
    slope_y[i] += turn * value_y[i];
    weight[i] = clamp01(weight[i] * squared * kCrestWeight);
  }
}

/// Ridged noise in [0, 1], with its slope: each octave is weaker where the one before it is low.
Surface fill_ridges(const Relief& relief, const GridContext& context,
                    const noise::Displacement& displaced) {
  const Surface out{context.field(), context.field(), context.field()};
  const noise::NoiseOut noise{context.field(), context.field(), context.field()};
  float* weight = context.field();
  const int n = context.count();
  std::array<noise::Octave, noise::kMaxOctaves> octaves;
  noise::make_octaves(relief.ridges, context.key("continents.ridges"), octaves.data());
  float total = 0;
  for (int k = 0; k < relief.ridges.octaves; ++k)
    total += octaves[static_cast<std::size_t>(k)].amplitude;
  for (int i = 0; i < n; ++i) {
    out.height[i] = out.slope_x[i] = out.slope_y[i] = 0;
    weight[i] = 1;
  }
  float rounding = kCrestRounding;
  for (int k = 0; k < relief.ridges.octaves; ++k) {
    context.stop_if_abandoned();
    noise::Octave octave = octaves[static_cast<std::size_t>(k)];
    const float amplitude = octave.amplitude / total;
    octave.amplitude = noise::kInverseOfLargest;
    noise::fill_displaced_octave(octave, context.grid, displaced, context.target, noise);
    add_ridges(amplitude, rounding, n, noise, weight, out);
    rounding = smaller(rounding * 4.0f, kRoundestCrest);
  }
  return out;
}

/// Within so many blocks of each other, the lower of two heights goes over into the other: less
/// near the sea's level, as it comes to lie lower than both there, and low coasts would drown.
constexpr float kBlend = 6.0f, kLeastBlend = 0.25f;

/// Valley sides are no wider than this share of a drainage's reach.
constexpr float kWidestValley = 0.95f;
/// Of inland: hills of the sea bed reach their height at minus one over this.
constexpr float kSeabedRise = 5.0f;
/// Hills that come to the coast are cliffs there, up to so much of their height; they rise within
/// one over this, of inland.
constexpr float kCliffs = 1.5f, kCliffRise = 250.0f;
/// Mountains stand above what the coast allows by so much of their height: they would end in one
/// level top.
constexpr float kOverCoast = 0.9f;
/// Of inland: behind the coast, land is held up by its valleys at one over this.
constexpr float kHeldRise = 40.0f;
/// Where the coast holds the land down, its slope is mostly gone, and what follows the slope with
/// it: this share is left, once the land would stand so many blocks higher.
constexpr float kSlopeHeldDown = 0.15f, kHeldDownWithin = 12.0f;
/// What land is raised from: inland, the hills' noise, and what may rise.
struct RaisedFrom {
  const float *inland, *hills;
  const Uplift& uplift;
  const Valleys& valleys;
  const Channels& channels;
};

/// Land rises from a river's banks, not from its middle: so many blocks from there at most.
constexpr float kWidestToBank = 32.0f;

/// How far the land is from where it begins to rise beside the watercourses: the distance from
/// their middles, less what of it is a river's.
const float* fill_from_banks(const GridContext& context, const Channels& channels,
                             const float* HWY_RESTRICT distance) {
  if (!channels.any) return distance;
  const float *HWY_RESTRICT half = channels.half, *HWY_RESTRICT from_edge = channels.from_edge;
  float* HWY_RESTRICT from_banks = context.field();
  for (int i = 0; i < context.count(); ++i) {
    const float to_bank =
        smaller(half[i], kWidestToBank) * (1.0f - smooth(from_edge[i] / kChannelReach));
    from_banks[i] = larger(distance[i] - to_bank, 0.0f);
  }
  return from_banks;
}

/// How high a side of a valley is at a share x of its width, as a share of its height: steepest at
/// its foot, as water has cut into it there, and level at its top. Round like those of hills, or
/// straighter and with more of an edge like those of mountains.
HWY_INLINE float hill_side_at(float x) { return x * (2.0f - x); }
HWY_INLINE float mountain_side_at(float x) { return x * (1.5f - 0.5f * x * x); }
/// Their slopes.
HWY_INLINE float hill_slope_at(float x) { return 2.0f - 2.0f * x; }
HWY_INLINE float mountain_slope_at(float x) { return 1.5f - 1.5f * x * x; }

/// Land and sea bed without gullies: raises `surface`, which holds the ridges, to what stands on
/// the floor.
/// @param highest   how high land may be
/// @param distance  from where it begins to rise
void raise_land(const ContinentsTerrain& terrain, int n, const RaisedFrom& from,
                const float* HWY_RESTRICT highest, const float* HWY_RESTRICT distance,
                const Surface& surface) {
  const Relief relief = terrain.relief;  // a copy, which no store can change
  const float *HWY_RESTRICT inland = from.inland, *HWY_RESTRICT hills = from.hills;
  const float *HWY_RESTRICT mountains = from.uplift.mountains,
                            *HWY_RESTRICT hill_heights = from.uplift.hills;
  const float *HWY_RESTRICT away_x = from.valleys.away_x,
                            *HWY_RESTRICT away_y = from.valleys.away_y,
                            *HWY_RESTRICT floor = from.valleys.floor,
                            *HWY_RESTRICT floor_x = from.valleys.floor_x,
                            *HWY_RESTRICT floor_y = from.valleys.floor_y;
  float *HWY_RESTRICT height = surface.height, *HWY_RESTRICT slope_x = surface.slope_x,
                      *HWY_RESTRICT slope_y = surface.slope_y;
  const float rest = 1.0f - relief.ridge_share;
  const float widest = kWidestValley * terrain.drainage.reach;
  const float bed_width = terrain.drainage.bed_width;
  const float held_width = 1.0f / terrain.drainage.reach;
  TERRANE_INDEPENDENT
  for (int i = 0; i < n; ++i) {
    const float mountain = mountains[i], hill = hill_heights[i];
    // Valley sides: as wide as what stands above them is high.
    const float width = smaller(relief.valley_width + relief.valley_widening * mountain, widest);
    const float x = clamp01(distance[i] / width);
    const float side = mountain_side_at(x);
    const float steepening = mountain_slope_at(x) / width;
    const float hill_width = kHillValley * (relief.valley_width + relief.valley_widening * hill);
    const float hill_x = clamp01(distance[i] / hill_width);
    const float form = rest + relief.ridge_share * height[i];
    const float rolling = 0.5f + 0.5f * hills[i];
    const float rolled = hill * rolling * rolling * kRollingHeight;
    const float seabed = relief.seabed_height * smooth(inland[i] * -kSeabedRise) * hills[i];
    const float land = floor[i] + mountain * side * form + hill_side_at(hill_x) * rolled;
    // ... and its slope: away from the watercourse, where it rises from the bed too, and where the
    // ridges' is.
    const float off = clamp01(distance[i] / bed_width);
    const float off_way = smooth(off);
    const float along =
        off_way * (mountain * steepening * form + rolled * hill_slope_at(hill_x) / hill_width) +
        (land - floor[i]) * 6.0f * off * (1.0f - off) / bed_width;
    const float across = off_way * mountain * side * relief.ridge_share;
    // Where a valley's floor is higher than the coast would have the land, the land comes down to
    // that slowly.
    const float held = larger(floor[i] - highest[i], 0.0f) * smooth(inland[i] * kHeldRise) *
                       (1.0f - smooth(distance[i] * held_width));
    const float cliff = kCliffs * hill * smooth(inland[i] * kCliffRise);
    const float coast = highest[i] + held + cliff + seabed + kOverCoast * mountain * form;
    const float blend = smaller(larger(coast, kLeastBlend), kBlend);
    const float ground = mix(floor[i], lower_of(land, coast, blend), off_way);
    // no valley goes on as a spit into the sea
    height[i] = mix(ground, smaller(ground, coast), out_at_sea(inland[i]));
    const float held_down = clamp01(0.5f + (land - coast) * (0.5f / kHeldDownWithin)) *
                            smooth(inland[i] * 0.5f * kCliffRise);
    const float sloping = mix(1.0f, kSlopeHeldDown, held_down);
    slope_x[i] = sloping * (floor_x[i] + along * away_x[i] + across * slope_x[i]);
    slope_y[i] = sloping * (floor_y[i] + along * away_y[i] + across * slope_y[i]);
  }
}

/// The surface of land and sea bed, without gullies.
Surface fill_relief(const ContinentsTerrain& terrain, const GridContext& context,
                    const RaisedFrom& from, const noise::Displacement& displaced) {
  float* const highest = context.field();
  for (int i = 0; i < context.count(); ++i) highest[i] = from.inland[i];
  apply(terrain.land.floor, highest, context.count());
  const Surface surface = fill_ridges(terrain.relief, context, displaced);
  raise_land(terrain, context.count(), from, highest,
             fill_from_banks(context, from.channels, from.valleys.distance), surface);
  return surface;
}

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
