// The laws that each stage of `continents` keeps by itself: curves, ranks, and the relief above
// watercourses.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <future>
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
    surface = stages::fill_relief(terrain, context, {inland, hills, uplift, valleys, channels},
                                  bend.meander);
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
