// Stage 2c: lakes, and how high the water of rivers and lakes stands.

#include "hwy/highway.h"
#include "worldgen/rounding.h"
#include "worldgen/terrains/continents/continents.h"
#include "worldgen/terrains/continents/roads.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::continents::HWY_NAMESPACE {

/// In radii: how far a lake's water is the level of all around it, and how far it is felt.
constexpr float kLevelShore = 1.15f, kLakeReach = 1.6f;

/// In radii: samples further than this from a lake's middle are not looked at.
constexpr float kLakeMargin = 2.0f;
/// In radii: valley sides begin where this ends.
constexpr float kLakeSides = 0.8f;
/// In radii: how far a shore lies from the middle but for its waves, at least and at most.
constexpr float kMiddleShore = 0.7f, kNearestShore = 0.22f, kFurthestShore = 1.04f;
/// What a noise adds to it, in blocks and in radii at most; so gentle that hardly a part of a lake
/// comes off.
constexpr float kShoreRoughness = 26.0f, kRoughestShore = 0.28f;
constexpr FractalNoise kShoreNoise{{1, 64}, 3, 0.6f};
/// The water of a river near the sea is at least this share of its valley's height above it.
constexpr float kWaterShare = 0.5f;
/// Blocks: a bank is above the water of the next block, too, which may be higher by what the valley
/// falls.
constexpr float kLeastFreeboard = 0.07f, kFreeboardPerFall = 2.0f, kMostFreeboard = 0.3125f;
/// Steps of a lake's level: 1/16 block, and how many are in a block.
constexpr float kLevelStep = 0.0625f, kStepsPerBlock = 16.0f;

/// How far from a lake's middle its shore is in a direction of length 1, in radii.
HWY_INLINE float shore_at(const Lake& lake, float x, float y) {
  float shore = kMiddleShore, wave_x = x, wave_y = y;
  for (const Lake::Waves& waves : lake.shore) {
    const float next_x = wave_x * x - wave_y * y;  // one angle more
    wave_y = wave_x * y + wave_y * x;
    wave_x = next_x;
    shore += waves.x * wave_x + waves.y * wave_y;
  }
  return smaller(larger(shore, kNearestShore), kFurthestShore);
}

/// Puts a lake into the valleys: the ground around it is a valley's, on the level of its water.
/// `noise`, in a field, makes its shore rough.
void add_lake(const Lake& lake, const Places& places, const float* noise, const Valleys& valleys,
              const Channels& channels) {
  const float inverse = 1.0f / lake.radius;
  const float roughness = smaller(kShoreRoughness, kRoughestShore * lake.radius);
  float* const from_edge = lake.has_road ? channels.from_road_edge : channels.from_edge;
  const auto add = [&](int begin, int end) {
    for (int k = begin; k < end && k < places.samples; ++k) {
      const float x = (places.x[k] - lake.x) + places.bend_x[k];
      const float y = (places.y[k] - lake.y) + places.bend_y[k];
      const float distance2 = x * x + y * y;
      const float radii = root(distance2) * inverse;
      const float part = clamp01((kLakeReach - radii) * (1.0f / (kLakeReach - kLevelShore)));
      const float near = part * part * (3.0f - 2.0f * part);
      // how much of the way to the lake's level is gone per block, over the distance
      const float nearing = 6.0f * part * (part - 1.0f) * inverse * inverse /
                            ((kLakeReach - kLevelShore) * larger(radii, kLakeSides));
      const float drop = (lake.level - valleys.floor[k]) * nearing;
      valleys.distance[k] *= smooth(radii - kLakeSides);
      valleys.floor[k] = near < 1 ? mix(valleys.floor[k], lake.level, near) : lake.level;
      valleys.floor_x[k] = valleys.floor_x[k] * (1.0f - near) + drop * x;
      valleys.floor_y[k] = valleys.floor_y[k] * (1.0f - near) + drop * y;
      channels.lake[k] = larger(channels.lake[k], near);
      if (near <= 0 && !lake.has_road) continue;
      const float distance = root(distance2), to_unit = 1.0f / larger(distance, 1.0f);
      const float half =
          lake.radius * shore_at(lake, x * to_unit, y * to_unit) + roughness * noise[places.at[k]];
      const float from_middle = (distance2 - half * half) * (2.0f / half);
      from_edge[k] = smaller(from_edge[k], distance - half);
      if (from_middle < smaller(channels.outside[k], channels.brooks[k])) channels.half[k] = half;
      channels.outside[k] = smaller(from_middle, channels.outside[k]);
    }
  };
  const float beyond = lake.has_road ? kChannelReach : 0.0f;
  for_runs(places, {lake.x, lake.y}, kLakeMargin * lake.radius + beyond, add);
}

/// 0 on land, 1 at sea, half at the coast.
HWY_INLINE float out_at_sea(float inland) {
  constexpr float kChangesWithin = 0.003f;  // of inland
  return smooth(0.5f - inland * (1.0f / kChangesWithin));
}

/// The height of the water and its freeboard, from the valleys: below the banks, and the sea's at
/// the mouth. In a lake it is a multiple of 1/16 block, so that it is level once it is interpolated
/// and rounded.
void fill_surface(const ContinentsTerrain& terrain, int n, const float* HWY_RESTRICT inland,
                  const Valleys& valleys, const Channels& channels) {
  const float *HWY_RESTRICT floor = valleys.floor, *HWY_RESTRICT floor_x = valleys.floor_x,
                            *HWY_RESTRICT floor_y = valleys.floor_y;
  const float* HWY_RESTRICT lake = channels.lake;
  float *HWY_RESTRICT surface = channels.surface, *HWY_RESTRICT freeboard = channels.freeboard;
  for (int i = 0; i < n; ++i) {
    const float above_sea = larger(floor[i], 0.0f) * (1.0f - out_at_sea(inland[i]));
    const float water = larger(above_sea - terrain.rivers.bank_height, kWaterShare * above_sea);
    surface[i] = lake[i] < 1.0f
                     ? water
                     : kLevelStep * static_cast<float>(round_to_int(kStepsPerBlock * water));
    const float fall = root(floor_x[i] * floor_x[i] + floor_y[i] * floor_y[i]);
    freeboard[i] = smaller(kLeastFreeboard + kFreeboardPerFall * fall, kMostFreeboard);
  }
}

struct WaterFields {
  Valleys valleys;
  Channels channels;
};

/// The valleys, rivers and lakes of a grid.
WaterFields fill_water(const ContinentsTerrain& terrain, const GridContext& context,
                       const float* inland, const Bend& bend) {
  const Places places = places_of(context, bend);
  const Hydrology hydrology = hydrology_around(terrain, context, places.bounds);
  const auto values = [&](float value) {
    float* const out = places.values(context);
    for (int k = 0; k < places.count; ++k) out[k] = value;
    return out;
  };
  const Valleys valleys{values(0), values(0), values(0), values(0), values(0), values(0)};
  const auto has_road = [](const auto& water) { return water.has_road; };
  const bool has_roads =
      std::any_of(hydrology.courses.begin(), hydrology.courses.end(), has_road) ||
      std::any_of(hydrology.lakes.begin(), hydrology.lakes.end(), has_road);
  const Channels channels{values(kFarOutside),
                          values(kFarOutside),
                          values(0),
                          values(kChannelReach),
                          has_roads ? values(kChannelReach) : nullptr,
                          has_roads ? values(kNoFord) : nullptr,
                          values(0)};
  for (const Watercourse& course : hydrology.courses) {
    context.stop_if_abandoned();
    add_valley(course, terrain.drainage.reach, places, valleys);
    if (course.width2 > 0) add_river(course, places, channels);
    if (course.ford < 0) continue;
    for_runs(places, {course.x + course.ford * course.dx, course.y + course.ford * course.dy},
             kFordReach + kWidestSwing, [&](int begin, int end) {
               add_ford(course, {places.x, places.y, places.bend_x, places.bend_y}, begin, end,
                        channels.from_ford);
             });
  }
  finish_valleys(terrain.drainage.reach, places.count, valleys);
  const float* const shore =
      hydrology.lakes.empty() ? nullptr : context.noise(kShoreNoise, "continents.shores");
  for (const Lake& lake : hydrology.lakes) add_lake(lake, places, shore, valleys, channels);
  const auto field = [&](const float* from) { return field_of(context, places, from); };
  WaterFields out{{field(valleys.distance), field(valleys.away_x), field(valleys.away_y),
                   field(valleys.floor), field(valleys.floor_x), field(valleys.floor_y)},
                  {}};
  const bool has_road_near =
      has_roads && merge_edges(channels.from_road_edge, places.samples, channels.from_edge);
  for (int k = 0; k < places.samples; ++k)
    out.channels.any |= channels.from_edge[k] < kChannelReach;
  if (!out.channels.any) return out;
  out.channels = {field(channels.outside),
                  field(channels.brooks),
                  field(channels.half),
                  field(channels.from_edge),
                  has_road_near ? field(channels.from_road_edge) : nullptr,
                  has_road_near ? field(channels.from_ford) : nullptr,
                  field(channels.lake),
                  context.field(),
                  context.field(),
                  true};
  fill_surface(terrain, context.count(), inland, out.valleys, out.channels);
  return out;
}

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
