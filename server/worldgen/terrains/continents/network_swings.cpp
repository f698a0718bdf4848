#include "worldgen/terrains/continents/network_swings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "worldgen/terrains/continents/river_width.h"
#include "worldgen/terrains/continents/swing.h"

namespace terrane::worldgen::continents {

namespace {

/// Pieces of a river's middle line that are looked at as if they were straight.
constexpr int kSteps = 12;

/// Blocks between two banks at least: with less, the land between would be a strip.
constexpr float kStrip = 10.0f;

/// Shares of their swings that two rivers may have, from all to none: the lesser's and the other's.
constexpr std::array<std::array<float, 2>, 6> kShares{
    {{1, 1}, {0.5f, 1}, {0.5f, 0.5f}, {0.25f, 0.5f}, {0.25f, 0.25f}, {0, 0}}};

/// The middle line of a river, in blocks from a place.
struct Line {
  std::array<float, kSteps + 1> x{}, y{};
};

/// The swing of a course that has all of it.
Swing whole_swing(const NetworkKey& key, const Course& course) {
  Course whole = course;
  whole.swinging = 1;
  return swing_of(key.drainage, key.rivers, whole);
}

/// As seen from the beginning of `from`.
/// @param share  of its swing
Line line_of(const Course& course, Swing swing, float share, const Course& from) {
  swing.width *= share;
  const auto dx = static_cast<float>(course.dx), dy = static_cast<float>(course.dy);
  const float inverse_length = 1.0f / std::max(std::sqrt(dx * dx + dy * dy), 1.0f);
  const auto x = static_cast<float>(course.x - from.x), y = static_cast<float>(course.y - from.y);
  Line line;
  for (int k = 0; k <= kSteps; ++k) {
    const float t = static_cast<float>(k) / kSteps;
    const float aside = swing.at(t) * inverse_length;
    line.x[static_cast<std::size_t>(k)] = x + t * dx - aside * dy;
    line.y[static_cast<std::size_t>(k)] = y + t * dy + aside * dx;
  }
  return line;
}

/// The pieces of a line, and the inverse squares of their lengths.
struct Pieces {
  std::array<float, kSteps> x{}, y{}, dx{}, dy{}, inverse{};

  float low_x = 0, high_x = 0, low_y = 0, high_y = 0;

  explicit Pieces(const Line& line) {
    low_x = *std::min_element(line.x.begin(), line.x.end());
    high_x = *std::max_element(line.x.begin(), line.x.end());
    low_y = *std::min_element(line.y.begin(), line.y.end());
    high_y = *std::max_element(line.y.begin(), line.y.end());
    for (std::size_t k = 0; k < kSteps; ++k) {
      x[k] = line.x[k], y[k] = line.y[k];
      dx[k] = line.x[k + 1] - line.x[k], dy[k] = line.y[k + 1] - line.y[k];
      inverse[k] = 1.0f / (dx[k] * dx[k] + dy[k] * dy[k] + 1e-6f);
    }
  }
};

bool is_near(const Pieces& line, float x, float y, float near) {
  if (x < line.low_x - near || x > line.high_x + near || y < line.low_y - near ||
      y > line.high_y + near)
    return false;
  const float near2 = near * near;
  int count = 0;
  for (std::size_t k = 0; k < kSteps; ++k) {
    const float off_x = x - line.x[k], off_y = y - line.y[k];
    const float t = (off_x * line.dx[k] + off_y * line.dy[k]) * line.inverse[k];
    const float above = t > 0.0f ? t : 0.0f, within = above < 1.0f ? above : 1.0f;
    const float across_x = off_x - within * line.dx[k], across_y = off_y - within * line.dy[k];
    count += across_x * across_x + across_y * across_y < near2 ? 1 : 0;
  }
  return count > 0;
}

/// How often a river leaves another one that it has met.
int times_it_leaves(const Line& lesser, const Pieces& other, float near) {
  int times = 0;
  bool together = false;
  for (std::size_t k = 0; k <= kSteps; ++k) {
    const bool here = is_near(other, lesser.x[k], lesser.y[k], near);
    times += together && !here;
    together = here;
  }
  return times;
}

/// Half as wide as the river is at its end: it widens towards the sea (river_width-inl.h).
float half_width(const Rivers& rivers, const Course& course) {
  const float mouth =
      std::min(std::max(1.0f - (course.level + course.fall) * (1.0f / kMouthBegins), 0.0f), 1.0f);
  return std::sqrt(half_width2(rivers, course.area + course.joining) *
                   (1.0f + kMouthWidening * mouth * mouth));
}

/// The square of how far a place is from a course, as seen from the course's beginning.
float distance2(float x, float y, float dx, float dy) {
  const float t = std::min(std::max((x * dx + y * dy) / (dx * dx + dy * dy + 1e-6f), 0.0f), 1.0f);
  return (x - t * dx) * (x - t * dx) + (y - t * dy) * (y - t * dy);
}

/// Two courses, and their swings if they had all of them.
struct Pair {
  const Course &lesser, &other;
  Swing its, others;
  float near = 0;  // as near as their middles may be without meeting, blocks
};

/// Whether the rectangles around two courses come so near to each other.
bool lie_near(const Course& one, const Course& other, float near) {
  const auto dx = static_cast<float>(one.dx), dy = static_cast<float>(one.dy);
  const auto x = static_cast<float>(other.x - one.x), y = static_cast<float>(other.y - one.y);
  const float end_x = x + static_cast<float>(other.dx), end_y = y + static_cast<float>(other.dy);
  return std::max(x, end_x) >= std::min(dx, 0.0f) - near &&
         std::min(x, end_x) <= std::max(dx, 0.0f) + near &&
         std::max(y, end_y) >= std::min(dy, 0.0f) - near &&
         std::min(y, end_y) <= std::max(dy, 0.0f) + near;
}

/// Whether two courses come so near to each other that their swings may meet more than once.
bool may_meet(const Pair& pair) {
  const Course &one = pair.lesser, &other = pair.other;
  const auto dx = static_cast<float>(one.dx), dy = static_cast<float>(one.dy);
  const auto other_dx = static_cast<float>(other.dx), other_dy = static_cast<float>(other.dy);
  const auto x = static_cast<float>(other.x - one.x), y = static_cast<float>(other.y - one.y);
  const float end_x = x + other_dx, end_y = y + other_dy;
  // where one goes on from the other's end, or both end, and not at a sharp angle
  const float along = dx * other_dx + dy * other_dy;
  if (end_x == dx && end_y == dy) return along > 0;
  if ((x == dx && y == dy) || (end_x == 0 && end_y == 0)) return along < 0;
  const float reach = pair.near + std::abs(pair.its.width * one.swinging) +
                      std::abs(pair.others.width * other.swinging);
  // courses do not cross: they are nearest to each other where one of them begins or ends
  const float least = std::min(std::min(distance2(x, y, dx, dy), distance2(end_x, end_y, dx, dy)),
                               std::min(distance2(-x, -y, other_dx, other_dy),
                                        distance2(dx - x, dy - y, other_dx, other_dy)));
  return least < reach * reach;
}

/// The pairs of courses around which rectangles come so near to each other, and others.
std::vector<std::array<std::size_t, 2>> pairs_near(std::span<const Course> courses, float near) {
  struct Box {
    std::int64_t left, right, top, bottom;
    std::size_t of;
  };
  const auto around = static_cast<std::int64_t>(near) + 2;
  std::vector<Box> boxes;
  for (std::size_t k = 0; k < courses.size(); ++k) {
    const Course& course = courses[k];
    const std::int64_t end_x = course.x + course.dx, end_y = course.y + course.dy;
    boxes.push_back({std::min(course.x, end_x), std::max(course.x, end_x) + around,
                     std::min(course.y, end_y), std::max(course.y, end_y) + around, k});
  }
  std::sort(boxes.begin(), boxes.end(), [](const Box& a, const Box& b) { return a.left < b.left; });
  std::vector<std::array<std::size_t, 2>> pairs;
  for (std::size_t a = 0; a < boxes.size(); ++a)
    for (std::size_t b = a + 1; b < boxes.size() && boxes[b].left <= boxes[a].right; ++b)
      if (boxes[b].top <= boxes[a].bottom && boxes[a].top <= boxes[b].bottom)
        pairs.push_back({boxes[a].of, boxes[b].of});
  return pairs;
}

struct Shares {
  std::array<float, 2> share = kShares[0];
  int times = 0;  // that the lesser still leaves the other
};

/// Which of kShares two courses have to have; the first where none is better.
Shares shares_of(const NetworkKey& key, const Course& lesser, const Course& other,
                 bool other_keeps) {
  if (lesser.is_dry || other.is_dry || !lie_near(lesser, other, furthest_meeting(key.rivers)))
    return {};
  const float near = half_width(key.rivers, lesser) + half_width(key.rivers, other) + kStrip;
  if (!lie_near(lesser, other, near + 2.0f * kWidestSwing)) return {};
  const Pair pair{lesser, other, whole_swing(key, lesser), whole_swing(key, other), near};
  if (!may_meet(pair)) return {};
  std::size_t best = 0;
  int least = -1;
  for (std::size_t k = 0; k < kShares.size() && least != 0; ++k) {
    const float others = other_keeps ? other.swinging : kShares[k][1];
    const int times = times_it_leaves(line_of(lesser, pair.its, kShares[k][0], lesser),
                                      Pieces(line_of(other, pair.others, others, lesser)), near);
    if (least < 0 || times < least) best = k, least = times;
  }
  return {kShares[best], std::max(least, 0)};
}

}  // namespace

float furthest_meeting(const Rivers& rivers) {
  // each swings, and is at most twice as wide at its mouth
  return 2.0f * kWidestSwing + 2.0f * rivers.widest + kStrip;
}

bool meet_sharply(const Course& one, const Course& other) {
  if (one.x + one.dx != other.x + other.dx || one.y + one.dy != other.y + other.dy) return false;
  constexpr float kSharp = 0.25f;  // cosine
  const auto dx = static_cast<float>(one.dx), dy = static_cast<float>(one.dy);
  const auto other_dx = static_cast<float>(other.dx), other_dy = static_cast<float>(other.dy);
  const float along = dx * other_dx + dy * other_dy;
  return along > 0 && along * along > kSharp * kSharp * (dx * dx + dy * dy) *
                                          (other_dx * other_dx + other_dy * other_dy);
}

void calm_pairs(const NetworkKey& key, std::span<Course> courses) {
  const std::vector<std::array<std::size_t, 2>> pairs =
      pairs_near(courses, furthest_meeting(key.rivers));
  for (const auto& [a, b] : pairs)
    if (meet_sharply(courses[a], courses[b])) courses[a].is_calmed = courses[b].is_calmed = true;
  std::vector<float> shares(courses.size(), 1.0f);
  for (const auto& [a, b] : pairs) {
    const bool first =
        courses[a].area < courses[b].area || (courses[a].area == courses[b].area && a < b);
    const std::size_t lesser = first ? a : b, other = first ? b : a;
    const auto found = shares_of(key, courses[lesser], courses[other], false).share;
    shares[lesser] = std::min(shares[lesser], found[0]);
    shares[other] = std::min(shares[other], found[1]);
  }
  for (std::size_t k = 0; k < courses.size(); ++k) courses[k].swinging = shares[k];
}

Calm calm_beside(const NetworkKey& key, const Course& course, std::span<const Course> others) {
  Calm calm;
  for (const Course& other : others) {
    const Shares found = shares_of(key, course, other, true);
    calm.share = std::min(calm.share, found.share[0]);
    if (found.times == 0) continue;
    const float near = half_width(key.rivers, course) + half_width(key.rivers, other);
    const Line its = line_of(course, whole_swing(key, course), found.share[0], course);
    const Line others_line = line_of(other, whole_swing(key, other), other.swinging, course);
    const Pieces pieces(others_line);
    for (std::size_t k = 0; k <= kSteps; ++k) {
      const float at = static_cast<float>(k) / kSteps;
      if (at >= calm.at) break;
      if (!is_near(pieces, its.x[k], its.y[k], near)) continue;
      std::size_t nearest = 0;
      float least = 0;
      for (std::size_t m = 0; m <= kSteps; ++m) {
        const float dx = others_line.x[m] - its.x[k], dy = others_line.y[m] - its.y[k];
        if (m == 0 || dx * dx + dy * dy < least) nearest = m, least = dx * dx + dy * dy;
      }
      calm.met = &other, calm.at = at, calm.on = static_cast<float>(nearest) / kSteps;
      break;
    }
  }
  return calm;
}

float calm_together(const NetworkKey& key, const Course& one, const Course& other) {
  const bool first = one.area < other.area;
  const Shares found =
      first ? shares_of(key, one, other, false) : shares_of(key, other, one, false);
  return found.share[first ? 0 : 1];
}

}  // namespace terrane::worldgen::continents
