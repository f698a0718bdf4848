#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "cli/query/spawn_search.h"

namespace terrane::cli {
namespace {

/// Samples a land given by its heights in blocks.
Sampler land(double (*height)(BlockPos)) {
  return [height](std::span<const BlockPos> points) -> Result<std::vector<PointSample>> {
    std::vector<PointSample> samples;
    for (const BlockPos point : points) {
      samples.push_back(
          {.height_q4 = static_cast<std::int32_t>(std::lround(height(point) * 16)), .biome = 3});
    }
    return samples;
  };
}

TEST(spawn, on_a_meadow_it_is_the_very_place) {
  const auto found = find_spawn_near({.near = {-7, 9}}, land([](BlockPos) { return 5.0; }));
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->block, (BlockPos{-7, 9}));
  EXPECT_EQ((*found)->sample.height_q4, 80);
}

TEST(spawn, water_is_left_for_the_nearest_shore) {
  const auto found = find_spawn_near(
      {.near = {0, 0}}, land([](BlockPos p) { return p.x >= 100 || p.x <= -300 ? 3.0 : -10.0; }));
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->block, (BlockPos{112, 0}))
      << "104 is too near to the water, 112 the first multiple of 16 after";
}

TEST(spawn, steep_ground_is_left_for_level_ground) {
  const auto found =
      find_spawn_near({.near = {0, 0}}, land([](BlockPos p) {
                        return p.y < 200 ? 50.0 + std::abs(static_cast<double>(p.y)) : 250.0;
                      }));
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->block, (BlockPos{0, 224}))
      << "208 is level, but the slope begins within 16 blocks";
}

TEST(spawn, a_lake_above_sea_level_and_a_dry_hollow_below_it_are_told_apart) {
  const Sampler lakes = [](std::span<const BlockPos> points) -> Result<std::vector<PointSample>> {
    std::vector<PointSample> samples;
    for (const BlockPos point : points) {
      const bool lake = point.x < 100;
      samples.push_back({.height_q4 = lake ? 800 : -160, .water_q4 = lake ? 816 : kNoWater});
    }
    return samples;
  };
  const auto found =
      find_spawn_near({.near = {0, 0}, .max_drop_q4 = 100 * 16, .has_water = true}, lakes);
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->block, (BlockPos{112, 0}));
  const auto shore = find_spawn_near({.near = {0, 0}, .has_water = true}, lakes);
  ASSERT_TRUE(shore && *shore);
  EXPECT_EQ((*shore)->block, (BlockPos{128, 0}))
      << "112 is within 16 blocks of the drop of 60 blocks";
}

TEST(spawn, a_level_ledge_at_a_cliff_is_left_for_open_land) {
  const auto found = find_spawn_near({.near = {0, 0}}, land([](BlockPos p) {
                                       return p.x > 10 ? 5.0 : p.x < -10 ? 40.0 : 20.0;
                                     }));
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->block, (BlockPos{-32, 0}));
}

TEST(spawn, an_ocean_world_has_no_place) {
  const auto found =
      find_spawn_near({.near = {}, .near_radius = 256}, land([](BlockPos) { return -1.0; }));
  ASSERT_TRUE(found);
  EXPECT_FALSE(*found);
}

TEST(spawn, the_sea_level_of_the_world_counts) {
  const auto found = find_spawn_near({.near = {}, .near_radius = 64, .sea_level_q4 = 100 * 16},
                                     land([](BlockPos) { return 99.0; }));
  ASSERT_TRUE(found);
  EXPECT_FALSE(*found);
}

TEST(spawn, at_the_edge_of_the_world_nothing_outside_is_sampled) {
  const std::int64_t edge = max_block_coord(kMinChunkSize);
  const auto found = find_spawn_near({.near = {edge, edge}, .near_radius = 64},
                                     [&](std::span<const BlockPos> points) {
                                       for (const BlockPos point : points)
                                         EXPECT_TRUE(point.x <= edge && point.y <= edge);
                                       return land([](BlockPos) { return 5.0; })(points);
                                     });
  ASSERT_TRUE(found && *found);
  const std::int64_t far = std::numeric_limits<std::int64_t>::max();
  EXPECT_FALSE(find_spawn_near({.near = {far, 0}}, land([](BlockPos) { return 5.0; })));
}

TEST(spawn, a_far_shore_is_found_by_a_survey_and_the_nearest_place_around_it) {
  const Sampler island = land([](BlockPos p) {
    const double x = static_cast<double>(p.x) - 30000, y = static_cast<double>(p.y);
    return std::sqrt(x * x + y * y) < 3000 ? 4.0 : -20.0;
  });
  std::vector<std::int64_t> reaches;
  const Survey survey = [&](std::int64_t reach) -> Result<std::vector<BlockPos>> {
    reaches.push_back(reach);
    std::vector<BlockPos> grid, dry;
    for (std::int64_t y = -reach; y <= reach; y += 1024)
      for (std::int64_t x = -reach; x <= reach; x += 1024) grid.push_back({x, y});
    const auto samples = *island(grid);
    for (std::size_t i = 0; i < grid.size(); ++i)
      if (samples[i].height_q4 > 0) dry.push_back(grid[i]);
    return dry;
  };
  const auto found = find_spawn_afar({}, island, survey);
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->block, (BlockPos{27648, 0})) << "the nearest of the survey's, and level";
  EXPECT_EQ(reaches, (std::vector<std::int64_t>{8192, 16384, 32768}));
  const auto nowhere = find_spawn_afar({.near = {}, .radius = 20000}, island, survey);
  ASSERT_TRUE(nowhere);
  EXPECT_FALSE(*nowhere);
  EXPECT_EQ(reaches.back(), 20000);
}

TEST(spawn, a_dry_spot_at_a_cliff_is_left_for_the_next_one) {
  const Sampler steep =
      land([](BlockPos p) { return p.x < 2000 ? static_cast<double>(p.x) * 3 : 6000.0; });
  const auto found = find_spawn_afar({}, steep, [](std::int64_t) -> Result<std::vector<BlockPos>> {
    return std::vector<BlockPos>{{2304, 0}, {1024, 0}, {1500, 0}};
  });
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->block, (BlockPos{2304, 0}));
}

TEST(spawn, an_error_of_the_server_comes_through) {
  const auto found =
      find_spawn_near({}, [](std::span<const BlockPos>) -> Result<std::vector<PointSample>> {
        return fail(ErrorCode::kOutOfRange, "outside");
      });
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kOutOfRange);
}

}  // namespace
}  // namespace terrane::cli
