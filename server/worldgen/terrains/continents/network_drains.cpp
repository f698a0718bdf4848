#include <algorithm>
#include <array>
#include <cmath>

#include "worldgen/terrains/continents/network_nodes.h"

namespace terrane::worldgen::continents {

namespace {

/// In spacings of the coarser level: nodes further than this from all its courses do not know them.
constexpr float kKnown = 1.05f;

/// What a fall to a neighbour across a square counts for, against one along a side: by length alone
/// it would be 0.71, but such watercourses are also longer, and valley sides would face the
/// diagonals more often than the axes.
constexpr float kAcross = 0.62f;

/// A node joins a course only if it lies higher by so much, blocks.
constexpr float kDrop = 0.01f;

/// How far downstream of the nearest place it joins it, in distances from it.
constexpr float kDownstream = 0.7f;

/// Where a node joins a course whose beginning is what is nearest of it, as a share of its length.
constexpr float kAfterNode = 0.08f;

/// How much a node lies above its course at least, per block of distance: water finds its way.
constexpr float kGentlest = 0.0005f;

/// In radii of a lake of the coarser level, and spacings added to them: nodes within so much drain
/// straight into it. Between others no course comes within kLakeReach.
constexpr float kLakeShore = 1.6f, kLakeNodes = 0.35f;

/// In spacings: nodes nearer to a course of the coarser level have no lakes of their own.
constexpr float kLakeFromCourse = 0.4f;

/// The sea's bed at a course's end is no deeper than this, blocks.
constexpr float kMouthDepth = 24.0f;

struct Vector {
  float x, y;
};

float cross(Vector a, Vector b) { return a.x * b.y - a.y * b.x; }

Vector from_to(const LevelNodes& nodes, int a, int b) {
  const auto from = static_cast<std::size_t>(a), to = static_cast<std::size_t>(b);
  return {static_cast<float>(nodes.x[to] - nodes.x[from]),
          static_cast<float>(nodes.y[to] - nodes.y[from])};
}

/// Whether the square of nodes whose first corner is (i, j) is cut from (i, j) to (i + 1, j + 1):
/// through its lowest corner.
bool cut_falls(const LevelNodes& nodes, int i, int j) {
  const auto level = [&](int x, int y) {
    return nodes.unfilled[static_cast<std::size_t>(nodes.at(x, y))];
  };
  return std::min(level(i, j), level(i + 1, j + 1)) < std::min(level(i + 1, j), level(i, j + 1));
}

/// The nodes that one is joined to by the triangulation, around it.
struct Neighbours {
  std::array<int, 8> node{};
  std::array<float, 8> nearness{};
  int count = 0;

  Neighbours(const LevelNodes& nodes, int i, int j) {
    const auto add = [&](int x, int y, float near) {
      node[static_cast<std::size_t>(count)] = nodes.at(x, y);
      nearness[static_cast<std::size_t>(count++)] = near;
    };
    add(i + 1, j, 1.0f);
    if (cut_falls(nodes, i, j)) add(i + 1, j + 1, kAcross);
    add(i, j + 1, 1.0f);
    if (!cut_falls(nodes, i - 1, j)) add(i - 1, j + 1, kAcross);
    add(i - 1, j, 1.0f);
    if (cut_falls(nodes, i - 1, j - 1)) add(i - 1, j - 1, kAcross);
    add(i, j - 1, 1.0f);
    if (!cut_falls(nodes, i, j - 1)) add(i + 1, j - 1, kAcross);
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

/// Each node's nearest course of the coarser level, and where on it that is.
void find_nearest(const std::vector<Course>& coarser, const std::vector<bool>& at_sea,
                  LevelNodes& nodes) {
  const float reach = kKnown * static_cast<float>(kRefinement * nodes.spacing);
  std::array<float, kCoursesKnown> none{};
  none.fill(reach * reach);
  std::vector<std::array<float, kCoursesKnown>> nearest(static_cast<std::size_t>(nodes.count()),
                                                        none);
  const auto along = [&](std::int64_t from, std::int32_t d, std::int64_t first, int count) {
    const auto margin = static_cast<std::int64_t>(reach) + 1;
    const std::int64_t low = floor_div((d < 0 ? from + d : from) - margin, nodes.spacing) - first;
    const std::int64_t high = floor_div((d < 0 ? from : from + d) + margin, nodes.spacing) - first;
    return std::pair<int, int>(static_cast<int>(std::clamp<std::int64_t>(low, 0, count)),
                               static_cast<int>(std::clamp<std::int64_t>(high + 1, 0, count)));
  };
  for (std::size_t c = 0; c < coarser.size(); ++c) {
    const Course& course = coarser[c];
    const auto [left, right] = along(course.x, course.dx, nodes.cells.x, nodes.cells.width);
    const auto [top, bottom] = along(course.y, course.dy, nodes.cells.y, nodes.cells.height);
    const auto dx = static_cast<float>(course.dx), dy = static_cast<float>(course.dy);
    const float inverse = 1.0f / (dx * dx + dy * dy);
    for (int j = top; j < bottom; ++j) {
      for (int i = left; i < right; ++i) {
        const auto k = static_cast<std::size_t>(nodes.at(i, j));
        const auto x = static_cast<float>(nodes.x[k] - course.x);
        const auto y = static_cast<float>(nodes.y[k] - course.y);
        const float t = std::min(std::max((x * dx + y * dy) * inverse, 0.0f), 1.0f);
        const float off_x = x - t * dx, off_y = y - t * dy;
        const float distance2 = off_x * off_x + off_y * off_y;
        if (distance2 >= nearest[k].back()) continue;
        const int piece = std::min(static_cast<int>(t * kRefinement), kRefinement - 1);
        if (at_sea[c * kRefinement + static_cast<std::size_t>(piece)]) continue;
        int place = kCoursesKnown - 1;
        for (; place > 0 && distance2 < nearest[k][static_cast<std::size_t>(place - 1)]; --place) {
          const auto p = static_cast<std::size_t>(place);
          nearest[k][p] = nearest[k][p - 1];
          nodes.courses[k][p] = nodes.courses[k][p - 1];
        }
        nearest[k][static_cast<std::size_t>(place)] = distance2;
        nodes.courses[k][static_cast<std::size_t>(place)] = static_cast<std::int32_t>(c);
        if (place == 0) nodes.along[k] = t;
      }
    }
  }
  for (std::size_t k = 0; k < nearest.size(); ++k) nodes.level[k] = std::sqrt(nearest[k].front());
}

/// Lakes of nodes that are too near to the courses of the coarser level are none.
void clear_courses(LevelNodes& nodes) {
  const float nearest = kLakeFromCourse * static_cast<float>(nodes.spacing);
  for (std::size_t k = 0; k < nodes.lake.size(); ++k)
    if (nodes.courses[k][0] >= 0 && nodes.level[k] < nearest) nodes.lake[k] = 0;
}

/// Nodes close to a lake of the coarser level drain into it, and have none of their own.
void join_lakes(const std::vector<LakeSite>& lakes, LevelNodes& nodes) {
  for (std::size_t l = 0; l < lakes.size(); ++l) {
    const LakeSite& lake = lakes[l];
    const float shore = kLakeShore * lake.radius + kLakeNodes * static_cast<float>(nodes.spacing);
    const std::int64_t i = floor_div(lake.x, nodes.spacing) - nodes.cells.x;
    const std::int64_t j = floor_div(lake.y, nodes.spacing) - nodes.cells.y;
    const auto rings = static_cast<std::int64_t>(shore) / nodes.spacing + 1;
    for (std::int64_t y = std::max<std::int64_t>(j - rings, 0);
         y <= j + rings && y < nodes.cells.height; ++y) {
      for (std::int64_t x = std::max<std::int64_t>(i - rings, 0);
           x <= i + rings && x < nodes.cells.width; ++x) {
        const auto k = static_cast<std::size_t>(nodes.at(static_cast<int>(x), static_cast<int>(y)));
        const auto dx = static_cast<float>(nodes.x[k] - lake.x);
        const auto dy = static_cast<float>(nodes.y[k] - lake.y);
        if (nodes.inland[k] <= 0 || dx * dx + dy * dy > shore * shore) continue;
        nodes.into_lake[k] = static_cast<std::int32_t>(l);
        nodes.lake[k] = 0;
        nodes.level[k] = std::max(nodes.level[k], lake.level + kDrop);
      }
    }
  }
}

/// Heights of the nodes: what a course of the coarser level brings, and the way up from it; near
/// the coast no more than the land has there.
void find_levels(const NetworkKey& key, const std::vector<Course>& coarser, LevelNodes& nodes) {
  // Slope falls with the area that drains: S ~ A^-1/2, and the area of a level's nodes grows as
  // the square of their spacing.
  float slope = key.drainage.stream_slope;
  for (int k = key.level; k + 1 < key.drainage.levels; ++k) slope *= 1.0f / kRefinement;
  for (std::size_t k = 0; k < nodes.level.size(); ++k) {
    const float highest = value_at(key.land.floor, nodes.inland[k]);
    if (nodes.inland[k] <= 0) {
      nodes.level[k] = std::max(highest, -kMouthDepth);
      continue;
    }
    if (nodes.courses[k][0] < 0) {
      nodes.level[k] =
          key.level == 0 ? key.drainage.trunk_height * nodes.inland[k] * nodes.inland[k] : highest;
      continue;
    }
    const Course& course = coarser[static_cast<std::size_t>(nodes.courses[k][0])];
    const float steepness = course.steepness + nodes.along[k] * course.steepening;
    if (key.level + 1 == key.drainage.levels) nodes.steepness[k] = steepness;
    const float from = course.level_at(nodes.along[k]);
    const float up = slope * steepness * nodes.level[k] * nodes.irregularity[k];
    nodes.level[k] = std::max(std::min(from + up, highest),
                              std::max(from, 0.0f) + 2.0f * kDrop + kGentlest * nodes.level[k]);
  }
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
    if (turn == 0) continue;
    const float on_line = cross(from, along) / turn, on_course = cross(from, to) / turn;
    const bool meets = on_line >= 0 && on_line <= first.on_line && on_course >= 0 && on_course <= 1;
    if (meets) first = {c, on_course, on_line};
  }
}

/// Fills hollows up to where they spill: one node deep, so a hollow of several nodes stays a lake
/// without a way out.
void fill_hollows(LevelNodes& nodes) {
  std::vector<float> filled = nodes.level;
  for (int j = 1; j + 1 < nodes.cells.height; ++j) {
    for (int i = 1; i + 1 < nodes.cells.width; ++i) {
      const int here = nodes.at(i, j);
      const auto k = static_cast<std::size_t>(here);
      if (nodes.inland[k] <= 0 || nodes.joins[k] >= 0 || nodes.into_lake[k] >= 0) continue;
      const Neighbours around(nodes, i, j);
      int lowest = around.node[0];
      for (int m = 1; m < around.count; ++m) {
        const int other = around.node[static_cast<std::size_t>(m)];
        if (nodes.level[static_cast<std::size_t>(other)] <
            nodes.level[static_cast<std::size_t>(lowest)])
          lowest = other;
      }
      if (nodes.level[static_cast<std::size_t>(lowest)] <= nodes.level[k]) continue;
      filled[k] = nodes.level[static_cast<std::size_t>(lowest)];
      nodes.drain[k] = lowest;
    }
  }
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
  for (int j = 1; j + 1 < nodes.cells.height; ++j) {
    for (int i = 1; i + 1 < nodes.cells.width; ++i) {
      const int here = nodes.at(i, j);
      const auto k = static_cast<std::size_t>(here);
      if (nodes.inland[k] <= 0 || nodes.courses[k][0] < 0 || nodes.into_lake[k] >= 0) continue;
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
          beside
              ? std::min(nodes.along[k] + kDownstream * std::sqrt(distance2 / (dx * dx + dy * dy)),
                         1.0f)
              : after_node(from_node(0), {dx, dy}) * nodes.irregularity[k];
      const Vector to = from_node(further);
      if (!is_within(nodes, here, Neighbours(nodes, i, j), to)) continue;
      Meeting first{joined, further, 0.999f};
      meet(nodes, coarser, here, to, here, first);
      if (coarser[static_cast<std::size_t>(first.course)].level_at(first.on_course) + kDrop >
          nodes.level[k])
        continue;
      nodes.joins[k] = first.course;
      nodes.joins_at[k] = first.on_course;
    }
  }
}

/// Each other node drains to the neighbour that it falls to most steeply, or joins the course that
/// lies between.
void find_drains(const std::vector<Course>& coarser, LevelNodes& nodes) {
  for (int j = kDrainRings; j + kDrainRings < nodes.cells.height; ++j) {
    for (int i = kDrainRings; i + kDrainRings < nodes.cells.width; ++i) {
      const int here = nodes.at(i, j);
      const auto k = static_cast<std::size_t>(here);
      if (nodes.inland[k] <= 0 || nodes.joins[k] >= 0 || nodes.into_lake[k] >= 0 ||
          nodes.drain[k] != here)
        continue;
      const Neighbours around(nodes, i, j);
      float steepest = 0;
      for (int m = 0; m < around.count; ++m) {
        const int other = around.node[static_cast<std::size_t>(m)];
        const auto o = static_cast<std::size_t>(other);
        const float fall =
            (nodes.level[k] - nodes.level[o]) * around.nearness[static_cast<std::size_t>(m)];
        if (fall <= steepest) continue;
        const Vector to = from_to(nodes, here, other);
        Meeting first;
        meet(nodes, coarser, here, to, here, first);
        meet(nodes, coarser, here, to, other, first);
        if (first.course >= 0 &&
            coarser[static_cast<std::size_t>(first.course)].level_at(first.on_course) + kDrop >
                nodes.level[k])
          continue;
        steepest = fall;
        nodes.drain[k] = first.course >= 0 ? here : other;
        nodes.joins[k] = first.course;
        nodes.joins_at[k] = first.on_course;
      }
    }
  }
}

/// Adds up what drains through each node, from those at most kAreaSteps away.
void add_areas(LevelNodes& nodes) {
  const auto spacing = static_cast<float>(nodes.spacing);
  const float own = spacing * spacing * 1e-6f;
  std::vector<float> before;
  nodes.area.assign(nodes.level.size(), own);
  for (int step = 0; step < kAreaSteps; ++step) {
    before = nodes.area;
    nodes.area.assign(nodes.level.size(), own);
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

/// Which quarter of each course begins at sea, as far as the finer nodes see it.
std::vector<bool> pieces_at_sea(const std::vector<Course>& coarser, const LevelNodes& nodes) {
  std::vector<bool> at_sea(coarser.size() * kRefinement);
  for (std::size_t c = 0; c < coarser.size(); ++c) {
    for (int piece = 0; piece < kRefinement; ++piece) {
      const Course& course = coarser[c];
      const std::int64_t i =
          floor_div(course.x + course.dx * piece / kRefinement, nodes.spacing) - nodes.cells.x;
      const std::int64_t j =
          floor_div(course.y + course.dy * piece / kRefinement, nodes.spacing) - nodes.cells.y;
      if (i < 0 || j < 0 || i >= nodes.cells.width || j >= nodes.cells.height) continue;
      const int k = nodes.at(static_cast<int>(i), static_cast<int>(j));
      at_sea[c * kRefinement + static_cast<std::size_t>(piece)] =
          nodes.inland[static_cast<std::size_t>(k)] <= 0;
    }
  }
  return at_sea;
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
  find_nearest(coarser, pieces_at_sea(coarser, nodes), nodes);
  clear_courses(nodes);
  find_levels(key, coarser, nodes);
  join_lakes(network.lakes, nodes);
  nodes.unfilled = nodes.level;
  join_courses(coarser, nodes);
  fill_hollows(nodes);
  find_drains(coarser, nodes);
  add_areas(nodes);
  find_lakes(nodes);
}

}  // namespace terrane::worldgen::continents
