// Stage 2b: watercourses. Nodes of a jittered lattice each drain to the neighbour they fall to most
// steeply; neighbours are joined by the edges of a triangulation, so that no two of these cross.
// The land is built from this: valleys lie along the watercourses, with rivers and lakes in them.

#include "hwy/highway.h"
#include "worldgen/terrains/continents/hydrology.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::continents::HWY_NAMESPACE {

/// What the watercourses mean for each sample. The nearest counts most, but where two are as near,
/// it is not torn between them.
struct Valleys {
  float* distance;         // blocks; the drainage's reach where none is within reach
  float *away_x, *away_y;  // how the distance changes per block
  float* inland;           // of those within reach; 0 where there are none
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

/// All watercourses that can come within reach, in the order of their nodes, and all lakes.
Hydrology find_hydrology(const Nodes& nodes, const Rivers& rivers) {
  Hydrology hydrology;
  const auto x_of = [&](int node) {
    return static_cast<float>(node % nodes.pitch() * nodes.grid.stride) + nodes.x[node];
  };
  const auto y_of = [&](int node) {
    return static_cast<float>(node / nodes.pitch() * nodes.grid.stride) + nodes.y[node];
  };
  for (int j = kDrainRing; j + kDrainRing < nodes.grid.height; ++j) {
    for (int i = kDrainRing; i + kDrainRing < nodes.grid.width; ++i) {
      const int from = nodes.at(i, j), to = nodes.drain[static_cast<std::size_t>(from)];
      if (nodes.inland[from] <= 0) continue;  // at sea
      if (nodes.lake[from] > 0)
        hydrology.lakes.push_back({x_of(from), y_of(from), nodes.lake[from], nodes.level[from]});
      if (to == from) continue;
      Watercourse course{};
      course.x = x_of(from);
      course.y = y_of(from);
      course.dx = x_of(to) - course.x;
      course.dy = y_of(to) - course.y;
      const float length2 = course.dx * course.dx + course.dy * course.dy;
      course.inverse_length2 = 1.0f / length2;
      course.inland = nodes.level[from];
      course.fall = nodes.level[to] - course.inland;
      const float inverse_length = 1.0f / root(length2);
      course.level_until = nodes.lake[from] * inverse_length;
      course.per_length =
          1.0f / (1.0f - course.level_until - larger(nodes.lake[to], 0.0f) * inverse_length);
      course.width2 = river_half_width2(rivers, nodes.flow[from] - 1.0f);
      const bool to_sea = nodes.inland[to] <= 0;
      course.widening =
          river_half_width2(rivers, to_sea ? nodes.flow[from] : nodes.flow[to] - 1.0f) -
          course.width2;
      hydrology.courses.push_back(course);
    }
  }
  return hydrology;
}

/// The samples along one axis that may lie within reach of a watercourse.
struct ReachedSamples {
  int begin, end;
  ReachedSamples(float a, float d, float reach, std::int64_t stride, int count) {
    const float low = (d < 0 ? a + d : a) - reach, high = (d < 0 ? a : a + d) + reach;
    const auto step = static_cast<float>(stride);
    begin = low > 0 ? static_cast<int>(smaller(low / step, static_cast<float>(count))) : 0;
    end = high > 0 ? static_cast<int>(smaller(high / step, static_cast<float>(count - 1))) + 1 : 0;
  }
};

/// Half the width, in blocks, of what counts as on a watercourse.
constexpr float kOnWay = 24.0f;

/// Adds one watercourse's part to the sums that the smooth distance is made of: with u = 1 / (d^2 +
/// c) of each, and k that falls to exactly nothing at reach, the sum of k u^2 (in
/// valleys.distance), of k u^2 times inland, and of k u^3 times the vector from it.
void add_valley(const Watercourse& course, const Drainage& drainage, const GridContext& context,
                const noise::Displacement& bend, const Valleys& valleys) {
  const float *HWY_RESTRICT bend_x = bend.x, *HWY_RESTRICT bend_y = bend.y;
  const float reach = drainage.reach;
  const float inverse_reach2 = 1.0f / (reach * reach);
  const float margin = reach + drainage.meander_amplitude + 1.0f;
  const ReachedSamples columns(course.x, course.dx, margin, context.grid.stride,
                               context.grid.width);
  const ReachedSamples rows(course.y, course.dy, margin, context.grid.stride, context.grid.height);
  const float begin = course.inland, fall = course.fall, level_until = course.level_until,
              per_length = course.per_length;
  const int pitch = noise::row_pitch(context.grid.width);
  const auto stride = static_cast<std::int32_t>(context.grid.stride);
  for (int j = rows.begin; j < rows.end; ++j) {
    const float from_y = static_cast<float>(j * stride) - course.y;
    const int row = j * pitch;
    float* HWY_RESTRICT sum = valleys.distance + row;
    float* HWY_RESTRICT inland = valleys.inland + row;
    float* HWY_RESTRICT away_x = valleys.away_x + row;
    float* HWY_RESTRICT away_y = valleys.away_y + row;
    TERRANE_INDEPENDENT
    for (int i = columns.begin; i < columns.end; ++i) {
      const float x = (static_cast<float>(i * stride) - course.x) + bend_x[row + i];
      const float y = from_y + bend_y[row + i];
      const float t = clamp01((x * course.dx + y * course.dy) * course.inverse_length2);
      const float off_x = x - t * course.dx, off_y = y - t * course.dy;
      const float distance2 = off_x * off_x + off_y * off_y;
      const float near = larger(1.0f - distance2 * inverse_reach2, 0.0f);
      const float u = kOnWay * kOnWay / (distance2 + kOnWay * kOnWay);
      const float weight = near * near * u * u;
      sum[i] += weight;
      inland[i] += weight * (begin + clamp01((t - level_until) * per_length) * fall);
      away_x[i] += weight * u * off_x;
      away_y[i] += weight * u * off_y;
    }
  }
}

/// Adds a river to the channels.
void add_river(const Watercourse& course, const Drainage& drainage, const GridContext& context,
               const noise::Displacement& bend, const Channels& channels) {
  // more than a mouth's half-width and kChannelReach
  constexpr float kReach = 2.0f * kChannelReach;
  const float margin = kReach + drainage.meander_amplitude + 1.0f;
  const ReachedSamples columns(course.x, course.dx, margin, context.grid.stride,
                               context.grid.width);
  const ReachedSamples rows(course.y, course.dy, margin, context.grid.stride, context.grid.height);
  const float* HWY_RESTRICT bend_x = bend.x;
  const float* HWY_RESTRICT bend_y = bend.y;
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
      const float off_x = x - t * course.dx, off_y = y - t * course.dy;
      const float level =
          course.inland + clamp01((t - course.level_until) * course.per_length) * course.fall;
      const float half2 = (course.width2 + t * course.widening) * mouth_widening(level);
      const float distance2 = off_x * off_x + off_y * off_y;
      const float half = root(half2);
      const float from_middle = (distance2 - half2) * (2.0f / half);
      const float least = outside[i], its_half = halves[i];
      halves[i] = from_middle < least ? half : its_half;
      outside[i] = smaller(from_middle, least);
      from_edge[i] = smaller(root(distance2) - half, from_edge[i]);
    }
  }
}

/// How far the samples are moved before they look for watercourses, so that these are not straight;
/// blocks.
noise::Displacement fill_bend(const Drainage& drainage, const GridContext& context) {
  float* x = context.noise(drainage.meander, "continents.meander_x");
  float* y = context.noise(drainage.meander, "continents.meander_y");
  const int n = context.count();
  for (int i = 0; i < n; ++i) {
    x[i] *= drainage.meander_amplitude;
    y[i] *= drainage.meander_amplitude;
  }
  return {x, y, drainage.meander_amplitude};
}

/// From the sums of add_valley to what they are made for.
void finish_valleys(const Drainage& drainage, int n, const Valleys& valleys) {
  float *HWY_RESTRICT distances = valleys.distance, *HWY_RESTRICT inland = valleys.inland,
                      *HWY_RESTRICT away_x = valleys.away_x, *HWY_RESTRICT away_y = valleys.away_y;
  TERRANE_INDEPENDENT
  for (int i = 0; i < n; ++i) {
    // (d^2 + c) / c = (sum of k u^2)^(-1/2)
    const float sum = distances[i] + 1e-12f;
    const float ratio = 1.0f / root(sum);
    const float distance = smaller(kOnWay * root(larger(ratio - 1.0f, 0.0f)), drainage.reach);
    const float scale = ratio / (sum * (distance + 0.1f));
    inland[i] /= sum;
    distances[i] = distance;
    away_x[i] *= scale;
    away_y[i] *= scale;
  }
}

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
