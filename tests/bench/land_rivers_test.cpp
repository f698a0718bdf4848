// Drawn rivers and lakes of known shapes.
#include "bench/land_rivers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "bench/land_courses.h"
#include "bench/land_fit.h"
#include "bench/land_regions.h"
#include "bench/land_test_rig.h"
#include "bench/land_window.h"

namespace terrane::land {
namespace {

/// Draws everything closer than `half` blocks to a straight line.
void draw(Window& window, double x0, double y0, double x1, double y1, double half) {
  const double length = std::hypot(x1 - x0, y1 - y0);
  for (int j = 0; j < window.size; ++j) {
    for (int i = 0; i < window.size; ++i) {
      const double x = i * window.cell - x0, y = j * window.cell - y0;
      const double along = (x * (x1 - x0) + y * (y1 - y0)) / length;
      const double off = (y * (x1 - x0) - x * (y1 - y0)) / length;
      if (along >= 0 && along <= length && std::abs(off) < half)
        window.cover[window.at(i, j)] = Cover::kRiver;
    }
  }
}

Rivers rivers_on(const Window& window) { return rivers_of(window, mask_of(window, Cover::kRiver)); }

TEST(land_rivers, a_straight_river_is_one_arm_of_its_width) {
  Window window = flat_window(512, 2);
  draw(window, 60, 500, 900, 620, 8);
  const Rivers rivers = rivers_on(window);
  ASSERT_EQ(rivers.arms.size(), 1u);
  EXPECT_EQ(junctions_of(rivers).all, 0);
  EXPECT_NEAR(rivers.arms[0].half_width, 8, 1.5);
  const std::vector<double> bends = sinuosities(window, rivers, 256);
  ASSERT_EQ(bends.size(), 1u);
  EXPECT_NEAR(bends[0], 1, 0.01);
}

TEST(land_rivers, counts_the_arms_of_junctions) {
  Window three = flat_window(512, 2);
  draw(three, 60, 500, 500, 500, 8);
  draw(three, 480, 500, 900, 200, 8);
  draw(three, 480, 500, 900, 800, 8);
  EXPECT_EQ(junctions_of(rivers_on(three)).all, 1);
  EXPECT_EQ(junctions_of(rivers_on(three)).of_four, 0);
  draw(three, 500, 100, 500, 900, 8);
  EXPECT_EQ(junctions_of(rivers_on(three)).all, 1) << "close ones are one";
  EXPECT_EQ(junctions_of(rivers_on(three)).of_four, 1);
}

TEST(land_rivers, bulges_of_the_bank_are_no_arms) {
  Window window = flat_window(512, 2);
  draw(window, 60, 500, 900, 500, 8);
  draw(window, 400, 500, 404, 514, 5);
  EXPECT_EQ(rivers_on(window).arms.size(), 1u);
}

TEST(land_rivers, a_wave_has_its_sinuosity) {
  // y = a sin(kx) with a k = 1: 1.2160 by the elliptic integral of arc length
  Window window = flat_window(1024, 2);
  const double k = 2 * std::numbers::pi / 400;
  for (int i = 0; i < 4 * 950; ++i) {
    const double x = 60 + i / 4.0 * 2, y = 1000 + std::sin(k * x) / k;
    for (int b = -4; b <= 4; ++b)
      for (int a = -4; a <= 4; ++a)
        if (a * a + b * b <= 16)
          window.cover[window.at(static_cast<int>(x / 2) + a, static_cast<int>(y / 2) + b)] =
              Cover::kRiver;
  }
  const std::vector<double> bends = sinuosities(window, rivers_on(window), 256);
  ASSERT_EQ(bends.size(), 1u);
  EXPECT_NEAR(bends[0], 1.216, 0.015);
}

TEST(land_courses, chords_know_axes_diagonals_and_others) {
  struct Case {
    double degrees;
    int axes, diagonals, others;
  };
  for (const Case& c : {Case{5, 3, 0, 0}, Case{50, 0, 3, 0}, Case{22, 0, 0, 3}, Case{95, 3, 0, 0},
                        Case{135, 0, 3, 0}, Case{158, 0, 0, 3}}) {
    Window window = flat_window(1024, 2);
    const double angle = c.degrees * std::numbers::pi / 180;
    const double x = 820 * std::cos(angle), y = 820 * std::sin(angle);
    draw(window, 1024 - x, 1024 - y, 1024 + x, 1024 + y, 8);
    const Chords chords = chords_of(window, rivers_on(window), 512);
    EXPECT_EQ(chords.axes, c.axes) << c.degrees;
    EXPECT_EQ(chords.diagonals, c.diagonals) << c.degrees;
    EXPECT_EQ(chords.others, c.others) << c.degrees;
  }
}

TEST(land_courses, the_sides_of_a_square_are_all_axes) {
  Window window = flat_window(1024, 2);
  for (const double edge : {200.0, 1800.0}) {
    draw(window, 200, edge, 1800, edge, 8);
    draw(window, edge, 200, edge, 1800, 8);
  }
  draw(window, 1800, 1800, 1990, 1800, 8);  // rings without a node are left out
  const Chords chords = chords_of(window, rivers_on(window), 512);
  EXPECT_GE(chords.axes, 6);
  EXPECT_LE(chords.diagonals + chords.others, 4);  // those around a corner
}

TEST(land_courses, widths_grow_as_the_area_that_drains) {
  // a trough whose river is drawn 0.1 A^0.4 wide: A is 2,048 m across times the way from its head
  Window window = flat_window(1024, 2);
  for (int j = 0; j < 1024; ++j) {
    for (int i = 0; i < 1024; ++i) {
      const double x = i * 2, off = std::abs(j * 2 - 1024);
      window.z[window.at(i, j)] = static_cast<float>(0.1 * off + 0.01 * (2048 - x));
      if (x > 40 && off < 0.05 * std::pow(2048 * x, 0.4))
        window.cover[window.at(i, j)] = Cover::kRiver;
    }
  }
  wall_in(window, 4, true);
  // cut into reaches
  for (int cut = 100; cut < 1024; cut += 100)
    for (int j = 0; j < 1024; ++j)
      for (int i = cut; i < cut + 3; ++i) window.cover[window.at(i, j)] = Cover::kDry;
  const Window coarse = thinned(window, 2);
  const Widths widths = widths_of(window, rivers_on(window), coarse, flow_over(coarse), 64);
  const Line line = fit_power(widths.area, widths.width);
  EXPECT_GE(line.points, 8u);
  EXPECT_NEAR(line.slope, 0.4, 0.06);
  EXPECT_GT(line.r2, 0.95);
}

Window lake_of(const auto& inside) {
  Window window = flat_window(512, 2);
  for (int j = 0; j < 512; ++j)
    for (int i = 0; i < 512; ++i)
      if (inside(i * 2.0 - 511, j * 2.0 - 511)) window.cover[window.at(i, j)] = Cover::kLake;
  return window;
}

Shore only_shore(const Window& window) {
  const auto lakes = regions_of(window, mask_of(window, Cover::kLake), Through::kSides);
  EXPECT_EQ(lakes.size(), 1u);
  return shore_of(window, lakes.front(), 64);
}

TEST(land_lakes, a_circle_has_index_one_and_no_straight_shore) {
  for (const double radius : {80.0, 200.0}) {
    const Shore shore =
        only_shore(lake_of([&](double x, double y) { return std::hypot(x, y) < radius; }));
    EXPECT_NEAR(shore.index(), 1, 0.015) << radius;
    EXPECT_NEAR(shore.area, std::numbers::pi * radius * radius, 0.01 * shore.area);
    EXPECT_LT(shore.straight_share, 0.02) << radius;
  }
}

TEST(land_lakes, a_square_and_a_wavy_shore) {
  const Shore square = only_shore(
      lake_of([](double x, double y) { return std::abs(x) < 200 && std::abs(y) < 200; }));
  EXPECT_NEAR(square.index(), 2 / std::sqrt(std::numbers::pi), 0.02);
  EXPECT_GT(square.straight_share, 0.9);
  // r = 150 (1 + 0.3 cos 6 a): index 1.456, by numeric integration below
  const auto radius = [](double a) { return 150 * (1 + 0.3 * std::cos(6 * a)); };
  double length = 0, area = 0;
  for (int k = 0; k < 36000; ++k) {
    const double a = k * std::numbers::pi / 18000, b = a + std::numbers::pi / 18000;
    length += std::hypot(radius(b) - radius(a), radius(a) * (b - a));
    area += radius(a) * radius(a) / 2 * (b - a);
  }
  const Shore wavy = only_shore(
      lake_of([&](double x, double y) { return std::hypot(x, y) < radius(std::atan2(y, x)); }));
  EXPECT_NEAR(wavy.index(), length / (2 * std::sqrt(std::numbers::pi * area)), 0.03);
}

}  // namespace
}  // namespace terrane::land
