#include "worldgen/terrains/continents/network_courses.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>

#include "worldgen/terrains/continents/network_arrivals.h"
#include "worldgen/terrains/continents/network_joins.h"
#include "worldgen/terrains/continents/network_swings.h"
#include "worldgen/terrains/continents/river_width.h"
#include "worldgen/terrains/continents/swing.h"

namespace terrane::worldgen::continents {

namespace {

/// In radii of a lake: within so much, courses are level.
constexpr float kLevelLake = 1.15f;

/// Of its cell's area, what joins a course of a coarse level along it; the rest is where it begins,
/// as courses of finer levels drain into it there.
constexpr float kJoiningLater = 0.75f;

/// The course from a node to the node that it drains to, or to what it joins.
Course make_way(const NetworkKey& key, const Coarser& coarser, const LevelNodes& nodes,
                std::size_t k) {
  Course course;
  course.x = nodes.x[k], course.y = nodes.y[k];
  course.level = nodes.level[k];
  const bool is_finest = key.level + 1 == key.drainage.levels;
  const float own = nodes.own_area();
  const float later = is_finest ? own : kJoiningLater * own;
  course.area = nodes.area[k] - later;
  course.joining = own;
  course.is_head = !is_finest && nodes.area[k] < 1.5f * own;
  course.steepness = nodes.steepness[k];
  std::int64_t to_x = 0, to_y = 0;
  float to_level = 0, to_lake = 0, to_steepness = 0;
  if (nodes.into_lake[k] >= 0) {
    const LakeSite& lake = coarser.network.lakes[static_cast<std::size_t>(nodes.into_lake[k])];
    to_x = lake.x, to_y = lake.y;
    to_level = lake.level, to_lake = lake.radius;
    to_steepness = course.steepness;
  } else if (nodes.joins[k] >= 0) {
    const Course& joined = coarser.network.courses[static_cast<std::size_t>(nodes.joins[k])];
    const Place to = joining_of(key, coarser, nodes, k);
    course.is_last = true;
    to_x = to.x, to_y = to.y;
    to_level = std::min(joined.level_at(to.t), course.level);
    to_steepness = joined.steepness + to.t * joined.steepening;
  } else {
    const auto to = static_cast<std::size_t>(nodes.drain[k]);
    to_x = nodes.x[to], to_y = nodes.y[to];
    to_level = nodes.level[to];
    to_lake = nodes.lake[to];
    to_steepness = nodes.steepness[to];
  }
  course.dx = static_cast<std::int32_t>(to_x - course.x);
  course.dy = static_cast<std::int32_t>(to_y - course.y);
  course.is_dry = nodes.is_dry(k);
  course.fall = to_level - course.level;
  course.steepening = to_steepness - course.steepness;
  const auto dx = static_cast<float>(course.dx), dy = static_cast<float>(course.dy);
  const float length = std::max(std::sqrt(dx * dx + dy * dy), 1.0f);
  course.level_until = std::min(kLevelLake * nodes.lake[k] / length, 0.45f);
  course.per_length =
      1.0f / (1.0f - course.level_until - std::min(kLevelLake * to_lake / length, 0.45f));
  return course;
}

/// What courses of a level are made of, and those that were made: others are asked for again.
class Making {
 public:
  const NetworkKey& key;
  const Coarser& coarser;
  const LevelNodes& nodes;

  Making(const NetworkKey& its_key, const Coarser& its_coarser, const LevelNodes& its_nodes)
      : key(its_key),
        coarser(its_coarser),
        nodes(its_nodes),
        place_(static_cast<std::size_t>(its_nodes.count()), -1) {}

  /// As make_way() says.
  [[nodiscard]] const Course& way_from(std::size_t k) {
    if (place_[k] < 0) {
      place_[k] = static_cast<std::int32_t>(ways_.size());
      ways_.push_back(make_way(key, coarser, nodes, k));
    }
    return ways_[static_cast<std::size_t>(place_[k])];
  }

 private:
  std::vector<std::int32_t> place_;  // of each node's among the ways, or -1
  std::deque<Course> ways_;          // they stay where they are
};

/// Whether two courses lie so far from each other that no pieces of them cross.
bool are_apart(const Course& course, const Course& other) {
  constexpr std::int64_t kOff = 2;  // blocks: a course's pieces lie beside it by less
  const std::int64_t x = other.x - course.x, y = other.y - course.y;
  const auto apart = [](std::int64_t d, std::int64_t from, std::int64_t other_d) {
    return std::max(from, from + other_d) + kOff < std::min<std::int64_t>(d, 0) ||
           std::min(from, from + other_d) - kOff > std::max<std::int64_t>(d, 0);
  };
  return apart(course.dx, x, other.dx) || apart(course.dy, y, other.dy);
}

/// Where on `course` another one crosses it, and where on that; both shares of their lengths.
struct Crossing {
  float at = 2, on = 0;
};

Crossing crossing_of(const Course& course, const Course& other) {
  const auto dx = static_cast<float>(course.dx), dy = static_cast<float>(course.dy);
  const auto other_dx = static_cast<float>(other.dx), other_dy = static_cast<float>(other.dy);
  const auto x = static_cast<float>(other.x - course.x), y = static_cast<float>(other.y - course.y);
  const float turn = dx * other_dy - dy * other_dx;
  const bool apart = std::max(x, x + other_dx) < std::min(dx, 0.0f) ||
                     std::min(x, x + other_dx) > std::max(dx, 0.0f) ||
                     std::max(y, y + other_dy) < std::min(dy, 0.0f) ||
                     std::min(y, y + other_dy) > std::max(dy, 0.0f);
  if (apart || turn == 0) return {};
  const float at = (x * other_dy - y * other_dx) / turn, on = (x * dy - y * dx) / turn;
  // not where one begins or ends on the other
  const float end = 4.0f / std::sqrt(dx * dx + dy * dy);
  const float other_end = 4.0f / std::sqrt(other_dx * other_dx + other_dy * other_dy);
  const bool crosses = at > end && at < 1.0f - end && on > other_end && on < 1.0f - other_end;
  return crosses ? Crossing{at, on} : Crossing{};
}

/// Ends a course at a place of another, whose tributary it becomes.
void end_at(const NetworkKey& key, const Course& other, Crossing where, Course& course) {
  const bool swings = key.level + 1 == key.drainage.levels;
  const auto dx = static_cast<float>(other.dx), dy = static_cast<float>(other.dy);
  const float length = std::max(std::sqrt(dx * dx + dy * dy), 1.0f);
  const float aside =
      swings ? swing_of(key.drainage, key.rivers, other).at(where.on) / length : 0.0f;
  const auto to_x =
      other.x - course.x + static_cast<std::int64_t>(std::floor(where.on * dx - aside * dy + 0.5f));
  const auto to_y =
      other.y - course.y + static_cast<std::int64_t>(std::floor(where.on * dy + aside * dx + 0.5f));
  course.dx = static_cast<std::int32_t>(to_x);
  course.dy = static_cast<std::int32_t>(to_y);
  course.fall = std::min(other.level_at(where.on), course.level) - course.level;
  course.level_until = std::min(course.level_until / where.at, 0.45f);
  course.per_length = 1.0f / (1.0f - course.level_until);
  course.is_last = true;
}

/// Whether a node has a course.
bool has_course(const LevelNodes& nodes, std::size_t k) {
  const bool stays = nodes.joins[k] < 0 && nodes.into_lake[k] < 0 &&
                     nodes.drain[k] == static_cast<std::int32_t>(k);
  return nodes.inland[k] > 0 && !stays;
}

/// Who comes to a node, none where that has no course or a lake.
/// @param onward  its course
Arrivals arrivals_of(const Making& making, std::size_t to, const Course& onward) {
  const NetworkKey& key = making.key;
  const Coarser& coarser = making.coarser;
  const LevelNodes& nodes = making.nodes;
  constexpr float kStrip = 40.0f;  // blocks beside a river: who comes there as good as meets it
  if (!has_course(nodes, to) || nodes.lake[to] > 0) return {};
  bool is_there = false;
  if (nodes.joins[to] >= 0 && key.rivers.width > 0) {
    const Course& joined = coarser.network.courses[static_cast<std::size_t>(nodes.joins[to])];
    const float near = kStrip + std::sqrt(half_width2(key.rivers, joined.area + joined.joining));
    const auto dx = static_cast<float>(onward.dx), dy = static_cast<float>(onward.dy);
    is_there = dx * dx + dy * dy < near * near;
  }
  return arrivals_at(nodes, to, onward.dx, onward.dy, is_there ? 1 : 2);
}

/// What of its swing the finest course from a node may have.
/// @param around  who comes to the node that it drains to
/// @param onward  the course from there
Calm calm_from(Making& making, std::size_t k, const Course& course, const Arrivals& around,
               const Course& onward) {
  const NetworkKey& key = making.key;
  const Coarser& coarser = making.coarser;
  const LevelNodes& nodes = making.nodes;
  Calm calm;
  for (const std::int32_t nearby : nodes.courses[k]) {
    if (nearby < 0) break;
    const Calm here = calm_beside(key, course, coarser.pieces_of(nearby));
    const float share = std::min(calm.share, here.share);
    if (here.at < calm.at) calm = here;
    calm.share = share;
  }
  float& share = calm.share;
  for (std::size_t m = 0; m < static_cast<std::size_t>(around.count); ++m) {
    const auto other = static_cast<std::size_t>(around.node[m]);
    if (other == k || around.ends_in[m] >= 0) continue;
    share = std::min(share, calm_together(key, course, making.way_from(other)));
  }
  if (around.count > 0) share = std::min(share, calm_together(key, course, onward));
  // and those that it goes on from
  const Arrivals before = arrivals_of(making, k, course);
  for (std::size_t m = 0; m < static_cast<std::size_t>(before.count); ++m) {
    const auto other = static_cast<std::size_t>(before.node[m]);
    if (before.ends_in[m] >= 0) continue;
    share = std::min(share, calm_together(key, course, making.way_from(other)));
  }
  return calm;
}

/// Ends a course where it would cross one of the coarser level that it does not join, and tells
/// whether it does.
bool end_at_crossing(const Making& making, std::size_t k, Course& course) {
  Crossing first;
  const Course* crossed = nullptr;
  for (const std::int32_t nearby : making.nodes.courses[k]) {
    if (nearby < 0) break;
    if (nearby == making.nodes.joins[k] ||
        are_apart(course, making.coarser.network.courses[static_cast<std::size_t>(nearby)]))
      continue;
    for (const Course& piece : making.coarser.pieces_of(nearby)) {
      const Crossing found = crossing_of(course, piece);
      if (found.at < first.at) first = found, crossed = &piece;
    }
  }
  if (crossed != nullptr) end_at(making.key, *crossed, first, course);
  return crossed != nullptr;
}

/// A node's course, and the node of its level whose course it ends in: none, -1.
struct Made {
  Course course;
  std::int32_t ends_in = -1;
};

/// The course from a node: as way_from, but where it meets another one before.
Made course_from(Making& making, std::size_t k) {
  const NetworkKey& key = making.key;
  const Coarser& coarser = making.coarser;
  const LevelNodes& nodes = making.nodes;
  Course course = making.way_from(k);
  const bool swings =
      key.level + 1 == key.drainage.levels && key.rivers.width > 0 && !course.is_dry;
  end_at_crossing(making, k, course);
  const auto ended_in = [&](std::int32_t other, float at) {
    const Course met = course_from(making, static_cast<std::size_t>(other)).course;
    end_at(key, met, {1, at}, course);
    const bool ends_before = end_at_crossing(making, k, course);
    if (swings) course.swinging = calm_beside(key, course, {&met, 1}).share;
    return Made{course, ends_before ? -1 : other};
  };
  if (nodes.joins[k] >= 0 && nodes.into_lake[k] < 0) {
    const std::int32_t other = joined_before(key, coarser, nodes, k);
    if (other >= 0) return ended_in(other, kMetAt);
  }
  const auto to = static_cast<std::size_t>(nodes.drain[k]);
  Course onward;
  Arrivals around;
  if (to != k && has_course(nodes, to)) {
    onward = making.way_from(to);
    around = arrivals_of(making, to, onward);
  }
  if (around.count > 0) {
    const std::size_t its = around.place_of(k);
    if (around.ends_in[its] >= 0) return ended_in(around.ends_in[its], around.ends_at[its]);
  }
  for (std::size_t m = 0; m < static_cast<std::size_t>(around.count); ++m) {
    const auto other = static_cast<std::size_t>(around.node[m]);
    if (other != k && around.ends_in[m] < 0 && meet_sharply(course, making.way_from(other)))
      course.is_calmed = true;
  }
  if (swings) {
    const Calm calm = calm_from(making, k, course, around, onward);
    if (calm.met != nullptr && calm.met->level_at(calm.on) + kDrop <= course.level) {
      end_at(key, *calm.met, {std::max(calm.at, 0.01f), calm.on}, course);
      end_at_crossing(making, k, course);
    }
    course.swinging = calm.share;
  }
  return {course};
}

/// The courses of nodes, none where there is none: of `cells`, which the nodes reach beyond.
std::vector<Made> courses_of(const NetworkKey& key, const Coarser& coarser, const LevelNodes& nodes,
                             const CellRect& cells, const GridContext& context) {
  Making making(key, coarser, nodes);
  std::vector<Made> out(static_cast<std::size_t>(cells.width * cells.height));
  const auto left = static_cast<int>(cells.x - nodes.cells.x),
             top = static_cast<int>(cells.y - nodes.cells.y);
  for (int j = 0; j < cells.height; ++j) {
    context.stop_if_abandoned();
    for (int i = 0; i < cells.width; ++i) {
      const auto k = static_cast<std::size_t>(nodes.at(left + i, top + j));
      if (!has_course(nodes, k)) continue;
      const int place = j * cells.width + i;
      out[static_cast<std::size_t>(place)] = course_from(making, k);
    }
  }
  return out;
}

}  // namespace

Course piece_of(const Course& whole, int k) {
  Course piece;
  const auto at = [&](std::int32_t d, int part) { return d * part / kRefinement; };
  piece.x = whole.x + at(whole.dx, k), piece.y = whole.y + at(whole.dy, k);
  piece.dx = at(whole.dx, k + 1) - at(whole.dx, k);
  piece.dy = at(whole.dy, k + 1) - at(whole.dy, k);
  constexpr float kStep = 1.0f / kRefinement;
  const float begin = static_cast<float>(k) * kStep, end = static_cast<float>(k + 1) * kStep;
  piece.level = whole.level_at(begin);
  piece.fall = whole.level_at(end) - piece.level;
  const auto within = [&](float t) {
    return std::min(std::max((t - begin) * kRefinement, 0.0f), 1.0f);
  };
  const float from = within(whole.level_until),
              to = within(whole.level_until + 1.0f / whole.per_length);
  piece.level_until = from;
  piece.per_length = to > from ? 1.0f / (to - from) : 1.0f;
  piece.is_last = whole.is_last && k + 1 == kRefinement;
  piece.area = whole.area + begin * whole.joining;
  piece.joining = kStep * whole.joining;
  piece.missing = whole.missing - begin * whole.found;
  piece.found = kStep * whole.found;
  piece.is_head = whole.is_head && k == 0;
  piece.steepness = whole.steepness + begin * whole.steepening;
  piece.steepening = kStep * whole.steepening;
  return piece;
}

float area_into_head(const LevelNodes& nodes, int course, int i, int j) {
  float area = 0;
  for (int y = j - kCrossing; y <= j + kCrossing; ++y) {
    for (int x = i - kCrossing; x <= i + kCrossing; ++x) {
      const auto k = static_cast<std::size_t>(nodes.at(x, y));
      const bool joins = nodes.joins[k] == course && nodes.joins_at[k] <= 0;
      if (joins && nodes.into_lake[k] < 0 && nodes.inland[k] > 0) area += nodes.area[k];
    }
  }
  return area;
}

void add_courses(const NetworkKey& key, const Coarser& coarser, const LevelNodes& nodes,
                 const GridContext& context, std::vector<Course>& out) {
  const int width = key.cells.width + 2 * kCrossing;
  const CellRect cells{key.cells.x - kCrossing, key.cells.y - kCrossing, width,
                       key.cells.height + 2 * kCrossing};
  const std::vector<Made> around = courses_of(key, coarser, nodes, cells, context);
  const auto at = [&](int i, int j) -> const Made& {
    const int place = j * width + i;
    return around[static_cast<std::size_t>(place)];
  };
  const auto node_of = [&](int i, int j) {
    return nodes.at(static_cast<int>(cells.x - nodes.cells.x) + i,
                    static_cast<int>(cells.y - nodes.cells.y) + j);
  };
  for (int j = kCrossing; j < kCrossing + key.cells.height; ++j) {
    for (int i = kCrossing; i < kCrossing + key.cells.width; ++i) {
      auto [course, ends_in] = at(i, j);
      if (course.dx == 0 && course.dy == 0) continue;
      Crossing first;
      const Course* other = nullptr;
      for (int y = j - kCrossing; y <= j + kCrossing; ++y) {
        for (int x = i - kCrossing; x <= i + kCrossing; ++x) {
          const auto& [there, its_end] = at(x, y);
          if ((x == i && y == j) || (there.dx == 0 && there.dy == 0) || are_apart(course, there))
            continue;
          // they meet where the one swings, which may be beyond its straight line
          if (its_end == node_of(i, j) || ends_in == node_of(x, y)) continue;
          const Crossing found = crossing_of(course, there);
          if (found.at >= first.at) continue;
          const float level = course.level_at(found.at), other_level = there.level_at(found.on);
          const bool later = y > j || (y == j && x > i);
          if (level < other_level || (level == other_level && later)) continue;
          first = found;
          other = &there;
        }
      }
      if (other != nullptr) end_at(key, *other, first, course);
      if (course.dx != 0 || course.dy != 0) out.push_back(course);
    }
  }
}

}  // namespace terrane::worldgen::continents
