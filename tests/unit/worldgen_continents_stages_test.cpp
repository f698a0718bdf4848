// The laws that each stage of `continents` keeps by itself: curves, ranks, watercourses, and the
// relief above them.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "unit/worldgen_continents_survey.h"
// The stages, compiled for an instruction set that the generator itself does not hold, so that
// nothing is there twice. (What is broken in it are vectors, which the stages do not use.)
#define HWY_BROKEN_EMU128 0
#define HWY_COMPILE_ONLY_EMU128
#include "worldgen/terrains/continents/continents-inl.h"

namespace terrane::testing {
namespace {

namespace stages = worldgen::continents::HWY_NAMESPACE;
using worldgen::ContinentsTerrain;
using worldgen::Curve;
using worldgen::CurvePoint;
using worldgen::GridContext;
using worldgen::Scratch;
using worldgen::continents::Watercourse;
using worldgen::noise::SampleGrid;

GridContext stage_over(const SampleGrid& grid, std::uint64_t seed, Scratch& scratch) {
  return {grid, seed, worldgen::noise::supported_targets().back(), &scratch};
}

float value_at(const Curve& curve, double x) {
  auto value = static_cast<float>(x);
  stages::apply(curve, &value, 1);
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
  EXPECT_EQ(value_at(curve, -5), value_at(curve, -1));
  EXPECT_EQ(value_at(curve, 7), value_at(curve, 1));
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

stages::Nodes nodes_of(const ContinentsTerrain& terrain, const GridContext& context) {
  const auto grid = worldgen::continents::nodes_around(terrain.drainage, context.grid);
  return stages::make_nodes(terrain.land, terrain.drainage, terrain.rivers, grid, context);
}

std::vector<Watercourse> courses_around(const ContinentsTerrain& terrain, std::uint64_t seed) {
  Scratch scratch;
  const GridContext context =
      stage_over({chunk_origin(survey_chunk(seed, 8), 64, 8), 256, 64, 64}, seed, scratch);
  const stages::Nodes nodes = nodes_of(terrain, context);
  return stages::find_hydrology(nodes, terrain.rivers).courses;
}

struct Point {
  std::int64_t x, y;
  friend bool operator==(const Point&, const Point&) = default;
};

Point begin_of(const Watercourse& course) {
  return {static_cast<std::int64_t>(course.x), static_cast<std::int64_t>(course.y)};
}
Point end_of(const Watercourse& course) {
  return {static_cast<std::int64_t>(course.x + course.dx),
          static_cast<std::int64_t>(course.y + course.dy)};
}

/// Which side of the line from a to b a point lies on: -1, 0 or 1.
int side(Point a, Point b, Point p) {
  const std::int64_t area = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
  return area > 0 ? 1 : area < 0 ? -1 : 0;
}

/// Whether two ways share a point that is not a node of both.
bool cross(const Watercourse& one, const Watercourse& other) {
  const Point a = begin_of(one), b = end_of(one), c = begin_of(other), d = end_of(other);
  const bool apart =
      std::max(a.x, b.x) < std::min(c.x, d.x) || std::max(c.x, d.x) < std::min(a.x, b.x) ||
      std::max(a.y, b.y) < std::min(c.y, d.y) || std::max(c.y, d.y) < std::min(a.y, b.y);
  if (apart) return false;
  // they meet at a node: only if one lies on the other do they share more
  if (a == c || b == d || a == d || b == c) {
    const Point node = a == c || a == d ? a : b;
    const Point p = node == a ? b : a, q = node == c ? d : c;
    return side(node, p, q) == 0 &&
           (p.x - node.x) * (q.x - node.x) + (p.y - node.y) * (q.y - node.y) > 0;
  }
  return side(a, b, c) != side(a, b, d) && side(c, d, a) != side(c, d, b);
}

TEST(continents_drainage, no_two_ways_of_water_cross) {
  std::size_t courses_seen = 0, pairs = 0;
  for (const ContinentsTerrain& terrain : {continents_terrain(), jittery_terrain()}) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const std::vector<Watercourse> courses = courses_around(terrain, seed);
      courses_seen += courses.size();
      for (std::size_t i = 0; i < courses.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k, ++pairs) {
          ASSERT_FALSE(cross(courses[i], courses[k]))
              << "seed " << seed << ", ways from " << courses[i].x << "," << courses[i].y << " and "
              << courses[k].x << "," << courses[k].y;
        }
      }
    }
  }
  std::printf("check crossings: none among %zu ways, %zu pairs\n", courses_seen, pairs);
  EXPECT_GT(courses_seen, 10000u);
}

TEST(continents_drainage, no_way_rises_and_neither_does_the_ground_along_it) {
  const ContinentsTerrain terrain = continents_terrain();
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    for (const Watercourse& course : courses_around(terrain, seed)) {
      ASSERT_GT(course.inland, 0) << "begins at sea";
      ASSERT_LE(course.fall, 0) << "rises";
      ASSERT_LE(value_at(terrain.land.floor, course.inland + course.fall),
                value_at(terrain.land.floor, course.inland));
    }
  }
}

TEST(continents_drainage, nearly_all_land_drains_to_the_sea) {
  const ContinentsTerrain terrain = continents_terrain();
  enum class End { kSea, kHollow, kUnseen };
  std::array<std::size_t, 3> ends{};
  std::size_t hollows = 0, lakes = 0, land = 0;
  constexpr int kRing = worldgen::continents::kDrainRing;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    Scratch scratch;
    const GridContext context =
        stage_over({chunk_origin(survey_chunk(seed, 10), 64, 10), 1024, 64, 64}, seed, scratch);
    const stages::Nodes nodes = nodes_of(terrain, context);
    const auto is_seen = [&](int i, int j) {
      return i >= kRing && j >= kRing && i + kRing < nodes.grid.width &&
             j + kRing < nodes.grid.height;
    };
    const auto end_of_course = [&](int node) {
      for (int steps = 0; steps < 100000; ++steps) {
        if (nodes.inland[node] <= 0) return End::kSea;
        if (!is_seen(node % nodes.pitch(), node / nodes.pitch())) return End::kUnseen;
        const int next = nodes.drain[static_cast<std::size_t>(node)];
        if (next == node) return End::kHollow;
        EXPECT_LE(nodes.level[next], nodes.level[node]) << "flows uphill";
        node = next;
      }
      ADD_FAILURE() << "flows in a circle";
      return End::kUnseen;
    };
    for (int j = kRing; j + kRing < nodes.grid.height; ++j) {
      for (int i = kRing; i + kRing < nodes.grid.width; ++i) {
        const int node = nodes.at(i, j);
        if (nodes.inland[node] <= 0) continue;
        ++land;
        hollows += nodes.level[node] > nodes.inland[node];
        lakes += nodes.lake[node] > 0;
        ++ends[static_cast<std::size_t>(end_of_course(node))];
      }
    }
  }
  const double reached = percent(ends[0], ends[0] + ends[1]);
  std::printf(
      "check drains_to_the_sea: %.2f %% of %zu land nodes (%zu leave the map unseen); %.2f %% are "
      "filled hollows, %.2f %% have "
      "lakes\n",
      reached, ends[0] + ends[1], ends[2], percent(hollows, land), percent(lakes, land));
  EXPECT_GE(reached, 95);
  EXPECT_GT(hollows, 0u);
}

/// The stages up to the finished surface, over a grid whose samples are all computed directly.
struct Relief {
  Scratch scratch;
  GridContext context;
  const float *inland, *floor;
  stages::Valleys valleys;
  stages::Channels channels;
  stages::Surface surface;  // without gullies
  std::vector<float> carved;

  Relief(const ContinentsTerrain& terrain, const SampleGrid& grid, std::uint64_t seed)
      : context(stage_over(grid, seed, scratch)) {
    float* all_inland = stages::fill_inland(terrain.land, context);
    const stages::Uplift uplift = stages::fill_uplift(terrain.relief, context, all_inland);
    stages::add_coast(terrain.land, context, all_inland);
    inland = all_inland;
    const auto bend = stages::fill_bend(terrain.drainage, context);
    const float* shore = context.noise(terrain.climate.border, "continents.border");
    const stages::WaterFields water = stages::fill_water(terrain, context, bend, shore);
    valleys = water.valleys;
    channels = water.channels;
    floor = stages::fill_floor(terrain.land, terrain.drainage, context, inland, valleys);
    surface = stages::fill_relief(terrain, context, inland, uplift, valleys, bend);
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
  // blocks above the floor
  float lowest = 0, lowest_carved = 0, lowest_near_ways = 0, highest_on_ways = 0;
  std::size_t on_ways = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Relief relief(terrain, {chunk_origin(survey_chunk(seed, 4), 64, 4), 16, 64, 64}, seed);
    for (std::size_t k = 0; k < relief.carved.size(); ++k) {
      if (relief.inland[k] < 0) continue;
      const float carved = relief.carved[k] - relief.floor[k],
                  distance = relief.valleys.distance[k];
      lowest = std::min(lowest, relief.surface.height[k] - relief.floor[k]);
      lowest_carved = std::min(lowest_carved, carved);
      if (distance < 0.1f * terrain.drainage.bed_width)
        lowest_near_ways = std::min(lowest_near_ways, carved);
      if (distance < 4) ++on_ways, highest_on_ways = std::max(highest_on_ways, carved);
    }
  }
  std::printf(
      "check relief: lowest land %.3f blocks above its floor, %.3f where gullies are cut, %.3f of "
      "these near ways; "
      "%zu samples on ways, %.3f at most\n",
      lowest, lowest_carved, lowest_near_ways, on_ways, highest_on_ways);
  EXPECT_GE(lowest, 0);
  EXPECT_GE(lowest_near_ways, -0.25f);
  EXPECT_GT(on_ways, 100u);
  EXPECT_LE(highest_on_ways, 1);
}

TEST(continents_relief_stage, does_not_depend_on_the_window_it_is_computed_in) {
  const ContinentsTerrain terrain = continents_terrain();
  for (const std::int64_t stride : {4, 64, 256}) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const BlockPos origin = chunk_origin(survey_chunk(seed, 8), 64, 8);
      const Relief whole(terrain, {origin, stride, 64, 64}, seed);
      const int dx = static_cast<int>(seed) * 3 + 1, dy = 40 - static_cast<int>(seed) * 2;
      const Relief part(terrain, {{origin.x + dx * stride, origin.y + dy * stride}, stride, 19, 23},
                        seed);
      for (int j = 0; j < 23; ++j) {
        for (int i = 0; i < 19; ++i) {
          const auto p = static_cast<std::size_t>(j * worldgen::noise::row_pitch(19) + i);
          const auto w = static_cast<std::size_t>((j + dy) * 64 + i + dx);
          ASSERT_EQ(part.valleys.distance[p], whole.valleys.distance[w])
              << "stride " << stride << ", seed " << seed;
          ASSERT_EQ(part.valleys.inland[p], whole.valleys.inland[w]);
          ASSERT_EQ(part.channels.outside[p], whole.channels.outside[w]);
          ASSERT_EQ(part.channels.from_edge[p], whole.channels.from_edge[w]);
          if (part.channels.any) {
            ASSERT_EQ(part.channels.half[p], whole.channels.half[w]);
            ASSERT_EQ(part.channels.surface[p], whole.channels.surface[w]);
          }
          ASSERT_EQ(part.floor[p], whole.floor[w]);
          ASSERT_EQ(part.surface.height[p], whole.surface.height[w]);
          ASSERT_EQ(part.carved[p], whole.carved[w]);
        }
      }
    }
  }
}

}  // namespace
}  // namespace terrane::testing
