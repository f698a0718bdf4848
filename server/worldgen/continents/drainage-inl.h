// Stage 2: the ways of water. Nodes of a jittered lattice each drain to the neighbour they fall to most steeply; neighbours are
// joined by the edges of a triangulation, so that no two ways cross. The land is built from this: valleys lie along the ways.

#include <vector>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::continents::HWY_NAMESPACE {

/// A straight way from a node to the one it drains to. Blocks from the grid's origin: integers, so differences are exact.
struct Way {
  float x, y, dx, dy;
  float inverse_length2;
  float inland, fall;  // at its beginning, and what is added along it
};

/// What the ways mean for each sample. The nearest counts most, but where two are as near, it is not torn between them.
struct Valleys {
  float* distance;         // blocks; the drainage's reach where no way is within reach
  float *away_x, *away_y;  // how the distance changes per block
  float* inland;           // of the ways within reach; 0 where there are none
};

/// The nodes around a grid, with what they know of the land.
struct Nodes {
  noise::SampleGrid grid;  // node (i, j) lies at a sample of this grid plus (x, y)
  const float *x, *y, *inland;

  [[nodiscard]] int at(int i, int j) const { return j * noise::row_pitch(grid.width) + i; }
};

/// Cells of nodes along an axis whose ways can come within reach, and a ring that tells where those lead.
inline void node_range(const Drainage& drainage, std::int64_t origin, std::int64_t span, std::int64_t& first, int& count) {
  const auto reach = static_cast<std::int64_t>(drainage.reach) + static_cast<std::int64_t>(drainage.meander_amplitude) + 1;
  first = floor_div(origin - reach, drainage.spacing) - 2;
  count = static_cast<int>(floor_div(origin + span + reach, drainage.spacing) + 2 - first) + 1;
}

Nodes make_nodes(const Land& land, const Drainage& drainage, const Stage& stage) {
  Nodes nodes;
  std::int64_t first_x = 0, first_y = 0;
  nodes.grid.stride = drainage.spacing;
  node_range(drainage, stage.grid.origin.x, stage.grid.stride * (stage.grid.width - 1), first_x, nodes.grid.width);
  node_range(drainage, stage.grid.origin.y, stage.grid.stride * (stage.grid.height - 1), first_y, nodes.grid.height);
  nodes.grid.origin = {first_x * drainage.spacing, first_y * drainage.spacing};
  const Stage of_nodes{nodes.grid, stage.seed, stage.target, stage.scratch};
  float* x = of_nodes.field();
  float* y = of_nodes.field();
  const std::uint64_t key = stage.key("continents.nodes");
  const auto spacing = static_cast<float>(drainage.spacing);
  const auto jittered = [&](std::uint64_t bits) {  // whole blocks
    const float unit = static_cast<float>(bits & 0xffffff) * (1.0f / 16777216.0f);
    return static_cast<float>(static_cast<int>(spacing * (0.5f + drainage.jitter * (2.0f * unit - 1.0f))));
  };
  const int pitch = noise::row_pitch(nodes.grid.width);
  for (int j = 0; j < nodes.grid.height; ++j) {
    const std::uint64_t row = noise::combine(key, static_cast<std::uint64_t>(first_y + j));
    for (int i = 0; i < pitch; ++i) {
      const std::uint64_t h = noise::combine(row, static_cast<std::uint64_t>(first_x + i));
      x[j * pitch + i] = jittered(h);
      y[j * pitch + i] = jittered(h >> 32);
    }
  }
  nodes.x = x;
  nodes.y = y;
  nodes.inland = fill_inland(land, of_nodes, {x, y, spacing});
  return nodes;
}

/// Whether the square of nodes whose first corner is (i, j) is cut from (i, j) to (i + 1, j + 1): through its lowest corner.
HWY_INLINE bool cut_falls(const Nodes& nodes, int i, int j) {
  const float falling = smaller(nodes.inland[nodes.at(i, j)], nodes.inland[nodes.at(i + 1, j + 1)]);
  const float rising = smaller(nodes.inland[nodes.at(i + 1, j)], nodes.inland[nodes.at(i, j + 1)]);
  return falling < rising;
}

/// What a fall to a neighbour across a square counts for, against one along a side: by length alone it would be 0.71, but such
/// ways are also longer, and valley sides would face the diagonals more often than the axes.
constexpr float kAcross = 0.56f;

/// The neighbour to which a node falls most steeply, itself if there is none below it. Not for the outermost ring.
inline int drain_of(const Nodes& nodes, int i, int j) {
  const int here = nodes.at(i, j);
  int lowest = here;
  float steepest = 0;
  const auto look = [&](int x, int y, float nearness) {
    const int other = nodes.at(x, y);
    const float fall = (nodes.inland[here] - nodes.inland[other]) * nearness;
    if (fall > steepest) {
      steepest = fall;
      lowest = other;
    }
  };
  look(i, j - 1, 1);
  look(i - 1, j, 1);
  look(i + 1, j, 1);
  look(i, j + 1, 1);
  if (cut_falls(nodes, i - 1, j - 1)) look(i - 1, j - 1, kAcross);
  if (!cut_falls(nodes, i, j - 1)) look(i + 1, j - 1, kAcross);
  if (!cut_falls(nodes, i - 1, j)) look(i - 1, j + 1, kAcross);
  if (cut_falls(nodes, i, j)) look(i + 1, j + 1, kAcross);
  return lowest;
}

/// All ways that can come within reach, in the order of their nodes.
std::vector<Way> make_ways(const Nodes& nodes, BlockPos origin) {
  std::vector<Way> ways;
  const int pitch = noise::row_pitch(nodes.grid.width);
  const auto position = [&](int node, std::int64_t start, std::int64_t from, int index, const float* offset) {
    return static_cast<float>(start - from + index * nodes.grid.stride) + offset[node];
  };
  for (int j = 1; j + 1 < nodes.grid.height; ++j) {
    for (int i = 1; i + 1 < nodes.grid.width; ++i) {
      const int from = nodes.at(i, j);
      if (nodes.inland[from] <= 0) continue;  // at sea
      const int to = drain_of(nodes, i, j);
      if (to == from) continue;
      Way way;
      way.x = position(from, nodes.grid.origin.x, origin.x, i, nodes.x);
      way.y = position(from, nodes.grid.origin.y, origin.y, j, nodes.y);
      way.dx = position(to, nodes.grid.origin.x, origin.x, to % pitch, nodes.x) - way.x;
      way.dy = position(to, nodes.grid.origin.y, origin.y, to / pitch, nodes.y) - way.y;
      way.inverse_length2 = 1.0f / (way.dx * way.dx + way.dy * way.dy);
      way.inland = nodes.inland[from];
      way.fall = nodes.inland[to] - way.inland;
      ways.push_back(way);
    }
  }
  return ways;
}

/// The samples along one axis that may lie within reach of a way.
struct Window {
  int begin, end;
  Window(float a, float d, float reach, std::int64_t stride, int count) {
    const float low = (d < 0 ? a + d : a) - reach, high = (d < 0 ? a : a + d) + reach;
    const auto step = static_cast<float>(stride);
    begin = low > 0 ? static_cast<int>(smaller(low / step, static_cast<float>(count))) : 0;
    end = high > 0 ? static_cast<int>(smaller(high / step, static_cast<float>(count - 1))) + 1 : 0;
  }
};

/// Half the width, in blocks, of what counts as on a way.
constexpr float kOnWay = 24.0f;

/// Adds one way's part to the sums that the smooth distance is made of: with u = 1 / (d^2 + c) of every way, and k that falls to
/// exactly nothing at reach, the sum of k u^2 (in out.distance), of k u^2 times inland, and of k u^3 times the vector from the
/// way.
void add_way(const Way& way, const Drainage& drainage, const Stage& stage, const float* HWY_RESTRICT bend_x,
             const float* HWY_RESTRICT bend_y, const Valleys& out) {
  const float reach = drainage.reach;
  const float inverse_reach2 = 1.0f / (reach * reach);
  const float margin = reach + drainage.meander_amplitude + 1.0f;
  const Window columns(way.x, way.dx, margin, stage.grid.stride, stage.grid.width);
  const Window rows(way.y, way.dy, margin, stage.grid.stride, stage.grid.height);
  const int pitch = noise::row_pitch(stage.grid.width);
  const auto stride = static_cast<std::int32_t>(stage.grid.stride);
  for (int j = rows.begin; j < rows.end; ++j) {
    const float from_y = static_cast<float>(j * stride) - way.y;
    const int row = j * pitch;
    float* HWY_RESTRICT sum = out.distance + row;
    float* HWY_RESTRICT inland = out.inland + row;
    float* HWY_RESTRICT away_x = out.away_x + row;
    float* HWY_RESTRICT away_y = out.away_y + row;
    for (int i = columns.begin; i < columns.end; ++i) {
      const float x = (static_cast<float>(i * stride) - way.x) + bend_x[row + i];
      const float y = from_y + bend_y[row + i];
      const float t = clamp01((x * way.dx + y * way.dy) * way.inverse_length2);
      const float off_x = x - t * way.dx, off_y = y - t * way.dy;
      const float distance2 = off_x * off_x + off_y * off_y;
      const float near = larger(1.0f - distance2 * inverse_reach2, 0.0f);
      const float u = kOnWay * kOnWay / (distance2 + kOnWay * kOnWay);
      const float weight = near * near * u * u;
      sum[i] += weight;
      inland[i] += weight * (way.inland + t * way.fall);
      away_x[i] += weight * u * off_x;
      away_y[i] += weight * u * off_y;
    }
  }
}

/// How far the samples are moved before they look for ways, so that these are not straight; blocks.
noise::Displacement fill_bend(const Drainage& drainage, const Stage& stage) {
  float* x = stage.noise(drainage.meander, "continents.meander_x");
  float* y = stage.noise(drainage.meander, "continents.meander_y");
  const int n = stage.count();
  for (int i = 0; i < n; ++i) {
    x[i] *= drainage.meander_amplitude;
    y[i] *= drainage.meander_amplitude;
  }
  return {x, y, drainage.meander_amplitude};
}

Valleys fill_valleys(const Land& land, const Drainage& drainage, const Stage& stage, const noise::Displacement& bend) {
  const Nodes nodes = make_nodes(land, drainage, stage);
  const std::vector<Way> ways = make_ways(nodes, stage.grid.origin);
  const Valleys out{stage.field(), stage.field(), stage.field(), stage.field()};
  const int n = stage.count();
  for (int i = 0; i < n; ++i) {
    out.distance[i] = out.inland[i] = out.away_x[i] = out.away_y[i] = 0;
  }
  for (const Way& way : ways) add_way(way, drainage, stage, bend.x, bend.y, out);
  for (int i = 0; i < n; ++i) {
    // (d^2 + c) / c = (sum of k u^2)^(-1/2)
    const float sum = out.distance[i] + 1e-12f;
    const float ratio = 1.0f / root(sum);
    const float distance = smaller(kOnWay * root(larger(ratio - 1.0f, 0.0f)), drainage.reach);
    const float scale = ratio / (sum * (distance + 0.1f));
    out.inland[i] /= sum;
    out.distance[i] = distance;
    out.away_x[i] *= scale;
    out.away_y[i] *= scale;
  }
  return out;
}

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
