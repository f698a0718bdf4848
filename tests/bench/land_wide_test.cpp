// Spectra, regions and how findings are summed up.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

#include "bench/land_measures.h"
#include "bench/land_regions.h"
#include "bench/land_spectrum.h"
#include "bench/land_window.h"
#include "worldgen/noise/hash.h"

namespace terrane::land {
namespace {

double chance(std::uint64_t k) {
  return static_cast<double>(worldgen::noise::mix64(k + 1) >> 11) / 9007199254740992.0;
}

TEST(land_spectrum, transforms_a_wave_into_one_line) {
  std::vector<std::complex<double>> values(64);
  for (std::size_t k = 0; k < 64; ++k)
    values[k] = std::cos(2 * std::numbers::pi * 5 * static_cast<double>(k) / 64);
  transform(values);
  for (std::size_t k = 0; k < 64; ++k)
    EXPECT_NEAR(std::abs(values[k]), k == 5 || k == 59 ? 32 : 0, 1e-9) << k;
}

/// Profiles whose power falls as k^-beta, with phases by chance.
std::vector<std::vector<double>> profiles_of(double beta) {
  std::vector<std::vector<double>> profiles;
  for (std::uint64_t p = 0; p < 16; ++p) {
    std::vector<std::complex<double>> waves(2048);
    for (std::size_t k = 1; k < 1024; ++k)
      waves[k] = std::polar(std::pow(static_cast<double>(k), -beta / 2),
                            2 * std::numbers::pi * chance(p * 4096 + k));
    transform(waves);
    std::vector<double> profile;
    for (const auto& value : waves) profile.push_back(value.real());
    profiles.push_back(profile);
  }
  return profiles;
}

TEST(land_spectrum, finds_the_exponent_that_profiles_were_made_with) {
  for (const double beta : {0.0, 1.0, 2.0, 3.0}) {
    const Line line = profile_spectrum(profiles_of(beta), 500, 30000, 300000);
    EXPECT_NEAR(-line.slope, beta, 0.15) << beta;
  }
}

TEST(land_regions, knows_parts_by_sides_and_corners) {
  Window window = flat_window(32, 100);
  Mask mask(window.z.size(), 0);
  for (int k = 2; k < 22; ++k) mask[window.at(k, k)] = 1;
  EXPECT_EQ(regions_of(window, mask, Through::kSides).size(), 20u);
  const auto parts = regions_of(window, mask, Through::kCorners);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_NEAR(extent_of(window, parts[0]), 1900 * std::sqrt(2.0), 15);
  EXPECT_FALSE(touches_edge(window, parts[0]));
}

TEST(land_measures, have_keys_of_their_own_and_say_how) {
  for (const Measure& a : measures()) {
    EXPECT_FALSE(a.how.empty()) << a.key;
    int same = 0;
    for (const Measure& b : measures()) same += a.key == b.key;
    EXPECT_EQ(same, 1) << a.key;
  }
}

const Found& row_of(const std::vector<Found>& rows, std::string_view key) {
  for (const Found& row : rows)
    if (row.measure->key == key) return row;
  ADD_FAILURE() << key;
  return rows.front();
}

TEST(land_measures, median_and_worst_of_what_is_asked) {
  Findings findings;
  for (const double value : {0.2, 0.45, 0.5, 0.62}) findings.add("concavity", value);
  findings.add_part("junctions", 1, 30);
  findings.add_part("junctions", 0, 20);
  settle(findings);
  const std::vector<Found> rows = sum_up(findings);
  const Found& concavity = row_of(rows, "concavity");
  EXPECT_DOUBLE_EQ(concavity.median, 0.475);
  EXPECT_DOUBLE_EQ(concavity.worst, 0.2);
  EXPECT_TRUE(concavity.holds);
  EXPECT_DOUBLE_EQ(row_of(rows, "junctions").median, 0.02);
  EXPECT_TRUE(row_of(rows, "junctions").holds);
  EXPECT_EQ(row_of(rows, "hack").windows, 0u);
  EXPECT_FALSE(row_of(rows, "hack").holds);
}

}  // namespace
}  // namespace terrane::land
