// Stage 2b: watercourses. Nodes of a jittered lattice each drain to the neighbour they fall to most
// steeply; neighbours are joined by the edges of a triangulation, so that no two of these cross.
// The land is built from this: valleys lie along the watercourses, with rivers and lakes in them.

#include "hwy/highway.h"
#include "worldgen/terrains/continents/hydrology.h"
#include "worldgen/terrains/continents/swing.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::continents::HWY_NAMESPACE {

/// What the watercourses mean for each sample. The nearest counts most, but where two are as near,
/// it is not torn between them.
struct Valleys {
  float* distance;           // blocks; the drainage's reach where none is within reach
  float *away_x, *away_y;    // how the distance changes per block
  float* floor;              // height of the valley's floor, of those within reach; blocks
  float *floor_x, *floor_y;  // how that changes per block
};

/// How far the samples are moved before they look for water, and the range of that.
struct Bend {
  noise::Displacement displaced;
  BendRange range;
  noise::Displacement meander;  // the rivers' own part of it
};

/// Rivers and lakes at each sample.
struct Channels {
  // (d^2 - h^2) 2 / h, with d the distance from its middle and h half its width, of what this is
  // least of: below 0 is within. It is smooth across rivers, so that they can be interpolated, and
  // as steep at all edges.
  float* outside;  // kFarOutside where nothing is near
  float* half;     // h, blocks
  // blocks to the nearest edge, below 0 within; kChannelReach where nothing is near
  float* from_edge;
  float* lake;       // 1 in a lake and close to it, 0 elsewhere
  float* surface;    // height of the water, blocks
  bool any = false;  // whether anything is near; if not, nothing else is filled
};

constexpr float kFarOutside = 400.0f;
/// Of wave_at.
constexpr float kSteepestWave = 6.0f;

/// The samples along one axis that may lie within reach of a watercourse, once they are moved.
struct ReachedSamples {
  int begin, end;
  ReachedSamples(float a, float d, float reach, float min_bend, float max_bend, std::int64_t stride,
                 int count) {
    const float low = (d < 0 ? a + d : a) - reach - max_bend - 1.0f;
    const float high = (d < 0 ? a : a + d) + reach - min_bend + 1.0f;
    const auto step = static_cast<float>(stride);
    begin = low > 0 ? static_cast<int>(smaller(low / step, static_cast<float>(count))) : 0;
    end = high > 0 ? static_cast<int>(smaller(high / step, static_cast<float>(count - 1))) + 1 : 0;
  }
};

/// Half the width, in blocks, of what counts as on a watercourse.
constexpr float kOnWay = 24.0f, kInverseOnWay2 = 1.0f / (kOnWay * kOnWay);

/// Sums of the slopes of weights.
struct SlopeSums {
  float *weight_x, *weight_y;
};

/// Adds one watercourse's part to the sums that the smooth distance is made of: with u = c / (d^2 +
/// c) of each, and k that falls to exactly nothing at reach, the sum of w = k u^2 (in
/// valleys.distance), of w times the floor's height, and of k u^3 times the vector from it; and of
/// the slopes of w, and these times the height, which make the floor's slope.
void add_valley(const Watercourse& course, const Drainage& drainage, const GridContext& context,
                const Bend& bend, const SlopeSums& slopes, const Valleys& valleys) {
  const float *HWY_RESTRICT bend_x = bend.displaced.x, *HWY_RESTRICT bend_y = bend.displaced.y;
  const float reach = drainage.reach;
  const float inverse_reach2 = 1.0f / (reach * reach);
  const float margin = reach + kWidestSwing;
  const ReachedSamples columns(course.x, course.dx, margin, bend.range.min_x, bend.range.max_x,
                               context.grid.stride, context.grid.width);
  const ReachedSamples rows(course.y, course.dy, margin, bend.range.min_y, bend.range.max_y,
                            context.grid.stride, context.grid.height);
  const float begin = course.level, fall = course.fall, level_until = course.level_until,
              per_length = course.per_length;
  const int pitch = noise::row_pitch(context.grid.width);
  const auto stride = static_cast<std::int32_t>(context.grid.stride);
  for (int j = rows.begin; j < rows.end; ++j) {
    const float from_y = static_cast<float>(j * stride) - course.y;
    const int row = j * pitch;
    float* HWY_RESTRICT sum = valleys.distance + row;
    float* HWY_RESTRICT floor = valleys.floor + row;
    float* HWY_RESTRICT away_x = valleys.away_x + row;
    float* HWY_RESTRICT away_y = valleys.away_y + row;
    float* HWY_RESTRICT weight_x = slopes.weight_x + row;
    float* HWY_RESTRICT weight_y = slopes.weight_y + row;
    float* HWY_RESTRICT floor_x = valleys.floor_x + row;
    float* HWY_RESTRICT floor_y = valleys.floor_y + row;
    TERRANE_INDEPENDENT
    for (int i = columns.begin; i < columns.end; ++i) {
      const float x = (static_cast<float>(i * stride) - course.x) + bend_x[row + i];
      const float y = from_y + bend_y[row + i];
      const float at = (x * course.dx + y * course.dy) * course.inverse_length2;
      const float t = clamp01(at);
      const Wave wave = wave_at(Swing::along(course.unevenness, t) * course.waves + 0.25f);
      const float beside = x * course.normal_x + y * course.normal_y;
      const float share = Swing::fade(beside, course.fade) * Swing::calm(course.calming, t);
      const float aside = share * course.swing * wave.value;
      const float off_x = x - t * course.dx - aside * course.normal_x;
      const float off_y = y - t * course.dy - aside * course.normal_y;
      const float distance2 = off_x * off_x + off_y * off_y;
      // which way the distance grows: beside it, not straight across, as it swings
      const float across = off_x * course.normal_x + off_y * course.normal_y;
      const float skew = at > 0 && at < 1 ? across * share * course.swing_slope * wave.slope *
                                                Swing::growth(course.unevenness, t)
                                          : 0.0f;
      const float way_x = off_x - skew * course.normal_y;
      const float way_y = off_y + skew * course.normal_x;
      const float near = larger(1.0f - distance2 * inverse_reach2, 0.0f);
      const float u = kOnWay * kOnWay / (distance2 + kOnWay * kOnWay);
      const float weight = near * near * u * u;
      const float level = begin + clamp01((t - level_until) * per_length) * fall;
      const float slope = -4.0f * near * u * u * (inverse_reach2 + near * u * kInverseOnWay2);
      sum[i] += weight;
      floor[i] += weight * level;
      away_x[i] += weight * u * way_x;
      away_y[i] += weight * u * way_y;
      weight_x[i] += slope * way_x;
      weight_y[i] += slope * way_y;
      floor_x[i] += slope * way_x * level;
      floor_y[i] += slope * way_y * level;
    }
  }
}

/// Adds a river to the channels.
void add_river(const Watercourse& course, const GridContext& context, const Bend& bend,
               const Channels& channels) {
  // more than a mouth's half-width and kChannelReach
  constexpr float kReach = 2.0f * kChannelReach;
  const float steepest = 1.3f * kSteepestWave * course.swing_slope;
  const float margin = kReach * root(1.0f + steepest * steepest) + kWidestSwing;
  const ReachedSamples columns(course.x, course.dx, margin, bend.range.min_x, bend.range.max_x,
                               context.grid.stride, context.grid.width);
  const ReachedSamples rows(course.y, course.dy, margin, bend.range.min_y, bend.range.max_y,
                            context.grid.stride, context.grid.height);
  const float* HWY_RESTRICT bend_x = bend.displaced.x;
  const float* HWY_RESTRICT bend_y = bend.displaced.y;
  const int pitch = noise::row_pitch(context.grid.width);
  const auto stride = static_cast<std::int32_t>(context.grid.stride);
  for (int j = rows.begin; j < rows.end; ++j) {
    const float from_y = static_cast<float>(j * stride) - course.y;
    const int row = j * pitch;
    float* HWY_RESTRICT outside = channels.outside + row;
    float* HWY_RESTRICT halves = channels.half + row;
    float* HWY_RESTRICT from_edge = channels.from_edge + row;
    TERRANE_INDEPENDENT
    for (int i = columns.begin; i < columns.end; ++i) {
      const float x = (static_cast<float>(i * stride) - course.x) + bend_x[row + i];
      const float y = from_y + bend_y[row + i];
      const float t = clamp01((x * course.dx + y * course.dy) * course.inverse_length2);
      const Wave wave = wave_at(Swing::along(course.unevenness, t) * course.waves + 0.25f);
      const float beside = x * course.normal_x + y * course.normal_y;
      const float share = Swing::fade(beside, course.fade) * Swing::calm(course.calming, t);
      const float aside = share * course.swing * wave.value;
      const float off_x = x - t * course.dx - aside * course.normal_x;
      const float off_y = y - t * course.dy - aside * course.normal_y;
      const float part = (t - course.level_until) * course.per_length;
      const float level = course.level + clamp01(part) * course.fall;
      const float at_mouth = larger(course.from_lake * clamp01(1.0f - part * course.mouth),
                                    course.to_water * clamp01(1.0f - (1.0f - part) * course.mouth));
      const float half2 =
          (course.width2 + t * course.widening) * mouth_widening(level) + kLakeWidening * at_mouth;
      // across the river, and not across its valley
      const float turn =
          share * course.swing_slope * wave.slope * Swing::growth(course.unevenness, t);
      const float distance2 = (off_x * off_x + off_y * off_y) / (1.0f + turn * turn);
      const float half = root(half2);
      const float from_middle = (distance2 - half2) * (2.0f / half);
      const float least = outside[i], its_half = halves[i];
      halves[i] = from_middle < least ? half : its_half;
      outside[i] = smaller(from_middle, least);
      from_edge[i] = smaller(root(distance2) - half, from_edge[i]);
    }
  }
}

/// The bend of the ground at the samples, and the rivers' own.
/// @param warp  fill_warp's, at the samples; added to
Bend fill_bend(const Drainage& drainage, const GridContext& context, const Warp& warp) {
  float* HWY_RESTRICT meander_x = context.noise(drainage.meander, "continents.meander_x");
  float* HWY_RESTRICT meander_y = context.noise(drainage.meander, "continents.meander_y");
  float *HWY_RESTRICT x = warp.x, *HWY_RESTRICT y = warp.y;
  const int n = context.count();
  for (int i = 0; i < n; ++i) {
    meander_x[i] *= drainage.meander_amplitude;
    meander_y[i] *= drainage.meander_amplitude;
    x[i] += meander_x[i];
    y[i] += meander_y[i];
  }
  BendRange range{x[0], x[0], y[0], y[0]};
  const int pitch = noise::row_pitch(context.grid.width);
  for (int j = 0; j < context.grid.height; ++j) {
    for (int i = j * pitch; i < j * pitch + context.grid.width; ++i) {
      range.min_x = smaller(range.min_x, x[i]), range.max_x = larger(range.max_x, x[i]);
      range.min_y = smaller(range.min_y, y[i]), range.max_y = larger(range.max_y, y[i]);
    }
  }
  return {{x, y, warp.reach + drainage.meander_amplitude},
          range,
          {meander_x, meander_y, drainage.meander_amplitude}};
}

/// From the sums of add_valley to what they are made for.
void finish_valleys(const Drainage& drainage, int n, const SlopeSums& slopes,
                    const Valleys& valleys) {
  float *HWY_RESTRICT distances = valleys.distance, *HWY_RESTRICT floor = valleys.floor,
                      *HWY_RESTRICT away_x = valleys.away_x, *HWY_RESTRICT away_y = valleys.away_y,
                      *HWY_RESTRICT floor_x = valleys.floor_x,
                      *HWY_RESTRICT floor_y = valleys.floor_y;
  const float *HWY_RESTRICT weight_x = slopes.weight_x, *HWY_RESTRICT weight_y = slopes.weight_y;
  TERRANE_INDEPENDENT
  for (int i = 0; i < n; ++i) {
    // (d^2 + c) / c = (sum of k u^2)^(-1/2)
    const float sum = distances[i] + 1e-24f;
    const float ratio = 1.0f / root(sum);
    const float distance = smaller(kOnWay * root(larger(ratio - 1.0f, 0.0f)), drainage.reach);
    const float scale = ratio / (sum * (distance + 0.1f));
    const float level = floor[i] / sum;
    floor[i] = level;
    floor_x[i] = (floor_x[i] - level * weight_x[i]) / sum;
    floor_y[i] = (floor_y[i] - level * weight_y[i]) / sum;
    distances[i] = distance;
    away_x[i] *= scale;
    away_y[i] *= scale;
  }
}

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
