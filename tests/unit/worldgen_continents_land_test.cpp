// What the land of `continents` is like, counted over places spread over seeds and coordinates: how
// high, how steep, facing where. Every check prints its figures.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "unit/worldgen_continents_survey.h"

namespace terrane::testing {
namespace {

TEST(continents_land, its_share_is_the_presets) {
  const double declared = 100 * continents_parameter({"continents", "land", "land_share"}).number;
  std::size_t land = 0, all = 0;
  std::vector<float> shares, heights;
  for (const Map& map : wide_maps()) {
    std::size_t here = 0;
    for (std::size_t k = 0; k < map.height.size(); ++k) here += map.is_land(k);
    land += here, all += map.height.size();
    shares.push_back(static_cast<float>(percent(here, map.height.size())));
    heights.insert(heights.end(), map.height.begin(), map.height.end());
  }
  std::printf(
      "check land_share: %.2f %% of %zu samples in 64 windows (%.1f to %.1f %% each), preset %.0f "
      "%%\n",
      percent(land, all), all, quantile(shares, 0), quantile(shares, 1), declared);
  std::printf("check height_quantiles:");
  for (const double share : {0.0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1.0}) {
    std::printf(" %.1f%%: %.1f", 100 * share, quantile(heights, share));
  }
  std::printf(" blocks\n");
  EXPECT_NEAR(percent(land, all), declared, 2);
}

/// The preset's floor at an inland value, straight between its points.
double floor_at(double inland) {
  const worlds::JsonValue points = continents_parameter({"continents", "land", "floor"});
  // 0: at, 1: value
  const auto number = [&](std::size_t k, std::size_t field) {
    return points.items[k].items[field].number;
  };
  std::size_t k = 1;
  while (k + 1 < points.items.size() && number(k, 0) < inland) ++k;
  return std::lerp(number(k - 1, 1), number(k, 1),
                   (inland - number(k - 1, 0)) / (number(k, 0) - number(k - 1, 0)));
}

TEST(continents_land, heights_are_spread_as_the_presets_floor_says) {
  std::vector<float> sea, land;
  for (const Map& map : wide_maps()) {
    for (std::size_t k = 0; k < map.height.size(); ++k)
      (map.is_land(k) ? land : sea).push_back(map.height[k]);
  }
  // Inland is a rank: a quarter of the sea has inland below -0.75. The coast's noise blurs it, and
  // hills lie on the bed.
  for (const double share : {0.25, 0.5, 0.75}) {
    const double depth = quantile(sea, share), expected = floor_at(share - 1);
    std::printf(
        "check sea_depth: %.0f %% of the sea lies below %.1f blocks, the preset's floor is %.1f\n",
        100 * share, depth, expected);
    EXPECT_NEAR(depth, expected, 12);
  }
  // On land it is how high land may be; how high it is says what drains it.
  for (const double share : {0.05, 0.5, 0.95}) {
    const double height = quantile(land, share), highest = floor_at(share);
    std::printf(
        "check land_height: %.0f %% of the land lies below %.1f blocks, the preset's floor is "
        "%.1f\n",
        100 * share, height, highest);
    EXPECT_LE(height, highest);
  }
  EXPECT_GT(quantile(land, 0.5), 30);
  EXPECT_GT(quantile(land, 0.95), 180);
}

double degrees(double rise) { return std::atan(rise) * 180 / 3.14159265358979323846; }

TEST(continents_land, plains_are_walkable_and_there_are_cliffs) {
  worldgen::World world = continents();
  world.structures.reset();  // fields take the gentlest ground of each biome
  std::vector<std::vector<float>> slopes(world.biomes.size());
  std::vector<float> all;
  for (std::uint64_t k = 0; k < 4000; ++k) {
    const Map map = survey_map(world, k, 1, 0);
    for (int j = 1; j + 1 < map.size; j += 3) {
      for (int i = 1; i + 1 < map.size; i += 3) {
        if (!map.is_land(map.at(i, j))) continue;
        const float dx = map.height[map.at(i + 1, j)] - map.height[map.at(i - 1, j)];
        const float dy = map.height[map.at(i, j + 1)] - map.height[map.at(i, j - 1)];
        const auto slope = static_cast<float>(degrees(0.5 * std::sqrt(dx * dx + dy * dy)));
        slopes[map.biome[map.at(i, j)]].push_back(slope);
        all.push_back(slope);
      }
    }
  }
  const auto print = [](const std::string& name, std::vector<float>& of) {
    const auto gentle = static_cast<std::size_t>(
        std::count_if(of.begin(), of.end(), [](float s) { return s < 10; }));
    std::printf(
        "check slope %-20s %7zu samples, under 10 deg %5.1f %%, quantiles 10%%: %.1f 50%%: %.1f "
        "90%%: %.1f 99%%: %.1f deg\n",
        name.c_str(), of.size(), percent(gentle, of.size()), quantile(of, 0.1), quantile(of, 0.5),
        quantile(of, 0.9), quantile(of, 0.99));
    return percent(gentle, of.size());
  };
  std::map<std::string, double> gentle;
  for (std::size_t b = 0; b < slopes.size(); ++b) {
    if (!slopes[b].empty()) gentle[world.biomes[b].name] = print(world.biomes[b].name, slopes[b]);
  }
  print("(all land)", all);
  const auto cliffs = static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [](float s) { return s > 45; }));
  std::printf("check cliffs: %.3f %% of land is steeper than 45 deg\n",
              percent(cliffs, all.size()));
  EXPECT_GT(percent(cliffs, all.size()), 0.1);
  for (const char* name : {"Plains", "Grassland", "Steppe", "Savanna", "Marsh"})
    EXPECT_GE(gentle[name], 57) << name;
}

/// The direction in which a map rises, by a plane fitted to it; bin of 16, or -1 for level ground.
int rising_bin(const Map& map) {
  double x = 0, y = 0;
  const double middle = 0.5 * (map.size - 1);
  for (int j = 0; j < map.size; ++j) {
    for (int i = 0; i < map.size; ++i) {
      x += (i - middle) * map.height[map.at(i, j)];
      y += (j - middle) * map.height[map.at(i, j)];
    }
  }
  if (x == 0 && y == 0) return -1;
  const double turn = std::atan2(y, x) / (2 * 3.14159265358979323846) + 1;
  // Bins centred on the axes and diagonals, where a lattice would show.
  return static_cast<int>(std::floor(turn * 16 + 0.5)) % 16;
}

TEST(continents_land, rises_towards_all_sides_alike) {
  const worldgen::World world = continents(16);
  for (const auto& [lod, places] : {std::pair<Lod, std::uint64_t>{0, 40000}, {3, 90000}}) {
    std::array<std::size_t, 16> bins{};
    std::size_t total = 0;
    for (std::uint64_t k = 0; k < places; ++k) {
      // nine from hillside to hillside, as the first of each nine costs most
      const auto apart = static_cast<std::int64_t>(512 / world.chunk_size) >> lod;
      const auto part = static_cast<std::int64_t>(k % 9);
      const ChunkCoord first = survey_chunk(k / 9, lod);
      const Map map =
          map_from(world, k / 9, {first.x + part % 3 * apart, first.y + part / 3 * apart}, 1, lod);
      const bool land =
          std::all_of(map.height.begin(), map.height.end(), [](float h) { return h >= 0; });
      const int bin = land ? rising_bin(map) : -1;
      if (bin >= 0) ++bins[static_cast<std::size_t>(bin)], ++total;
    }
    std::printf(
        "check isotropy over %d blocks: %zu places, each of 16 directions against its share:",
        16 << lod, total);
    double worst = 0;
    for (const std::size_t count : bins) {
      const double off = 16.0 * percent(count, total) - 100;
      worst = std::abs(off) > std::abs(worst) ? off : worst;
      std::printf(" %+.1f", off);
    }
    std::printf(" %%, worst %+.1f %%\n", worst);
    EXPECT_LE(std::abs(worst), 10);
  }
}

}  // namespace
}  // namespace terrane::testing
