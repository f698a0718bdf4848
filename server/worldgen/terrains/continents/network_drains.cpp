#include <algorithm>
#include <array>
#include <cmath>

#include "worldgen/terrains/continents/network_nodes.h"

namespace terrane::worldgen::continents {

namespace {

/// What a fall to a neighbour across a square counts for, against one along a side: by length.
constexpr float kAcross = 0.71f;

/// How far downstream of the nearest place it joins it, in distances from it.
constexpr float kDownstream = 0.7f;

/// Where a node joins a course whose beginning is what is nearest of it, as a share of its length.
constexpr float kAfterNode = 0.08f;

struct Vector {
  float x, y;
};

float cross(Vector a, Vector b) { return a.x * b.y - a.y * b.x; }

Vector from_to(const LevelNodes& nodes, int a, int b) {
  const auto from = static_cast<std::size_t>(a), to = static_cast<std::size_t>(b);
  return {static_cast<float>(nodes.x[to] - nodes.x[from]),
          static_cast<float>(nodes.y[to] - nodes.y[from])};
}

/// Squares are cut through their lowest corner.
void cut_squares(LevelNodes& nodes) {
  const auto width = static_cast<std::size_t>(nodes.cells.width);
  nodes.is_cut.assign(nodes.level.size(), 0);
  for (std::size_t k = 0; k + width + 1 < nodes.level.size(); ++k) {
    const float* const level = &nodes.level[k];
    nodes.is_cut[k] = std::min(level[0], level[width + 1]) < std::min(level[1], level[width]);
  }
}

/// Calls `visit` for the nodes that are `rings` or more within.
template <typename Visit>
void for_nodes(const LevelNodes& nodes, int rings, Visit visit) {
  for (int j = rings; j + rings < nodes.cells.height; ++j)
    for (int i = rings; i + rings < nodes.cells.width; ++i) visit(nodes.at(i, j));
}

/// The nodes that one is joined to by the triangulation, around it.
struct Neighbours {
  std::array<int, 8> node{};
  std::array<float, 8> nearness{};
  int count = 0;

  Neighbours(const LevelNodes& nodes, int here) {
    const int width = nodes.cells.width;
    const auto is_cut = [&](int square) {
      return nodes.is_cut[static_cast<std::size_t>(square)] != 0;
    };
    const auto add = [&](int other, float near) {
      node[static_cast<std::size_t>(count)] = other;
      nearness[static_cast<std::size_t>(count++)] = near;
    };
    add(here + 1, 1.0f);
    if (is_cut(here)) add(here + width + 1, kAcross);
    add(here + width, 1.0f);
    if (!is_cut(here - 1)) add(here + width - 1, kAcross);
    add(here - 1, 1.0f);
    if (is_cut(here - width - 1)) add(here - width - 1, kAcross);
    add(here - width, 1.0f);
    if (!is_cut(here - width)) add(here - width + 1, kAcross);
  }
};

/// Whether a point, as seen from a node, lies in the polygon of its neighbours.
bool is_within(const LevelNodes& nodes, int here, const Neighbours& around, Vector p) {
  for (int k = 0; k < around.count; ++k) {
    const Vector a = from_to(nodes, here, around.node[static_cast<std::size_t>(k)]);
    const Vector b =
        from_to(nodes, here, around.node[static_cast<std::size_t>((k + 1) % around.count)]);
    if (cross(a, p) < 0 || cross(p, b) < 0) continue;
    return cross({b.x - a.x, b.y - a.y}, {p.x - a.x, p.y - a.y}) > 0;
  }
  return false;
}

/// Where a line from a node first meets one of its courses, or of another node's.
struct Meeting {
  std::int32_t course = -1;
  float on_course = 0, on_line = 1;  // shares of their lengths
};

void meet(const LevelNodes& nodes, const std::vector<Course>& coarser, int here, Vector to,
          int whose, Meeting& first) {
  const auto k = static_cast<std::size_t>(here);
  for (const std::int32_t c : nodes.courses[static_cast<std::size_t>(whose)]) {
    if (c < 0) break;
    const Course& course = coarser[static_cast<std::size_t>(c)];
    const Vector from{static_cast<float>(course.x - nodes.x[k]),
                      static_cast<float>(course.y - nodes.y[k])};
    const Vector along{static_cast<float>(course.dx), static_cast<float>(course.dy)};
    const float turn = cross(to, along);
    const float line = cross(from, along), way = cross(from, to);
    const auto is_before = [&](float share) { return share != 0 && (share < 0) != (turn < 0); };
    if (turn == 0 || is_before(line) || is_before(way)) continue;
    const float on_line = line / turn, on_course = way / turn;
    if (on_line <= first.on_line && on_course <= 1) first = {c, on_course, on_line};
  }
}

/// Fills hollows up to where they spill: one node deep, so a hollow of several nodes stays a lake
/// without a way out.
void fill_hollows(LevelNodes& nodes) {
  std::vector<float> filled = nodes.level;
  for_nodes(nodes, nodes.sea_rings + 1, [&](int here) {
    const auto k = static_cast<std::size_t>(here);
    if (nodes.inland[k] <= 0 || nodes.joins[k] >= 0 || nodes.into_lake[k] >= 0) return;
    const Neighbours around(nodes, here);
    int lowest = around.node[0];
    for (int m = 1; m < around.count; ++m) {
      const int other = around.node[static_cast<std::size_t>(m)];
      if (nodes.level[static_cast<std::size_t>(other)] <
          nodes.level[static_cast<std::size_t>(lowest)])
        lowest = other;
    }
    if (nodes.level[static_cast<std::size_t>(lowest)] <= nodes.level[k]) return;
    filled[k] = nodes.level[static_cast<std::size_t>(lowest)];
    nodes.drain[k] = lowest;
  });
  nodes.level = std::move(filled);
}

/// The course that a node joins: the nearest, or the one that goes on from its end.
std::int32_t onward_of(const std::vector<Course>& coarser, const LevelNodes& nodes, std::size_t k) {
  const std::int32_t nearest = nodes.courses[k][0];
  if (nodes.along[k] < 1) return nearest;
  const Course& ended = coarser[static_cast<std::size_t>(nearest)];
  for (const std::int32_t other : nodes.courses[k]) {
    if (other < 0) break;
    const Course& next = coarser[static_cast<std::size_t>(other)];
    if (next.x == ended.x + ended.dx && next.y == ended.y + ended.dy) return other;
  }
  return nearest;
}

/// Where a node joins a course whose beginning lies at `begin` from it, as a share of its length:
/// not there, where others meet, unless it comes from straight behind.
float after_node(Vector begin, Vector course) {
  const float straight = begin.x * course.x + begin.y * course.y;
  const float lengths2 =
      (begin.x * begin.x + begin.y * begin.y) * (course.x * course.x + course.y * course.y);
  return straight > 0 && straight * straight > 0.6f * lengths2 ? 0.0f : kAfterNode;
}

/// Each node joins the nearest course if that passes between it and its neighbours.
void join_courses(const std::vector<Course>& coarser, LevelNodes& nodes) {
  for_nodes(nodes, nodes.sea_rings + 1, [&](int here) {
    const auto k = static_cast<std::size_t>(here);
    if (nodes.inland[k] <= 0 || nodes.courses[k][0] < 0 || nodes.into_lake[k] >= 0) return;
    const std::int32_t joined = onward_of(coarser, nodes, k);
    const Course& course = coarser[static_cast<std::size_t>(joined)];
    const float dx = static_cast<float>(course.dx), dy = static_cast<float>(course.dy);
    const auto from_node = [&](float t) {
      return Vector{static_cast<float>(course.x - nodes.x[k]) + t * dx,
                    static_cast<float>(course.y - nodes.y[k]) + t * dy};
    };
    // further down than what is nearest: rivers meet at less than a right angle, and as all have
    // the same one, those of a side never cross
    const Vector nearest = from_node(nodes.along[k]);  // of no use where that is an end
    const float distance2 = nearest.x * nearest.x + nearest.y * nearest.y;
    const bool beside = nodes.along[k] > 0 && nodes.along[k] < 1;
    const float further =
        beside ? std::min(nodes.along[k] + kDownstream * std::sqrt(distance2 / (dx * dx + dy * dy)),
                          1.0f)
               : after_node(from_node(0), {dx, dy}) * nodes.irregularity[k];
    const Vector to = from_node(further);
    if (!is_within(nodes, here, Neighbours(nodes, here), to)) return;
    Meeting first{joined, further, 0.999f};
    meet(nodes, coarser, here, to, here, first);
    if (coarser[static_cast<std::size_t>(first.course)].level_at(first.on_course) + kDrop >
        nodes.level[k])
      return;
    nodes.joins[k] = first.course;
    nodes.joins_at[k] = first.on_course;
  });
}

/// A node drains to the neighbour that it falls to most steeply, or joins the course that lies
/// between, if that is lower.
void find_drain(const std::vector<Course>& coarser, LevelNodes& nodes, int here) {
  const auto k = static_cast<std::size_t>(here);
  const Neighbours around(nodes, here);
  const auto count = static_cast<std::size_t>(around.count);
  std::array<float, 8> falls{};
  for (std::size_t m = 0; m < count; ++m)
    falls[m] = (nodes.level[k] - nodes.level[static_cast<std::size_t>(around.node[m])]) *
               around.nearness[m];
  for (;;) {
    const auto steepest = static_cast<std::size_t>(
        std::max_element(falls.begin(), falls.begin() + around.count) - falls.begin());
    if (falls[steepest] <= 0) return;
    const int other = around.node[steepest];
    const Vector to = from_to(nodes, here, other);
    Meeting first;
    meet(nodes, coarser, here, to, here, first);
    meet(nodes, coarser, here, to, other, first);
    if (first.course < 0) {
      nodes.drain[k] = other;
      return;
    }
    if (coarser[static_cast<std::size_t>(first.course)].level_at(first.on_course) + kDrop <=
        nodes.level[k]) {
      nodes.joins[k] = first.course;
      nodes.joins_at[k] = first.on_course;
      return;
    }
    falls[steepest] = 0;
  }
}

/// All nodes that have none so far find their drain.
void find_drains(const std::vector<Course>& coarser, LevelNodes& nodes) {
  for_nodes(nodes, nodes.sea_rings + kDrainRings, [&](int here) {
    const auto k = static_cast<std::size_t>(here);
    if (nodes.inland[k] > 0 && nodes.joins[k] < 0 && nodes.into_lake[k] < 0 &&
        nodes.drain[k] == here)
      find_drain(coarser, nodes, here);
  });
}

/// Adds up what drains through each node, from those at most kAreaSteps away.
void add_areas(LevelNodes& nodes) {
  const float own = nodes.own_area();
  std::vector<float> before;
  nodes.area.assign(nodes.level.size(), own);
  for (int step = 0; step < kAreaSteps; ++step) {
    before.swap(nodes.area);
    nodes.area.assign(before.size(), own);
    for (std::size_t k = 0; k < before.size(); ++k) {
      const auto to = static_cast<std::size_t>(nodes.drain[k]);
      if (to != k) nodes.area[to] += before[k];
    }
  }
}

constexpr float kLowestLake = 2.0f;  // blocks: nearer to the sea there are none

/// Lakes are in hollows, and at some other nodes.
void find_lakes(LevelNodes& nodes) {
  for (std::size_t k = 0; k < nodes.lake.size(); ++k) {
    float& lake = nodes.lake[k];
    const bool gathers =
        nodes.level[k] > nodes.unfilled[k] || (nodes.drain[k] == static_cast<std::int32_t>(k) &&
                                               nodes.joins[k] < 0 && nodes.into_lake[k] < 0);
    if (gathers && lake < 0) lake = -lake;
    if (lake < 0 || nodes.inland[k] <= 0 || nodes.level[k] < kLowestLake) lake = 0;
  }
}

}  // namespace

void drain_level(const NetworkKey& key, const Network& network, LevelNodes& nodes) {
  const std::vector<Course>& coarser = network.courses;
  const auto n = static_cast<std::size_t>(nodes.count());
  std::array<std::int32_t, kCoursesKnown> none{};
  none.fill(-1);
  nodes.courses.assign(n, none), nodes.along.assign(n, 0);
  nodes.joins.assign(n, -1), nodes.joins_at.assign(n, 0);
  nodes.into_lake.assign(n, -1);
  nodes.level.assign(n, 0), nodes.drain.resize(n);
  for (std::size_t k = 0; k < n; ++k) nodes.drain[k] = static_cast<std::int32_t>(k);
  place_above(key, network, nodes);
  nodes.unfilled = nodes.level;
  cut_squares(nodes);
  join_courses(coarser, nodes);
  fill_hollows(nodes);
  find_drains(coarser, nodes);
  add_areas(nodes);
  find_lakes(nodes);
}

}  // namespace terrane::worldgen::continents
