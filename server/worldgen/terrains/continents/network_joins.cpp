#include "worldgen/terrains/continents/network_joins.h"

#include <algorithm>
#include <cmath>

#include "worldgen/terrains/continents/network_arrivals.h"
#include "worldgen/terrains/continents/river_width.h"
#include "worldgen/terrains/continents/swing.h"

namespace terrane::worldgen::continents {

namespace {

std::int64_t rounded(float blocks) { return static_cast<std::int64_t>(std::floor(blocks + 0.5f)); }

float length_of(const Course& course) {
  const auto dx = static_cast<float>(course.dx), dy = static_cast<float>(course.dy);
  return std::max(std::sqrt(dx * dx + dy * dy), 1.0f);
}

bool is_left_of(const Course& course, std::int64_t x, std::int64_t y) {
  return static_cast<float>(y - course.y) * static_cast<float>(course.dx) >
         static_cast<float>(x - course.x) * static_cast<float>(course.dy);
}

/// Blocks: who joins a river nearer to another one as good as does so at the same place.
float near_on(const NetworkKey& key, const Course& course) {
  constexpr float kApart = 40.0f;  // blocks, besides the river's width
  return 2.0f * std::sqrt(half_width2(key.rivers, course.area + course.joining)) + kApart;
}

bool is_within(std::int64_t x, std::int64_t y, const Place& place, float near) {
  const auto dx = static_cast<float>(x - place.x), dy = static_cast<float>(y - place.y);
  return dx * dx + dy * dy < near * near;
}

/// The river's middle at a share of a course of the coarser level, as the finest nodes see it.
Place place_at(const NetworkKey& key, const Coarser& coarser, std::int32_t joined, float t) {
  const int k = std::min(static_cast<int>(t * kRefinement), kRefinement - 1);
  const Course& piece = coarser.pieces_of(joined)[static_cast<std::size_t>(k)];
  const float within = t * kRefinement - static_cast<float>(k);
  const auto dx = static_cast<float>(piece.dx), dy = static_cast<float>(piece.dy);
  const float aside = swing_of(key.drainage, key.rivers, piece).at(within) / length_of(piece);
  return {piece.x + rounded(within * dx - aside * dy), piece.y + rounded(within * dy + aside * dx),
          t};
}

/// Pieces of the finest level along a course of the coarser level.
int pieces_along(const NetworkKey& key) {
  int pieces = 1;
  for (int level = key.level; level < key.drainage.levels; ++level) pieces *= kRefinement;
  return pieces;
}

/// Where two of the finest pieces meet on a course of the coarser level: there they do not swing.
Place joint_on(const Course& course, float t) {
  return {course.x + rounded(t * static_cast<float>(course.dx)),
          course.y + rounded(t * static_cast<float>(course.dy)), t};
}

/// Where a course of the coarser level is met at a share of its length: by the finest nodes where
/// it swings towards who comes from the left, or the right; by others where two of its last pieces
/// meet.
Place place_on(const NetworkKey& key, const Coarser& coarser, std::int32_t joined, float t,
               bool left) {
  const Course& course = coarser.network.courses[static_cast<std::size_t>(joined)];
  if (t <= 0 && course.is_head) return {course.x, course.y, 0};
  if (key.level + 1 < key.drainage.levels) {
    const auto pieces = static_cast<float>(pieces_along(key));
    return joint_on(course, std::ceil(t * pieces) / pieces);
  }
  const int k = std::min(static_cast<int>(t * kRefinement), kRefinement - 1);
  const Swing swing =
      swing_of(key.drainage, key.rivers, coarser.pieces_of(joined)[static_cast<std::size_t>(k)]);
  const float bend = swing.bend_near(t * kRefinement - static_cast<float>(k), left);
  return place_at(key, coarser, joined, (static_cast<float>(k) + bend) / kRefinement);
}

/// Where the course from a node joins one of the coarser level, if no other one joins it there.
Place place_of(const NetworkKey& key, const Coarser& coarser, const LevelNodes& nodes,
               std::size_t k) {
  const Course& joined = coarser.network.courses[static_cast<std::size_t>(nodes.joins[k])];
  return place_on(key, coarser, nodes.joins[k], nodes.joins_at[k],
                  is_left_of(joined, nodes.x[k], nodes.y[k]));
}

bool joins(const LevelNodes& nodes, std::size_t k) {
  return nodes.inland[k] > 0 && nodes.joins[k] >= 0 && nodes.into_lake[k] < 0;
}

/// Calls `visit` for the nodes around one whose courses join one at the same place as its own, and
/// are greater: with the place, and whether they come from the same side.
template <typename Visit>
void for_greater(const NetworkKey& key, const Coarser& coarser, const LevelNodes& nodes,
                 std::size_t k, const Place& place, Visit visit) {
  const Course& course = coarser.network.courses[static_cast<std::size_t>(nodes.joins[k])];
  const float near = near_on(key, course);
  const bool left = is_left_of(course, nodes.x[k], nodes.y[k]);
  for (int y = -1; y <= 1; ++y) {
    for (int x = -1; x <= 1; ++x) {
      const int other = static_cast<int>(k) + y * nodes.cells.width + x;
      const auto m = static_cast<std::size_t>(other);
      const bool is_greater =
          nodes.area[m] > nodes.area[k] || (nodes.area[m] == nodes.area[k] && m < k);
      if (!is_greater || !joins(nodes, m)) continue;
      const Place there = place_of(key, coarser, nodes, m);
      if (is_within(there.x, there.y, place, near))
        visit(other, there, is_left_of(course, nodes.x[m], nodes.y[m]) == left);
    }
  }
}

/// Whether a course may join there whoever else does: at springs of coarser rivers, and where no
/// rivers are drawn.
bool is_free(const NetworkKey& key, const Coarser& coarser, const LevelNodes& nodes, std::size_t k,
             const Place& place) {
  return key.rivers.width <= 0 ||
         (place.t <= 0 &&
          coarser.network.courses[static_cast<std::size_t>(nodes.joins[k])].is_head);
}

}  // namespace

Place joining_of(const NetworkKey& key, const Coarser& coarser, const LevelNodes& nodes,
                 std::size_t k) {
  const std::int32_t joined = nodes.joins[k];
  const Course& course = coarser.network.courses[static_cast<std::size_t>(joined)];
  const Place place = place_of(key, coarser, nodes, k);
  if (is_free(key, coarser, nodes, k, place)) return place;
  const float near = near_on(key, course);
  float taken = -1;  // where on the course
  for_greater(key, coarser, nodes, k, place, [&](int other, const Place& there, bool same_side) {
    const auto m = static_cast<std::size_t>(other);
    if (!same_side) taken = nodes.joins[m] == joined ? there.t : place.t;
  });
  int ends = 0;  // of courses of the coarser level, there
  const auto begin = std::lower_bound(
      coarser.ends.begin(), coarser.ends.end(), place.x - static_cast<std::int64_t>(near),
      [](const Coarser::End& end, std::int64_t x) { return end.x < x; });
  for (auto end = begin;
       end != coarser.ends.end() && end->x <= place.x + static_cast<std::int64_t>(near); ++end)
    if (is_within(end->x, end->y, place, near)) ends += end->joining;
  if (ends >= 2) taken = place.t;
  if (taken < 0) return place;
  const bool is_finest = key.level + 1 == key.drainage.levels;
  const float further =
      is_finest ? near / length_of(course) : 1.0f / static_cast<float>(pieces_along(key));
  const float moved = taken + further <= 0.99f ? taken + further : taken - further;
  if (moved <= 0.01f) return place;
  return is_finest ? place_at(key, coarser, joined, moved) : joint_on(course, moved);
}

std::int32_t joined_before(const NetworkKey& key, const Coarser& coarser, const LevelNodes& nodes,
                           std::size_t k) {
  const Course& course = coarser.network.courses[static_cast<std::size_t>(nodes.joins[k])];
  const Place place = place_of(key, coarser, nodes, k);
  if (is_free(key, coarser, nodes, k, place)) return -1;
  const float level = course.level_at(place.t);
  std::int32_t found = -1;
  for_greater(key, coarser, nodes, k, place, [&](int other, const Place&, bool same_side) {
    const auto m = static_cast<std::size_t>(other);
    const float there = nodes.level[m] + kMetAt * (level - nodes.level[m]);
    if (found >= 0 || !same_side || nodes.lake[m] > 0 || there + kDrop > nodes.level[k]) return;
    if (nodes.is_dry(m) && !nodes.is_dry(k)) return;
    bool is_greatest = true;  // if it does not itself end in another one
    for_greater(key, coarser, nodes, m, place_of(key, coarser, nodes, m),
                [&](int, const Place&, bool) { is_greatest = false; });
    if (is_greatest) found = other;
  });
  return found;
}

}  // namespace terrane::worldgen::continents
