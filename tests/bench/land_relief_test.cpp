// Slopes, roughness, hypsometry and hollows of planes, cones and pits.
#include "bench/land_relief.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "bench/land_fit.h"
#include "bench/land_flow.h"
#include "bench/land_test_rig.h"
#include "bench/land_window.h"

namespace terrane::land {
namespace {

template <typename Height>
Window window_of(int size, double cell, Height height) {
  Window window = flat_window(size, cell);
  for (int j = 0; j < size; ++j)
    for (int i = 0; i < size; ++i)
      window.z[window.at(i, j)] = static_cast<float>(height(i * cell, j * cell));
  return window;
}

TEST(land_fit, finds_lines_quantiles_and_medians) {
  const Line line = fit_power({1, 10, 100, 1000}, {3, 30, 300, 3000});
  EXPECT_NEAR(line.slope, 1, 1e-9);
  EXPECT_NEAR(line.offset, std::log10(3), 1e-9);
  EXPECT_NEAR(line.r2, 1, 1e-9);
  EXPECT_EQ(fit_line({1, 2}, {1, 2}).slope, 0) << "too few points";
  EXPECT_DOUBLE_EQ(quantile({4, 1, 3, 2, 5}, 0.5), 3);
  EXPECT_DOUBLE_EQ(quantile({1, 2}, 0.25), 1.25);
  const Binned bins = binned_medians({1, 1.1, 1.2, 50}, {5, 6, 7, 8}, 1, 3);
  EXPECT_EQ(bins.y, std::vector<double>{6});
}

TEST(land_relief, a_plane_has_one_slope) {
  const double degrees = 12, fall = std::tan(degrees * std::numbers::pi / 180);
  const Window plane =
      window_of(64, 8, [&](double x, double y) { return fall * (0.6 * x + 0.8 * y); });
  const std::vector<double> all = slopes(plane);
  EXPECT_EQ(all.size(), 62u * 62u);
  for (const double slope : all) EXPECT_NEAR(slope, degrees, 0.01);
  EXPECT_EQ(share_within(all, 5, 20), 1);
  EXPECT_EQ(share_within(all, 20, 90), 0);
  EXPECT_NEAR(quantile(slopes(averaged(plane, 8)), 0.5), degrees, 0.01);
}

TEST(land_relief, roughness_takes_the_plane_off) {
  const Window plane = window_of(64, 8, [](double x, double y) { return 3 * x - y; });
  for (const double rough : roughness(plane, 32)) EXPECT_NEAR(rough, 0, 0.01);
  const Window waves = window_of(
      64, 8, [](double x, double y) { return x + y + 5 * std::sin(x * std::numbers::pi / 16); });
  for (const double rough : roughness(waves, 32)) EXPECT_NEAR(rough, 5 / std::sqrt(2), 0.1);
}

TEST(land_relief, integrals_of_a_plane_and_a_cone) {
  const Window plane = window_of(64, 8, [](double x, double) { return x; });
  EXPECT_NEAR(hypsometric_integral(plane), 0.5, 0.01);
  Window cone =
      window_of(256, 8, [](double x, double y) { return 1000 - std::hypot(x - 1024, y - 1024); });
  for (std::size_t k = 0; k < cone.z.size(); ++k)
    if (cone.z[k] < 0) cone.cover[k] = Cover::kSea;
  EXPECT_NEAR(hypsometric_integral(cone), 1.0 / 3, 0.01);
}

TEST(land_relief, the_basin_of_a_valley_has_the_integral_of_its_sides) {
  // a trough of even sides that falls a little to its mouth
  Window trough =
      window_of(128, 8, [](double x, double y) { return 0.5 * std::abs(y - 512) + 0.0001 * x; });
  wall_in(trough, 1, false);
  const std::vector<double> integrals = basin_integrals(trough, flow_over(trough), 5e5, 1e7);
  ASSERT_EQ(integrals.size(), 1u);
  EXPECT_NEAR(integrals.front(), 0.5, 0.02);
}

TEST(land_relief, counts_pits_by_their_depth_and_only_dry_ones) {
  Window window = window_of(128, 8, [](double x, double) { return 100 + 0.01 * x; });
  const auto dig = [&](int i, int j, float depth, Cover cover) {
    window.z[window.at(i, j)] -= depth;
    window.cover[window.at(i, j)] = cover;
  };
  dig(20, 20, 10, Cover::kDry);
  dig(60, 60, 4, Cover::kDry);
  dig(90, 30, 2, Cover::kDry);
  dig(30, 90, 10, Cover::kLake);
  const Hollows hollows = dry_hollows(window, flow_over(window), 3);
  EXPECT_EQ(hollows.dry, 2);
  EXPECT_NEAR(hollows.deepest, 10, 0.2);
  EXPECT_NEAR(hollows.land_km2, 1.024 * 1.024, 1e-9);
}

TEST(land_relief, relief_counts_the_sea_as_nothing) {
  Window window = window_of(32, 8, [](double x, double) { return x - 100; });
  for (std::size_t k = 0; k < window.z.size(); ++k)
    if (window.z[k] < 0) window.cover[k] = Cover::kSea;
  EXPECT_DOUBLE_EQ(relief_of(window, 0, 0, 32), 148);
}

}  // namespace
}  // namespace terrane::land
