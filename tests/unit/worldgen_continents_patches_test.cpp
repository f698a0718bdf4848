// Which biomes of `continents` there are, and the patches that they lie in. Every check prints its
// figures.
#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "unit/worldgen_continents_survey.h"

namespace terrane::testing {
namespace {

TEST(continents_biomes, every_one_occurs) {
  const BiomeCounts biomes = count_biomes();
  for (const auto& [biome, count] : biomes.counts) {
    std::printf("check biome_occurs %-20s %6.3f %% of the world\n", biome.name.c_str(),
                percent(count, biomes.all));
    // Nodes of the drainage, where lakes are, lie between the samples of so wide maps: these are
    // counted below.
    EXPECT_TRUE(count > 0 || biome.water != worldgen::FreshWater::kNone) << biome.name;
  }
}

/// Sizes of the patches of one biome (samples joined by edges) whose first sample, row by row, lies
/// an eighth of the map away from its edges or more. So each patch of a world has the same chance
/// to be counted, whatever its size; one that the map's edge cuts counts as what is seen of it, at
/// least an eighth of the map long.
void add_patches(const Map& map, std::vector<std::vector<float>>& sizes) {
  std::vector<char> seen(map.biome.size());
  std::vector<std::size_t> patch;
  for (std::size_t start = 0; start < map.biome.size(); ++start) {
    if (seen[start]) continue;
    patch.assign(1, start);
    seen[start] = 1;
    for (std::size_t next = 0; next < patch.size(); ++next) {
      const int x = static_cast<int>(patch[next]) % map.size,
                y = static_cast<int>(patch[next]) / map.size;
      for (const auto& [i, j] : {std::pair{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}}) {
        if (i < 0 || j < 0 || i == map.size || j == map.size) continue;
        const std::size_t other = map.at(i, j);
        if (!seen[other] && map.biome[other] == map.biome[start])
          seen[other] = 1, patch.push_back(other);
      }
    }
    const int x = static_cast<int>(start) % map.size, y = static_cast<int>(start) / map.size,
              margin = map.size / 8;
    if (x < margin || y < margin || x >= map.size - margin || y >= map.size - margin) continue;
    sizes[map.biome[start]].push_back(static_cast<float>(patch.size()));
  }
}

TEST(continents_biomes, lie_in_patches_and_not_in_confetti) {
  const worldgen::World world = continents();
  std::vector<std::vector<float>> sizes(world.biomes.size());
  int maps = 0;
  for (std::uint64_t k = 0; maps < 40; ++k) {
    if (!is_mostly_land(world, k, 16, 0)) continue;
    ++maps;
    add_patches(survey_map(world, k, 16, 0), sizes);
  }
  std::vector<float> all;
  std::set<worldgen::FreshWater> waters;
  for (std::size_t b = 0; b < sizes.size(); ++b) {
    if (sizes[b].empty()) continue;
    waters.insert(world.biomes[b].water);
    all.insert(all.end(), sizes[b].begin(), sizes[b].end());
    std::printf(
        "check patch %-20s %5zu patches, quantiles 10%%: %.0f 25%%: %.0f 50%%: %.0f 75%%: %.0f "
        "samples\n",
        world.biomes[b].name.c_str(), sizes[b].size(), quantile(sizes[b], 0.1),
        quantile(sizes[b], 0.25), quantile(sizes[b], 0.5), quantile(sizes[b], 0.75));
  }
  std::printf(
      "check patch %-20s %5zu patches, quantiles 10%%: %.0f 25%%: %.0f 50%%: %.0f 75%%: %.0f "
      "samples\n",
      "(all)", all.size(), quantile(all, 0.1), quantile(all, 0.25), quantile(all, 0.5),
      quantile(all, 0.75));
  // villages, and rivers and roads where it freezes, are too rare for so few maps
  for (const auto water :
       {worldgen::FreshWater::kRiver, worldgen::FreshWater::kLake, worldgen::FreshWater::kRoad})
    EXPECT_TRUE(waters.contains(water)) << static_cast<int>(water);
  // By area: the cliffs of tablelands are narrow, and there are many of them.
  double land = 0, in_small = 0;
  for (const float size : all) {
    land += size;
    if (size < 400) in_small += size;
  }
  std::printf("check patch: %.2f %% of the land lies in patches of less than 400 samples\n",
              100 * in_small / land);
  EXPECT_LE(in_small / land, 0.01);
}

}  // namespace
}  // namespace terrane::testing
