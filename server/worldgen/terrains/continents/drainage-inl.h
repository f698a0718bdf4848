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

/// Rivers and lakes at each sample.
struct Channels {
  // (d^2 - h^2) 2 / h, with d the distance from its middle and h half its width, of what this is
  // least of: below 0 is within. It is smooth across rivers, so that they can be interpolated, and
  // as steep at all edges.
  float* outside;  // kFarOutside where nothing is near
  // The same of brooks, until all is known at the samples: interpolated with what it is least of,
  // brooks would have gaps beside wide rivers.
  float* brooks;
  float* half;  // h, blocks
  // blocks to the nearest edge, below 0 within; kChannelReach where nothing is near
  float* from_edge;
  float* from_road_edge;  // the same of what has roads, of which from_edge does not know at first
  // of what leads across from one road to another: the square of how far its middle is upstream or
  // downstream, blocks squared; kNoFord where there is none
  float* from_ford;
  float* lake;               // 1 in a lake and close to it, 0 elsewhere
  float* surface = nullptr;  // height of the water, blocks
  // blocks: by how much the ground at the water's edge is above it, at least
  float* freeboard = nullptr;
  bool any = false;  // whether anything is near; if not, nothing else is filled
};

constexpr float kFarOutside = 400.0f;
/// Of `outside`: where two watercourses are so near to each other, the ground between them is
/// water, too. It would be a strip of five to nine blocks, or islands of a few samples.
constexpr float kConfluence = 72.0f;
/// Blocks: not so near to the end of a river, where one goes on.
constexpr float kGoesOn = 8.0f;
/// Blocks: within so much, and within half its width, the end of a swinging river gets round.
constexpr float kRoundEnd = 12.0f;
/// Half the width of the widest brook, squared; blocks squared.
constexpr float kWidestBrook2 = 49.0f;
/// Of wave_at.
constexpr float kSteepestWave = 6.0f;

/// Half the width, in blocks, of what counts as on a watercourse.
constexpr float kOnWay = 24.0f, kInverseOnWay2 = 1.0f / (kOnWay * kOnWay);

/// Of how far straight across from a course's end the slopes along it fade, squared: so much of how
/// far off it is.
constexpr float kEndFade2 = 0.1f;

/// What a course's slope along its way counts for near its ends: nothing straight across from them
/// and beyond, where it would break off, and with it whatever follows the slope; all of it on the
/// course itself.
/// @param from_end  share of the course's length to the nearer end
/// @param distance2  from the course; shares of its length, squared
HWY_INLINE float off_end(float from_end, float distance2) {
  const float along2 = from_end * from_end;
  return along2 / (along2 + kEndFade2 * distance2 + 1e-12f);
}

/// Where a place lies with regard to a watercourse as it swings.
struct OnCourse {
  float at, t;         // share of its length; within it
  float off_x, off_y;  // blocks from its middle there
  float share;         // what its swing counts for here
  float wave, growth;  // slope of its wave, by how much that is faster here
};

HWY_INLINE OnCourse on_course(const Watercourse& course, const Places& places, int k) {
  const float x = (places.x[k] - course.x) + places.bend_x[k];
  const float y = (places.y[k] - course.y) + places.bend_y[k];
  const float at = (x * course.dx + y * course.dy) * course.inverse_length2;
  const float t = clamp01(at);
  const Wave wave = wave_at(Swing::along(course.unevenness, t) * course.waves + 0.25f);
  const float beside = x * course.normal_x + y * course.normal_y;
  const float share = Swing::fade(beside, course.fade) * Swing::calm(course.calming, t);
  const float aside = share * course.swing * wave.value;
  return {at,
          t,
          x - t * course.dx - aside * course.normal_x,
          y - t * course.dy - aside * course.normal_y,
          share,
          wave.slope,
          Swing::growth(course.unevenness, t)};
}

/// Adds one watercourse's part to the sums that the smooth distance is made of: with u = c / (d^2 +
/// c) of each, and k that falls to exactly nothing at reach, the sum of w = k u^2 (in
/// valleys.distance) and of w times the floor's height; and of the slopes of w (in valleys.away_x
/// and away_y), and these times the height, which with w times its own slope make the floor's.
void add_valley(const Watercourse& way, float reach, const Places& places, const Valleys& valleys) {
  const float inverse_reach2 = 1.0f / (reach * reach);
  const float fall_per_block2 = way.fall * way.per_length * way.inverse_length2;
  const float share_of_fall = 1.0f / way.per_length;  // of its length
  const auto add = [&](int begin, int end) {
    const Watercourse course = way;  // copies, which no store can change
    const Places here = places;
    float *HWY_RESTRICT sum = valleys.distance, *HWY_RESTRICT floor = valleys.floor,
                        *HWY_RESTRICT weight_x = valleys.away_x,
                        *HWY_RESTRICT weight_y = valleys.away_y,
                        *HWY_RESTRICT floor_x = valleys.floor_x,
                        *HWY_RESTRICT floor_y = valleys.floor_y;
    TERRANE_INDEPENDENT
    for (int k = begin; k < end; ++k) {
      const OnCourse on = on_course(course, here, k);
      const float distance2 = on.off_x * on.off_x + on.off_y * on.off_y;
      // which way the distance grows: beside it, not straight across, as it swings
      const float across = on.off_x * course.normal_x + on.off_y * course.normal_y;
      const float shares2 = distance2 * course.inverse_length2;
      const float skew = across * on.share * course.swing_slope * on.wave * on.growth *
                         off_end(smaller(on.t, 1.0f - on.t), shares2);
      const float way_x = on.off_x - skew * course.normal_y;
      const float way_y = on.off_y + skew * course.normal_x;
      const float near = larger(1.0f - distance2 * inverse_reach2, 0.0f);
      const float u = kOnWay * kOnWay / (distance2 + kOnWay * kOnWay);
      const float weight = near * near * u * u;
      const float part = (on.t - course.level_until) * course.per_length;
      const float level = course.level + clamp01(part) * course.fall;
      const float from_level = larger(smaller(part, 1.0f - part), 0.0f) * share_of_fall;
      const float falls = weight * fall_per_block2 * off_end(from_level, shares2);
      const float slope = -4.0f * near * u * u * (inverse_reach2 + near * u * kInverseOnWay2);
      sum[k] += weight;
      floor[k] += weight * level;
      weight_x[k] += slope * way_x;
      weight_y[k] += slope * way_y;
      floor_x[k] += slope * way_x * level + falls * course.dx;
      floor_y[k] += slope * way_y * level + falls * course.dy;
    }
  };
  for_runs(places, {way.x, way.y, way.dx, way.dy}, reach + kWidestSwing, add);
}

/// Adds a river to the channels.
void add_river(const Watercourse& way, const Places& places, const Channels& channels) {
  // more than a mouth's half-width and kChannelReach
  constexpr float kReach = 2.0f * kChannelReach;
  const float length = root(way.dx * way.dx + way.dy * way.dy);
  const float steepest = 1.3f * kSteepestWave * way.swing_slope;
  const bool is_brook = larger(way.width2, way.width2 + way.widening) < kWidestBrook2;
  float* const its_edge = way.has_road ? channels.from_road_edge : channels.from_edge;
  float* const its_outside = is_brook ? channels.brooks : channels.outside;
  const float* const others_outside = is_brook ? channels.outside : channels.brooks;
  const auto add = [&](int begin, int end) {
    const Watercourse course = way;  // copies, which no store can change
    const Places here = places;
    float *HWY_RESTRICT outside = its_outside, *HWY_RESTRICT halves = channels.half,
                        *HWY_RESTRICT from_edge = its_edge;
    const float* HWY_RESTRICT others = others_outside;
    TERRANE_INDEPENDENT
    for (int k = begin; k < end; ++k) {
      const OnCourse on = on_course(course, here, k);
      const float part = (on.t - course.level_until) * course.per_length;
      const float level = course.level + clamp01(part) * course.fall;
      const float at_mouth = larger(course.from_lake * clamp01(1.0f - part * course.mouth),
                                    course.to_water * clamp01(1.0f - (1.0f - part) * course.mouth));
      const float half2 = (course.width2 + on.t * course.widening) * mouth_widening(level) +
                          kLakeWidening * at_mouth;
      // across the river, and not across its valley, but round at its ends
      const float half = root(half2);
      const float beyond = larger(larger(-on.at, on.at - 1.0f), 0.0f) * length;
      const float turn = on.share * course.swing_slope * on.wave * on.growth *
                         larger(1.0f - beyond / larger(half, kRoundEnd), 0.0f);
      const float distance2 = (on.off_x * on.off_x + on.off_y * on.off_y) / (1.0f + turn * turn);
      const float from_middle = (distance2 - half2) * (2.0f / half);
      const float least = outside[k], its_half = halves[k];
      halves[k] = from_middle < smaller(least, others[k]) ? half : its_half;
      const float from_end = smaller(on.at, 1.0f - on.at) * length;
      const float blend = kConfluence * clamp01((from_end - kGoesOn) * (1.0f / (3.0f * kGoesOn)));
      outside[k] = lower_of(from_middle, least, larger(blend, 0.01f));
      from_edge[k] = smaller(root(distance2) - half, from_edge[k]);
    }
  };
  for_runs(places, {way.x, way.y, way.dx, way.dy},
           kReach * root(1.0f + steepest * steepest) + kWidestSwing, add);
}

/// From the sums of add_valley to what they are made for.
void finish_valleys(float reach, int n, const Valleys& valleys) {
  float *HWY_RESTRICT distances = valleys.distance, *HWY_RESTRICT floor = valleys.floor,
                      *HWY_RESTRICT away_x = valleys.away_x, *HWY_RESTRICT away_y = valleys.away_y,
                      *HWY_RESTRICT floor_x = valleys.floor_x,
                      *HWY_RESTRICT floor_y = valleys.floor_y;
  TERRANE_INDEPENDENT
  for (int i = 0; i < n; ++i) {
    // (d^2 + c) / c = (sum of k u^2)^(-1/2)
    const float sum = distances[i] + 1e-24f;
    const float ratio = 1.0f / root(sum);
    const float distance = smaller(kOnWay * root(larger(ratio - 1.0f, 0.0f)), reach);
    const float weight_x = away_x[i], weight_y = away_y[i];
    const float level = floor[i] / sum;
    floor[i] = level;
    floor_x[i] = (floor_x[i] - level * weight_x) / sum;
    floor_y[i] = (floor_y[i] - level * weight_y) / sum;
    distances[i] = distance;
    const float turn = -0.25f * kOnWay * kOnWay * ratio / (sum * (distance + 0.1f));
    const float scale = distance < reach ? turn : 0.0f;
    away_x[i] = scale * weight_x;
    away_y[i] = scale * weight_y;
  }
}

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
