// The laws of `continents`' watercourses: where they meet, fall and end.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "unit/worldgen_continents_survey.h"
#include "worldgen/terrains/continents/network.h"
#include "worldgen/terrains/continents/swing.h"

namespace terrane::testing {
namespace {

using worldgen::ContinentsTerrain;
using worldgen::GridContext;
using worldgen::Scratch;
using worldgen::continents::CellRect;
using worldgen::continents::Course;
using worldgen::continents::Network;

/// The terrain, with nodes as irregular as the schema allows.
ContinentsTerrain jittery_terrain() {
  ContinentsTerrain terrain = continents_terrain();
  terrain.drainage.jitter = 0.24f;
  return terrain;
}

/// The terrain, with courses as straight as they are before they swing.
ContinentsTerrain straight(ContinentsTerrain terrain) {
  terrain.drainage.swing = 0;
  return terrain;
}

/// The network of a level's nodes, in a rectangle of them.
Network network_of(const ContinentsTerrain& terrain, int level, const CellRect& cells,
                   std::uint64_t seed) {
  Scratch scratch;
  const GridContext context{
      {{0, 0}, 1, 16, 1}, seed, worldgen::noise::supported_targets().back(), &scratch};
  return worldgen::continents::network_in(
      {terrain.land, terrain.drainage, terrain.rivers, terrain.relief, level, cells}, context);
}

std::vector<Course> courses_around(const ContinentsTerrain& terrain, std::uint64_t seed) {
  const BlockPos origin = chunk_origin(survey_chunk(seed, 8), 64, 8);
  const std::int64_t spacing = terrain.drainage.spacing;
  return network_of(terrain, terrain.drainage.levels - 1,
                    {floor_div(origin.x, spacing), floor_div(origin.y, spacing), 40, 40}, seed)
      .courses;
}

struct Point {
  std::int64_t x, y;
};

Point begin_of(const Course& course) { return {course.x, course.y}; }
Point end_of(const Course& course) { return {course.x + course.dx, course.y + course.dy}; }

/// Which side of the line from a to b a point lies on: -1, 0 or 1.
int side(Point a, Point b, Point p) {
  const std::int64_t area = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
  return area > 0 ? 1 : area < 0 ? -1 : 0;
}

/// Whether two ways share a point that is not, but for rounding, an end of one of them.
bool cross(const Course& one, const Course& other) {
  constexpr double kRounding = 6;  // blocks
  const Point a = begin_of(one), b = end_of(one), c = begin_of(other), d = end_of(other);
  const bool apart =
      std::max(a.x, b.x) < std::min(c.x, d.x) || std::max(c.x, d.x) < std::min(a.x, b.x) ||
      std::max(a.y, b.y) < std::min(c.y, d.y) || std::max(c.y, d.y) < std::min(a.y, b.y);
  if (apart || side(a, b, c) == side(a, b, d) || side(c, d, a) == side(c, d, b)) return false;
  const auto turn =
      static_cast<double>(std::int64_t{one.dx} * other.dy - std::int64_t{one.dy} * other.dx);
  if (turn == 0) return false;
  const double t = static_cast<double>((c.x - a.x) * other.dy - (c.y - a.y) * other.dx) / turn;
  const double x = static_cast<double>(a.x) + t * one.dx, y = static_cast<double>(a.y) + t * one.dy;
  const auto is_near = [&](Point end) {
    return std::hypot(x - static_cast<double>(end.x), y - static_cast<double>(end.y)) < kRounding;
  };
  const bool meet = std::hypot(static_cast<double>(b.x - d.x), static_cast<double>(b.y - d.y)) <
                    kRounding;  // at their ends, after running side by side
  return !meet && !is_near(a) && !is_near(b) && !is_near(c) && !is_near(d);
}

/// Blocks from a point to the nearest of a course's straight line.
double distance_to(const Course& course, Point p) {
  const auto dx = static_cast<double>(course.dx), dy = static_cast<double>(course.dy);
  const auto x = static_cast<double>(p.x - course.x), y = static_cast<double>(p.y - course.y);
  const double t = std::clamp((x * dx + y * dy) / (dx * dx + dy * dy), 0.0, 1.0);
  return std::hypot(x - t * dx, y - t * dy);
}

/// Whether a way begins in the bed of another one, be it on the other side of its middle.
bool begins_in(const Course& one, const Course& bed) {
  constexpr double kBed = 24;  // blocks
  return distance_to(bed, begin_of(one)) < kBed;
}

TEST(continents_drainage, ways_of_water_do_not_cross) {
  std::size_t courses_seen = 0, pairs = 0, crossings = 0;
  for (const ContinentsTerrain& terrain :
       {straight(continents_terrain()), straight(jittery_terrain())}) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const std::vector<Course> courses = courses_around(terrain, seed);
      courses_seen += courses.size();
      for (std::size_t i = 0; i < courses.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k, ++pairs) {
          crossings += cross(courses[i], courses[k]) && !begins_in(courses[i], courses[k]) &&
                       !begins_in(courses[k], courses[i]);
        }
      }
    }
  }
  std::printf("check crossings: %zu among %zu ways, %zu pairs\n", crossings, courses_seen, pairs);
  EXPECT_GT(courses_seen, 10000u);
  // where courses of two levels meet at a sharp angle; too few to be seen
  EXPECT_LE(crossings, courses_seen / 10000);
}

// Where a course ends in another one as that swings, it may cross that one's straight line before.
TEST(continents_drainage, no_two_courses_end_in_each_other) {
  constexpr double kThere = 8, kWidestSwing = 160;  // blocks
  const ContinentsTerrain terrain = continents_terrain();
  std::size_t tributaries = 0, dead_ends = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::vector<Course> courses = courses_around(terrain, seed);
    std::vector<Course> last;
    for (const Course& course : courses)
      if (course.is_last) last.push_back(course);
    tributaries += last.size();
    for (std::size_t i = 0; i < last.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        const Point here = end_of(last[i]), there = end_of(last[k]);
        if (std::hypot(static_cast<double>(here.x - there.x),
                       static_cast<double>(here.y - there.y)) > kThere)
          continue;
        const auto near = std::count_if(courses.begin(), courses.end(), [&](const Course& other) {
          return distance_to(other, here) < kWidestSwing;
        });
        dead_ends += near <= 2;  // none but these two
      }
    }
  }
  std::printf("check ends: %zu tributaries, %zu dead ends\n", tributaries, dead_ends);
  EXPECT_GT(tributaries, 5000u);
  EXPECT_LE(dead_ends * 5000, tributaries);
}

TEST(continents_drainage, rivers_meet_by_twos) {
  const ContinentsTerrain terrain = continents_terrain();
  std::size_t meetings = 0, of_more = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    std::map<std::pair<std::int64_t, std::int64_t>, int> ends;
    std::set<std::pair<std::int64_t, std::int64_t>> lakes;
    const BlockPos origin = chunk_origin(survey_chunk(seed, 8), 64, 8);
    const std::int64_t spacing = terrain.drainage.spacing;
    const Network network =
        network_of(terrain, terrain.drainage.levels - 1,
                   {floor_div(origin.x, spacing), floor_div(origin.y, spacing), 40, 40}, seed);
    for (const auto& lake : network.lakes) lakes.insert({lake.x, lake.y});
    for (const Course& course : network.courses)
      if (!course.is_dry) ++ends[{end_of(course).x, end_of(course).y}];
    for (const auto& [place, count] : ends) {
      if (count < 2 || lakes.contains(place)) continue;
      ++meetings;
      of_more += count > 2;
    }
  }
  std::printf("check meetings: %zu, of more than two rivers %zu\n", meetings, of_more);
  EXPECT_GT(meetings, 1000u);
  EXPECT_LT(of_more * 25, meetings);
}

/// Blocks from a river's middle, as it swings, to a place.
double blocks_off(const ContinentsTerrain& terrain, const Course& course, Point place) {
  const auto swing = worldgen::continents::swing_of(terrain.drainage, terrain.rivers, course);
  const double dx = course.dx, dy = course.dy, length = std::hypot(dx, dy);
  const auto x = static_cast<double>(course.x - place.x),
             y = static_cast<double>(course.y - place.y);
  double least = std::hypot(x, y);
  for (int k = 0; k <= 200; ++k) {
    const float t = static_cast<float>(k) / 200.0f;
    const double aside = static_cast<double>(swing.at(t)) / length, on = static_cast<double>(t);
    least = std::min(least, std::hypot(x + on * dx - aside * dy, y + on * dy + aside * dx));
  }
  return least;
}

/// Whether a river ends at the sea, in a lake or in another river, and not where others end, too.
bool leads_on(const ContinentsTerrain& terrain, const Network& network, const Course& course) {
  constexpr double kNear = 8;  // blocks
  const Point end = end_of(course);
  if (course.level + course.fall <= 2) return true;
  for (const auto& lake : network.lakes)
    if (std::hypot(lake.x - end.x, lake.y - end.y) < static_cast<double>(lake.radius)) return true;
  for (const Course& other : network.courses) {
    if (other.is_dry || (other.x == course.x && other.y == course.y)) continue;
    const std::int64_t reach = 3 * terrain.drainage.spacing;
    if (std::abs(other.x - end.x) > reach || std::abs(other.y - end.y) > reach) continue;
    const bool ends_there = std::hypot(end_of(other).x - end.x, end_of(other).y - end.y) < kNear;
    if (!ends_there && blocks_off(terrain, other, end) < kNear) return true;
  }
  return false;
}

TEST(continents_drainage, rivers_lead_on_to_rivers) {
  const ContinentsTerrain terrain = continents_terrain();
  const std::int64_t spacing = terrain.drainage.spacing;
  std::size_t rivers = 0, lost = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const BlockPos origin = chunk_origin(survey_chunk(seed, 8), 64, 8);
    const CellRect cells{floor_div(origin.x, spacing), floor_div(origin.y, spacing), 40, 40};
    const Network network = network_of(terrain, terrain.drainage.levels - 1, cells, seed);
    for (const Course& course : network.courses) {
      const std::int64_t i = floor_div(end_of(course).x, spacing) - cells.x,
                         j = floor_div(end_of(course).y, spacing) - cells.y;
      const bool is_inside = i >= 4 && j >= 4 && i < cells.width - 4 && j < cells.height - 4;
      if (course.is_dry || !is_inside) continue;
      ++rivers;
      lost += leads_on(terrain, network, course) ? 0 : 1;
    }
  }
  std::printf("check ends: of %zu rivers' pieces, %zu lead nowhere\n", rivers, lost);
  EXPECT_GT(rivers, 5000u);
  EXPECT_LT(lost * 1000, rivers);
}

TEST(continents_drainage, courses_are_no_longer_than_who_looks_for_them_counts_on) {
  using worldgen::continents::kLongestCourse;
  for (const int spacing : {256, 512, 4096}) {
    const float most = kLongestCourse * static_cast<float>(spacing);
    ContinentsTerrain terrain = continents_terrain();
    terrain.drainage.spacing = spacing;
    terrain.drainage.levels = 3;
    terrain.drainage.jitter = 0.24f;
    terrain.rivers.lake_share = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const CellRect cells{static_cast<std::int64_t>(seed) * 400, 160, 48, 48};
      for (const Course& course : network_of(terrain, 2, cells, seed).courses) {
        ASSERT_LE(static_cast<float>(std::max(std::abs(course.dx), std::abs(course.dy))), most)
            << "from " << course.x << ", " << course.y << ", seed " << seed;
      }
    }
  }
}

TEST(continents_drainage, no_way_rises_and_neither_does_the_ground_along_it) {
  const ContinentsTerrain terrain = continents_terrain();
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    for (const Course& course : courses_around(terrain, seed)) {
      ASSERT_GT(course.level, 0) << "begins at sea";
      ASSERT_LE(course.fall, 0) << "rises";
    }
  }
}

TEST(continents_drainage, nearly_all_land_drains_to_the_sea) {
  const ContinentsTerrain terrain = continents_terrain();
  const auto place = [](const Point& p) { return std::pair(p.x, p.y); };
  std::size_t land = 0, to_sea = 0, to_hollows = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    // each level by itself: what drains into a course of the coarser one goes where that goes
    for (int level = 0; level < terrain.drainage.levels; ++level) {
      constexpr int kSize = 48;
      const CellRect cells{static_cast<std::int64_t>(seed) * 1000, 500, kSize, kSize};
      const Network network = network_of(terrain, level, cells, seed);
      std::map<std::pair<std::int64_t, std::int64_t>, const Course*> from;
      for (const Course& course : network.courses) from[place(begin_of(course))] = &course;
      const std::int64_t spacing = worldgen::continents::spacing_of(terrain.drainage, level);
      for (const Course& course : network.courses) {
        const Course* here = &course;
        int steps = 0;
        while (here->level + here->fall > 0 && ++steps < 10000) {
          const auto next = from.find(place(end_of(*here)));
          if (next == from.end()) break;
          here = next->second;
        }
        ASSERT_LT(steps, 10000) << "flows in a circle";
        const Point end = end_of(*here);
        const std::int64_t i = floor_div(end.x, spacing) - cells.x,
                           j = floor_div(end.y, spacing) - cells.y;
        const bool unseen = i < 0 || j < 0 || i >= kSize || j >= kSize;
        if (unseen) continue;
        ++land;
        to_sea += here->level + here->fall <= 0;
        to_hollows += std::any_of(network.lakes.begin(), network.lakes.end(),
                                  [&](const auto& l) { return l.x == end.x && l.y == end.y; });
      }
    }
  }
  std::printf("check drains_to_the_sea: of %zu courses %.2f %% end at sea, %.2f %% in a lake\n",
              land, percent(to_sea, land), percent(to_hollows, land));
  EXPECT_GE(percent(land - to_hollows, land), 95);
}

}  // namespace
}  // namespace terrane::testing
