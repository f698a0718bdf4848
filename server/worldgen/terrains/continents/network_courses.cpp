#include "worldgen/terrains/continents/network_courses.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "worldgen/terrains/continents/swing.h"

namespace terrane::worldgen::continents {

namespace {

/// In radii of a lake: within so much, courses are level.
constexpr float kLevelLake = 1.15f;

/// Of its cell's area, what joins a course of a coarse level along it; the rest is where it begins,
/// as courses of finer levels drain into it there.
constexpr float kJoiningLater = 0.75f;

struct Place {
  std::int64_t x = 0, y = 0;
  float t = 0;  // share of the course's length
};

/// Where a course of the coarser level is met at a share of its length: by the finest nodes where
/// it swings towards who comes from the left, or the right; by others where two of its last pieces
/// meet, which do not swing there.
Place place_on(const NetworkKey& key, const Course& course, float t, bool left) {
  const auto rounded = [](float blocks) {
    return static_cast<std::int64_t>(std::floor(blocks + 0.5f));
  };
  const auto dx = static_cast<float>(course.dx), dy = static_cast<float>(course.dy);
  if (t <= 0 && course.is_head) return {course.x, course.y, 0};
  int pieces = 1;
  for (int level = key.level; level < key.drainage.levels; ++level) pieces *= kRefinement;
  if (key.level + 1 < key.drainage.levels) {
    const float met = std::ceil(t * static_cast<float>(pieces)) / static_cast<float>(pieces);
    return {course.x + rounded(met * dx), course.y + rounded(met * dy), met};
  }
  const int k = std::min(static_cast<int>(t * kRefinement), kRefinement - 1);
  const Course piece = piece_of(course, k);
  const float within = t * kRefinement - static_cast<float>(k);
  const auto piece_x = static_cast<float>(piece.dx), piece_y = static_cast<float>(piece.dy);
  const float length = std::max(std::sqrt(piece_x * piece_x + piece_y * piece_y), 1.0f);
  const Swing swing = swing_of(key.drainage, key.rivers, piece);
  const float bend = swing.bend_near(within, left);
  const float aside = swing.at(bend) / length;
  return {piece.x + rounded(bend * piece_x - aside * piece_y),
          piece.y + rounded(bend * piece_y + aside * piece_x),
          (static_cast<float>(k) + bend) / kRefinement};
}

/// Which of a node's tributaries, as they follow each other around it from its own course on, does
/// not meet the others there, but joins that course further down: 0, or where on it. Rivers meet by
/// twos.
float side_join(const LevelNodes& nodes, std::size_t k) {
  const auto to = static_cast<std::size_t>(nodes.drain[k]);
  const int width = nodes.cells.width, at = static_cast<int>(to);
  const auto angle = [&](std::int64_t x, std::int64_t y) {  // grows with the angle, in [0, 4)
    const auto dx = static_cast<float>(x - nodes.x[to]), dy = static_cast<float>(y - nodes.y[to]);
    const float part = dx / (std::abs(dx) + std::abs(dy));
    return dy < 0 ? 3.0f + part : 1.0f - part;
  };
  if (nodes.drain[to] == at) return 0;  // where its course goes is not known here
  const auto next = static_cast<std::size_t>(nodes.drain[to]);
  const float out = angle(nodes.x[next], nodes.y[next]);
  const auto turn_of = [&](std::size_t from) {
    const float turn = angle(nodes.x[from], nodes.y[from]) - out;
    return turn < 0 ? turn + 4.0f : turn;
  };
  const float its_turn = turn_of(k);
  int before = 0, all = 0;
  for (const int step : {-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1}) {
    const auto from = static_cast<std::size_t>(at + step);
    if (nodes.drain[from] != at) continue;
    ++all;
    before += turn_of(from) < its_turn;
  }
  if (all >= 3 && before == 0 && its_turn < 1.6f) return 0.25f;
  if (all >= (its_turn < 1.6f ? 4 : 3) && before == all - 1 && its_turn > 2.4f) return 0.5f;
  return 0;
}

/// The course from a node to where it drains.
Course course_from(const NetworkKey& key, const Network& coarser, const LevelNodes& nodes,
                   std::size_t k) {
  Course course;
  course.x = nodes.x[k], course.y = nodes.y[k];
  course.level = nodes.level[k];
  const bool is_finest = key.level + 1 == key.drainage.levels;
  const float own = static_cast<float>(nodes.spacing * nodes.spacing) * 1e-6f;
  const float later = is_finest ? own : kJoiningLater * own;
  course.area = nodes.area[k] - later;
  course.joining = own;
  course.is_head = !is_finest && nodes.area[k] < 1.5f * own;
  course.steepness = nodes.steepness[k];
  std::int64_t to_x = 0, to_y = 0;
  float to_level = 0, to_lake = 0, to_steepness = 0;
  if (nodes.into_lake[k] >= 0) {
    const LakeSite& lake = coarser.lakes[static_cast<std::size_t>(nodes.into_lake[k])];
    to_x = lake.x, to_y = lake.y;
    to_level = lake.level, to_lake = lake.radius;
    to_steepness = course.steepness;
  } else if (nodes.joins[k] >= 0) {
    const Course& joined = coarser.courses[static_cast<std::size_t>(nodes.joins[k])];
    const bool left = static_cast<float>(nodes.y[k] - joined.y) * static_cast<float>(joined.dx) >
                      static_cast<float>(nodes.x[k] - joined.x) * static_cast<float>(joined.dy);
    const Place to = place_on(key, joined, nodes.joins_at[k], left);
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
    const float aside = to_lake > 0 || nodes.inland[to] <= 0 ? 0 : side_join(nodes, k);
    if (aside > 0) {
      const Course onward = course_from(key, coarser, nodes, to);
      const auto dx = static_cast<float>(onward.dx), dy = static_cast<float>(onward.dy);
      const float beside = is_finest ? swing_of(key.drainage, key.rivers, onward).at(aside) /
                                           std::max(std::sqrt(dx * dx + dy * dy), 1.0f)
                                     : 0.0f;
      to_x += static_cast<std::int64_t>(std::floor(aside * dx - beside * dy + 0.5f));
      to_y += static_cast<std::int64_t>(std::floor(aside * dy + beside * dx + 0.5f));
      to_level = onward.level_at(aside);
    }
  }
  course.dx = static_cast<std::int32_t>(to_x - course.x);
  course.dy = static_cast<std::int32_t>(to_y - course.y);
  course.is_dry = is_finest && course.area <= 0 && nodes.lake[k] <= 0;
  course.fall = to_level - course.level;
  course.steepening = to_steepness - course.steepness;
  const auto dx = static_cast<float>(course.dx), dy = static_cast<float>(course.dy);
  const float length = std::max(std::sqrt(dx * dx + dy * dy), 1.0f);
  course.level_until = std::min(kLevelLake * nodes.lake[k] / length, 0.45f);
  course.per_length =
      1.0f / (1.0f - course.level_until - std::min(kLevelLake * to_lake / length, 0.45f));
  return course;
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

/// The courses of nodes, none where there is none: of `cells`, which the nodes reach beyond.
std::vector<Course> courses_of(const NetworkKey& key, const Network& coarser,
                               const LevelNodes& nodes, const CellRect& cells) {
  std::vector<Course> out(static_cast<std::size_t>(cells.width * cells.height));
  const auto left = static_cast<int>(cells.x - nodes.cells.x),
             top = static_cast<int>(cells.y - nodes.cells.y);
  for (int j = 0; j < cells.height; ++j) {
    for (int i = 0; i < cells.width; ++i) {
      const auto k = static_cast<std::size_t>(nodes.at(left + i, top + j));
      const bool stays = nodes.joins[k] < 0 && nodes.into_lake[k] < 0 &&
                         nodes.drain[k] == static_cast<std::int32_t>(k);
      if (nodes.inland[k] <= 0 || stays) continue;
      out[static_cast<std::size_t>(j * cells.width + i)] = course_from(key, coarser, nodes, k);
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

void add_courses(const NetworkKey& key, const Network& coarser, const LevelNodes& nodes,
                 std::vector<Course>& out) {
  const int width = key.cells.width + 2 * kCrossing;
  const std::vector<Course> around = courses_of(
      key, coarser, nodes,
      {key.cells.x - kCrossing, key.cells.y - kCrossing, width, key.cells.height + 2 * kCrossing});
  const auto at = [&](int i, int j) -> const Course& {
    return around[static_cast<std::size_t>(j * width + i)];
  };
  for (int j = kCrossing; j < kCrossing + key.cells.height; ++j) {
    for (int i = kCrossing; i < kCrossing + key.cells.width; ++i) {
      Course course = at(i, j);
      if (course.dx == 0 && course.dy == 0) continue;
      Crossing first;
      const Course* other = nullptr;
      for (int y = j - kCrossing; y <= j + kCrossing; ++y) {
        for (int x = i - kCrossing; x <= i + kCrossing; ++x) {
          const Course& there = at(x, y);
          if ((x == i && y == j) || (there.dx == 0 && there.dy == 0)) continue;
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
