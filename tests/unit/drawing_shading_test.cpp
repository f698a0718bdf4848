#include <gtest/gtest.h>

#include "drawing/color.h"
#include "drawing/shading.h"

namespace terrane::drawing {
namespace {

HeightGrid plane(double east, double south, int size = 20) {
  HeightGrid grid{size, size, 4.0, {}};
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x)
      grid.blocks.push_back(static_cast<float>((x * east + y * south) * grid.spacing));
  }
  return grid;
}

TEST(shading, flat_ground_has_uniform_light_of_one) {
  const HeightGrid grid = plane(0, 0);
  for (int y = 0; y < grid.height; ++y) {
    for (int x = 0; x < grid.width; ++x) EXPECT_DOUBLE_EQ(hillshade(slope_at(grid, x, y)), 1.0);
  }
}

TEST(shading, the_slope_of_a_plane_is_found_whatever_the_spacing) {
  const Slope slope = slope_at(plane(0.5, -0.25), 10, 10);
  EXPECT_NEAR(slope.east, 0.5, 1e-6);
  EXPECT_NEAR(slope.south, -0.25, 1e-6);
}

TEST(shading, a_slope_facing_the_north_west_is_brighter_than_one_facing_away) {
  for (const double rise : {0.05, 0.3, 0.7}) {
    // rises to the south-east, so it faces the north-west
    const double towards_sun = hillshade({rise, rise});
    const double away = hillshade({-rise, -rise});
    EXPECT_GT(towards_sun, 1.0) << rise;
    EXPECT_LT(away, 1.0) << rise;
  }
}

TEST(shading, west_and_north_slopes_are_brighter_than_east_and_south_slopes) {
  EXPECT_GT(hillshade({0.4, 0}), hillshade({-0.4, 0}));
  EXPECT_GT(hillshade({0, 0.4}), hillshade({0, -0.4}));
}

TEST(shading, slopes_that_face_away_darken_the_steeper_they_are_and_never_turn_negative) {
  double before = 1;
  for (const double rise : {0.1, 0.3, 0.6, 1.0, 3.0, 30.0}) {
    const double light = hillshade({-rise, -rise});
    EXPECT_LT(light, before);
    EXPECT_GE(light, 0.0);
    before = light;
  }
}

TEST(shading, more_light_makes_a_colour_lighter) {
  const Color grass = from_rgb(0x6f9f5d);
  double before = 0;
  for (const double shade : {0.2, 0.6, 0.9, 1.0, 1.1, 1.3}) {
    const double now = lightness(lit(grass, shade));
    EXPECT_GT(now, before) << shade;
    before = now;
  }
  EXPECT_EQ(to_rgb(lit(grass, 1.0)), 0x6f9f5du) << "flat ground keeps its colour";
}

TEST(shading, rock_shows_on_steep_ground_only) {
  const Color grass = from_rgb(0x6f9f5d);
  EXPECT_EQ(to_rgb(with_rock(grass, {0.1, 0.1})), 0x6f9f5du);
  EXPECT_NE(to_rgb(with_rock(grass, {2.0, 0})), 0x6f9f5du);
}

TEST(shading, smoothing_keeps_flat_ground_flat_and_lowers_a_peak) {
  HeightGrid grid = plane(0, 0);
  EXPECT_EQ(smoothed(grid, 3).blocks, grid.blocks);
  grid.blocks[10 * 20 + 10] = 100;
  const HeightGrid smooth = smoothed(grid, 3);
  EXPECT_LT(smooth.at(10, 10), 20);
  EXPECT_GT(smooth.at(12, 10), 0);
  EXPECT_EQ(smooth.at(12, 10), smooth.at(10, 12)) << "alike in x and y";
}

TEST(shading, deeper_water_is_darker) {
  double before = 2;
  for (const double depth : {0.0, 1.0, 5.0, 20.0, 60.0, 120.0}) {
    const double now = lightness(water_color(depth, 120));
    EXPECT_LT(now, before) << depth;
    before = now;
  }
}

TEST(color, ramps_hold_their_stops_and_their_ends) {
  const Stop stops[] = {{0, 0x000000}, {10, 0x0000ff}, {20, 0xffffff}};
  EXPECT_EQ(to_rgb(ramp(stops, -5)), 0x000000u);
  EXPECT_EQ(to_rgb(ramp(stops, 10)), 0x0000ffu);
  EXPECT_EQ(to_rgb(ramp(stops, 15)), 0x8080ffu);
  EXPECT_EQ(to_rgb(ramp(stops, 99)), 0xffffffu);
}

TEST(color, dry_ground_is_lighter_than_wet) {
  double before = 2;
  for (const double percent : {0.0, 20.0, 40.0, 60.0, 80.0, 100.0}) {
    EXPECT_LT(lightness(humidity_color(percent)), before) << percent;
    before = lightness(humidity_color(percent));
  }
}

}  // namespace
}  // namespace terrane::drawing
