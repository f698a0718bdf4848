#include <algorithm>
#include <array>
#include <cmath>

#include "worldgen/terrains/continents/network_nodes.h"

namespace terrane::worldgen::continents {

namespace {

/// In spacings of the coarser level: nodes further than this from all its courses do not know them.
constexpr float kKnown = 1.05f;

/// How much a node lies above its course at least, per block of distance: water finds its way.
constexpr float kGentlest = 0.0005f;

/// In radii of a lake of the coarser level, and spacings added to them: nodes within so much drain
/// straight into it. Between others no course comes within kLakeReach.
constexpr float kLakeShore = 1.6f, kLakeNodes = 0.35f;

/// In spacings: nodes nearer to a course of the coarser level have no lakes of their own.
constexpr float kLakeFromCourse = 0.4f;

/// The sea's bed at a course's end is no deeper than this, blocks.
constexpr float kMouthDepth = 24.0f;

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
    const auto within = [&](std::int64_t cell) {
      return static_cast<int>(
          std::clamp<std::int64_t>(cell, nodes.sea_rings, count - nodes.sea_rings));
    };
    return std::pair<int, int>(within(low), within(high + 1));
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

void place_above(const NetworkKey& key, const Network& coarser, LevelNodes& nodes) {
  find_nearest(coarser.courses, pieces_at_sea(coarser.courses, nodes), nodes);
  clear_courses(nodes);
  find_levels(key, coarser.courses, nodes);
  join_lakes(coarser.lakes, nodes);
}

}  // namespace terrane::worldgen::continents
