// The laws that each stage of `continents` keeps by itself: curves, ranks, watercourses, and the
// relief above them.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <future>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "unit/worldgen_continents_survey.h"
// The stages, compiled for an instruction set that the generator itself does not hold, so that
// nothing is there twice. (What is broken in it are vectors, which the stages do not use.)
#define HWY_BROKEN_EMU128 0
#define HWY_COMPILE_ONLY_EMU128
#include "worldgen/terrains/continents/continents-inl.h"
#include "worldgen/terrains/continents/network_nodes.h"

namespace terrane::testing {
namespace {

namespace stages = worldgen::continents::HWY_NAMESPACE;
using worldgen::ContinentsTerrain;
using worldgen::Curve;
using worldgen::CurvePoint;
using worldgen::GridContext;
using worldgen::Scratch;
using worldgen::continents::CellRect;
using worldgen::continents::Course;
using worldgen::continents::Network;
using worldgen::noise::SampleGrid;

GridContext stage_over(const SampleGrid& grid, std::uint64_t seed, Scratch& scratch) {
  return {grid, seed, worldgen::noise::supported_targets().back(), &scratch};
}

float value_at(const Curve& curve, double x) {
  auto value = static_cast<float>(x);
  stages::apply(curve, &value, 1);
  EXPECT_EQ(value, worldgen::value_at(curve, static_cast<float>(x)));
  return value;
}

double unit(std::uint64_t& state) {
  state = worldgen::noise::mix64(state + 1);
  return static_cast<double>(state >> 11) * 0x1p-53;
}

TEST(continents_curve, goes_through_its_points_and_never_past_them) {
  std::uint64_t state = 1;
  for (int round = 0; round < 200; ++round) {
    std::vector<CurvePoint> points{{-1, -100}};
    for (int k = 1; k <= 8; ++k) {
      // On entries of the table, so that the curve can go through them; sometimes level.
      points.push_back(
          {-1 + k * 0.25,
           points.back().y + (unit(state) < 0.25 ? 0 : 200 * unit(state) * unit(state))});
    }
    const Curve curve = worldgen::curve_through(points);
    for (const CurvePoint& point : points) EXPECT_NEAR(value_at(curve, point.x), point.y, 1e-3);
    for (std::size_t k = 1; k < points.size(); ++k) {
      float before = value_at(curve, points[k - 1].x);
      for (int step = 0; step <= 100; ++step) {
        const float value = value_at(curve, points[k - 1].x + 0.0025 * step);
        ASSERT_GE(value, before - 1e-3f) << "falls, or leaves the range of the points around it";
        ASSERT_LE(value, points[k].y + 1e-3);
        before = value;
      }
    }
  }
}

TEST(continents_curve, has_no_corners_and_is_constant_beyond_its_ends) {
  const std::vector<CurvePoint> points{{-1, 0}, {-0.5, 1}, {0, 10}, {0.5, 11}, {1, 30}};
  const Curve curve = worldgen::curve_through(points);
  EXPECT_EQ(value_at(curve, -5.0), value_at(curve, -1.0));
  EXPECT_EQ(value_at(curve, 7.0), value_at(curve, 1.0));
  const auto& v = curve.values;
  for (std::size_t k = 1; k + 1 < v.size(); ++k)
    EXPECT_LT(std::abs(v[k + 1] - 2 * v[k] + v[k - 1]), 0.02) << "entry " << k;
}

TEST(continents_ranking, inland_grows_with_the_noise_and_with_the_share_of_land) {
  const auto land = continents_terrain().land;
  std::vector<Curve> curves;
  for (const double share : {0.1, 0.25, 0.42, 0.6, 0.9})
    curves.push_back(worldgen::rank_inland(land, share));
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const auto& values = curves[c].values;
    EXPECT_NEAR(values.front(), -1, 1e-3);
    EXPECT_NEAR(values.back(), 1, 1e-3);
    for (std::size_t k = 1; k < values.size(); ++k) {
      ASSERT_GE(values[k], values[k - 1] - 1e-6f);
      ASSERT_GE(values[k], curves[c == 0 ? c : c - 1].values[k] - 1e-6f);
    }
  }
}

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
  const GridContext context = stage_over({{0, 0}, 1, 16, 1}, seed, scratch);
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

/// The stages up to the finished surface, over a grid whose samples are all computed directly.
struct Relief {
  Scratch scratch;
  GridContext context;
  const float* inland;
  stages::Valleys valleys;
  stages::Channels channels;
  stages::Surface surface;  // without gullies
  std::vector<float> carved;

  Relief(const ContinentsTerrain& terrain, const SampleGrid& grid, std::uint64_t seed)
      : context(stage_over(grid, seed, scratch)) {
    const stages::Warp warp = stages::fill_warp(terrain.land, context);
    float* all_inland = stages::fill_inland(terrain.land, context, warp.displaced());
    const stages::Uplift uplift =
        stages::fill_uplift(terrain.relief, context, warp.displaced(), all_inland);
    stages::add_coast(terrain.land, context, all_inland);
    inland = all_inland;
    const stages::Bend bend = stages::fill_bend(terrain.drainage, context, warp);
    const stages::WaterFields water = stages::fill_water(terrain, context, inland, bend);
    valleys = water.valleys;
    channels = water.channels;
    const float* const hills = context.noise(terrain.relief.hills, "continents.hills");
    surface = stages::fill_relief(terrain, context, {inland, hills, uplift, valleys}, bend.meander);
    const stages::Surface finished{context.field(), context.field(), context.field()};
    const auto bytes = static_cast<std::size_t>(context.count()) * sizeof(float);
    std::memcpy(finished.height, surface.height, bytes);
    std::memcpy(finished.slope_x, surface.slope_x, bytes);
    std::memcpy(finished.slope_y, surface.slope_y, bytes);
    stages::add_gullies(terrain, context, uplift, valleys, finished);
    carved.assign(finished.height, finished.height + context.count());
  }
};

TEST(continents_relief_stage, land_never_lies_below_its_valleys_floor) {
  const ContinentsTerrain terrain = continents_terrain();
  // blocks above the floor, inland
  float lowest = 0, lowest_carved = 0, highest_on_ways = 0;
  std::size_t on_ways = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Relief relief(terrain, {chunk_origin(survey_chunk(seed, 4), 64, 4), 16, 64, 64}, seed);
    for (std::size_t k = 0; k < relief.carved.size(); ++k) {
      // nearer to the sea, the coast says how high land is
      if (worldgen::value_at(terrain.land.floor, relief.inland[k]) < relief.valleys.floor[k] + 300)
        continue;
      const float carved = relief.carved[k] - relief.valleys.floor[k];
      lowest = std::min(lowest, relief.surface.height[k] - relief.valleys.floor[k]);
      lowest_carved = std::min(lowest_carved, carved);
      if (relief.valleys.distance[k] < 4)
        ++on_ways, highest_on_ways = std::max(highest_on_ways, carved);
    }
  }
  std::printf(
      "check relief: lowest land %.3f blocks above its floor, %.3f where gullies are cut; "
      "%zu samples on ways, %.3f at most\n",
      lowest, lowest_carved, on_ways, highest_on_ways);
  EXPECT_GE(lowest, -0.01f);
  EXPECT_GE(lowest_carved, -0.01f);
  EXPECT_GT(on_ways, 100u);
  EXPECT_LE(highest_on_ways, 1);
}

TEST(continents_relief_stage, does_not_depend_on_the_window_it_is_computed_in) {
  const ContinentsTerrain terrain = continents_terrain();
  for (const std::int64_t stride : {4, 64, 256}) {
    int with_water = 0;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const BlockPos origin = chunk_origin(survey_chunk(seed, 8), 64, 8);
      const Relief whole(terrain, {origin, stride, 64, 64}, seed);
      const int dx = static_cast<int>(seed) * 3 + 1, dy = 40 - static_cast<int>(seed) * 2;
      // on a thread of its own, which remembers nothing of the whole
      const SampleGrid of_part{{origin.x + dx * stride, origin.y + dy * stride}, stride, 19, 23};
      const auto made = std::async(std::launch::async, [&] {
                          return std::make_unique<const Relief>(terrain, of_part, seed);
                        }).get();
      const Relief& part = *made;
      with_water += part.channels.any;
      for (int j = 0; j < 23; ++j) {
        for (int i = 0; i < 19; ++i) {
          const int in_part = j * worldgen::noise::row_pitch(19) + i;
          const int in_whole = (j + dy) * 64 + i + dx;
          const auto p = static_cast<std::size_t>(in_part), w = static_cast<std::size_t>(in_whole);
          ASSERT_EQ(part.valleys.distance[p], whole.valleys.distance[w])
              << "stride " << stride << ", seed " << seed;
          ASSERT_EQ(part.valleys.floor[p], whole.valleys.floor[w]);
          ASSERT_EQ(part.valleys.floor_x[p], whole.valleys.floor_x[w]);
          if (part.channels.any) {
            ASSERT_EQ(part.channels.outside[p], whole.channels.outside[w]);
            ASSERT_EQ(part.channels.from_edge[p], whole.channels.from_edge[w]);
            ASSERT_EQ(part.channels.half[p], whole.channels.half[w]);
            ASSERT_EQ(part.channels.surface[p], whole.channels.surface[w]);
          }
          ASSERT_EQ(part.surface.height[p], whole.surface.height[w]);
          ASSERT_EQ(part.carved[p], whole.carved[w]);
        }
      }
    }
    EXPECT_GT(with_water, 0) << "stride " << stride;
  }
}

}  // namespace
}  // namespace terrane::testing
