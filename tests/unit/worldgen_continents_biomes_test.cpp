// The biomes of `continents`: all there, none everywhere, in patches and not confetti, and next to
// sensible neighbours. Every check prints its figures.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "unit/worldgen_continents_survey.h"

namespace terrane::testing {
namespace {

TEST(continents_biomes, none_fills_the_land) {
  const BiomeCounts biomes = count_biomes();
  for (const auto& [biome, count] : biomes.counts) {
    if (is_sea(biome)) continue;
    std::printf("check biome_share %-20s %6.2f %% of land\n", biome.name.c_str(),
                percent(count, biomes.land));
    EXPECT_LE(percent(count, biomes.land), 35) << biome.name;
  }
}

/// No biome of the first list may touch one of the second.
struct Forbidden {
  std::vector<std::string> one, other;
};

std::vector<Forbidden> forbidden_neighbours() {
  return {
      {{"Desert", "Savanna", "Badlands", "Jungle", "Monsoon Forest"},
       {"Glacier", "Snowy Peaks", "Tundra", "Snowy Taiga", "Frozen Sea", "Shingle Beach",
        "Cold Steppe", "Taiga", "Mire"}},
      {{"Desert", "Badlands"},
       {"Jungle", "Marsh", "Mire", "Monsoon Forest", "Temperate Rainforest"}},
      {{"Warm Shallows"}, {"Frozen Sea", "Glacier", "Tundra", "Snowy Taiga"}},
      {{"Plains", "Woodland", "Shrubland", "Marsh"},
       {"Glacier", "Tundra", "Snowy Taiga", "Frozen Sea"}},
      {{"Abyss", "Deep Ocean"},
       {"Beach", "Shingle Beach", "Plains", "Grassland", "Desert", "Jungle", "Tundra", "Marsh"}}};
}

TEST(continents_biomes, are_never_next_to_what_does_not_suit_them) {
  const worldgen::World world = continents();
  const auto id = [&](const std::string& name) {
    const auto found = std::find_if(world.biomes.begin(), world.biomes.end(),
                                    [&](const auto& b) { return b.name == name; });
    EXPECT_NE(found, world.biomes.end()) << name;
    return static_cast<std::uint8_t>(found - world.biomes.begin());
  };
  std::set<std::pair<std::uint8_t, std::uint8_t>> pairs;
  for (const auto& [one, other] : forbidden_neighbours()) {
    for (const std::string& a : one) {
      for (const std::string& b : other) pairs.insert(std::minmax({id(a), id(b)}));
    }
  }
  std::map<std::pair<std::uint8_t, std::uint8_t>, std::size_t> found;
  std::size_t adjacencies = 0, forbidden = 0;
  for (std::uint64_t k = 0; k < 4000; ++k) {
    const Map map = survey_map(world, k, 1, 0);
    for (int j = 0; j < map.size; ++j) {
      for (int i = 0; i + 1 < map.size; ++i) {
        for (const auto& [a, b] :
             {std::pair{map.at(i, j), map.at(i + 1, j)}, {map.at(j, i), map.at(j, i + 1)}}) {
          ++adjacencies;
          const auto pair = std::minmax({map.biome[a], map.biome[b]});
          if (map.biome[a] != map.biome[b] && pairs.count(pair) > 0) ++forbidden, ++found[pair];
        }
      }
    }
  }
  std::printf("check forbidden_neighbours: %zu of %zu adjacencies, %.2f in 100,000\n", forbidden,
              adjacencies, 1000 * percent(forbidden, adjacencies));
  for (const auto& [pair, count] : found) {
    std::printf("check forbidden_neighbours: %s next to %s: %zu\n",
                world.biomes[pair.first].name.c_str(), world.biomes[pair.second].name.c_str(),
                count);
  }
  EXPECT_LE(1000 * percent(forbidden, adjacencies), 1);
}

}  // namespace
}  // namespace terrane::testing
