// Drainage on land whose laws are known.
#include "bench/land_drainage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "bench/land_flow.h"
#include "bench/land_test_rig.h"
#include "bench/land_window.h"
#include "worldgen/noise/hash.h"

namespace terrane::land {
namespace {

/// A number of [0, 1) for each k.
double chance(std::uint64_t k) {
  return static_cast<double>(worldgen::noise::mix64(k + 1) >> 11) / 9007199254740992.0;
}

Window rough_window(int size, double cell) {
  Window window = flat_window(size, cell);
  for (std::size_t k = 0; k < window.z.size(); ++k) window.z[k] = static_cast<float>(chance(k));
  return window;
}

/// Land that has S = k A^-theta everywhere along its streams: a network that water has cut into
/// noise, with the heights rebuilt from the outlets up (a stream-power steady state, Whipple and
/// Tucker 1999), in the sea.
Window steady_land(int size, double cell, double theta) {
  Window window = rough_window(size, cell);
  put_in_sea(window, 1);
  for (int round = 0; round < 15; ++round) {
    const Flow flow = flow_over(window);
    for (const std::int32_t here : flow.order) {
      const auto k = static_cast<std::size_t>(here);
      if (flow.receiver[k] == kOutlet) continue;
      const auto down = static_cast<std::size_t>(flow.receiver[k]);
      const double slope = 20 * std::pow(static_cast<double>(flow.area[k]), -theta);
      window.z[k] = window.z[down] + static_cast<float>(slope * step_between(window, k, down));
    }
  }
  return window;
}

TEST(land_flow, a_plane_drains_straight_down_and_keeps_every_cell) {
  Window window = flat_window(64, 8);
  for (int j = 0; j < 64; ++j)
    for (int i = 0; i < 64; ++i) window.z[window.at(i, j)] = static_cast<float>(i);
  const Flow flow = flow_over(window);
  EXPECT_EQ(flow.receiver[window.at(10, 20)], static_cast<std::int32_t>(window.at(9, 20)));
  EXPECT_FLOAT_EQ(flow.area[window.at(0, 20)], 64 * 64);
  EXPECT_FLOAT_EQ(flow.length[window.at(0, 20)], 63 * 8);
  double drained = 0;
  for (std::size_t k = 0; k < window.z.size(); ++k)
    if (flow.receiver[k] == kOutlet) drained += static_cast<double>(flow.area[k]);
  EXPECT_DOUBLE_EQ(drained, 64.0 * 64 * 64);
}

TEST(land_flow, what_flows_in_over_the_edge_is_not_whole) {
  Window window = flat_window(64, 8);
  for (int j = 0; j < 64; ++j)
    for (int i = 0; i < 64; ++i) window.z[window.at(i, j)] = static_cast<float>(i);
  const Flow flow = flow_over(window);
  EXPECT_EQ(flow.complete[window.at(30, 20)], 0);  // from the upper edge
  window = steady_land(64, 8, 0.5);
  const Flow whole = flow_over(window);
  EXPECT_EQ(std::count(whole.complete.begin(), whole.complete.end(), 0), 0);
}

TEST(land_flow, the_sea_takes_what_comes) {
  Window window = rough_window(64, 8);
  window.cover[window.at(30, 30)] = Cover::kSea;
  window.z[window.at(30, 30)] = -5;
  const Flow flow = flow_over(window);
  EXPECT_EQ(flow.receiver[window.at(30, 30)], kOutlet);
  EXPECT_FLOAT_EQ(flow.area[window.at(30, 30)], 64);
}

TEST(land_drainage, finds_the_concavity_that_land_was_made_with) {
  for (const double theta : {0.3, 0.5}) {
    const Window window = steady_land(256, 8, theta);
    const Line line = slope_area(window, flow_over(window), 16, 1e4, 1e6);
    EXPECT_NEAR(-line.slope, theta, 0.05);
    EXPECT_GT(line.r2, 0.95);
  }
}

TEST(land_drainage, a_plane_has_no_concavity) {
  Window window = flat_window(256, 8);
  for (std::size_t k = 0; k < window.z.size(); ++k)
    window.z[k] = static_cast<float>(k % 256) * 0.8f + static_cast<float>(0.3 * chance(k));
  for (int i = 0; i < 256; ++i) window.z[window.at(i, 0)] = window.z[window.at(i, 255)] = 300;
  const Line line = slope_area(window, flow_over(window), 64, 1e3, 1e5);
  EXPECT_NEAR(line.slope, 0, 0.05);
}

TEST(land_drainage, networks_that_water_has_cut_keep_the_laws_of_hack_and_rodriguez_iturbe) {
  const Window window = steady_land(512, 8, 0.5);
  const Flow flow = flow_over(window);
  const Line lengths = hack(window, flow, 1e4, 1e6);
  EXPECT_GT(lengths.slope, 0.5);
  EXPECT_LT(lengths.slope, 0.64);
  EXPECT_GT(lengths.r2, 0.85);
  const double exceedance = -area_exceedance(window, flow, 1e3, 1e5).slope;
  EXPECT_GT(exceedance, 0.38);
  EXPECT_LT(exceedance, 0.5);
}

/// A trunk valley along x, with side valleys every `spacing` blocks.
Window combed_land(double spacing, bool with_valleys) {
  Window window = flat_window(256, 8);
  for (int j = 0; j < 256; ++j) {
    for (int i = 0; i < 256; ++i) {
      const double x = i * 8, y = std::abs(j - 128) * 8;
      const double off = std::abs(std::remainder(x, spacing));
      window.z[window.at(i, j)] =
          static_cast<float>(0.02 * x + 0.2 * y + (with_valleys && y > 0 ? 0.2 * off : 0));
    }
  }
  return window;
}

TEST(land_drainage, counts_side_valleys_and_not_parallel_flow) {
  const Window combed = combed_land(240, true);  // 8 valleys of 0.24 km² to each side, 4.2 km²
  const double density = side_valley_density(combed, flow_over(combed));
  EXPECT_NEAR(density, 16 / 4.194 * 10, 6);
  const Window plain = combed_land(240, false);
  SideValleys small;
  small.low = 1e3;
  EXPECT_EQ(side_valley_density(plain, flow_over(plain), small), 0);
}

}  // namespace
}  // namespace terrane::land
