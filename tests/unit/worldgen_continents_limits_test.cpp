// `continents` with parameters at the limits that its schema allows: the laws hold there too.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "unit/worldgen_continents_survey.h"
#include "worldgen/terrains/continents/network.h"
#include "worldgen/terrains/continents/ranking.h"

namespace terrane::testing {
namespace {

using worldgen::ContinentsTerrain;
using worldgen::World;
using worldgen::noise::SimdTarget;

/// Everything large: the widest bends, the highest land, the finest noises, nodes as close as they
/// may be.
ContinentsTerrain largest() {
  ContinentsTerrain t = continents_terrain();
  t.land.warp_amplitude = 4096;
  t.land.warp = {{1, 1024}, 11, 1.0f};
  t.land.shape = {{1, 32768}, 16, 1.0f};
  t.land.coast = {{1, 32768}, 16, 1.0f};
  t.land.coast_amplitude = 1;
  const worldgen::CurvePoint floor[] = {{-1, -2000}, {0, 0}, {1, 2000}};
  t.land.floor = worldgen::curve_through(floor);
  t.land.inland = worldgen::rank_inland(t.land, 0.95);
  t.drainage.spacing = 256;
  t.drainage.jitter = 0.24f;
  t.drainage.reach = 256;
  t.drainage.meander = {{1024, 1024}, 1, 1.0f};
  t.drainage.meander_amplitude = 256;
  t.drainage.bed_width = 512;
  t.relief.mountain_threshold = -1;
  t.relief.mountain_height = 1500;
  t.relief.ridges = {{1, 32768}, 16, 1.0f};
  t.relief.hills = {{1, 1}, 1, 1.0f};
  t.relief.hill_height_low = t.relief.hill_height_high = 500;
  t.relief.valley_width = 1000;
  t.relief.valley_widening = 20;
  t.gullies = {{1, 128}, 8, 1.0f, 200, 0.01f};
  t.landforms = {{{1, 32768}, 16, 1.0f}, 0, 100, 300, 2, 50, 16, {{1, 1}, 1, 1.0f}};
  t.climate.temperature_low = -200;
  t.climate.temperature_high = 200;
  t.climate.lapse_rate = 0.5f;
  t.climate.wind_reach = 16384;
  t.climate.border_temperature = 20;
  t.climate.border_humidity = 50;
  t.ground = {{{1, 1}, 1, 1.0f}, 20, 20};
  return t;
}

/// Everything small or none at all, and nodes as far apart as they may be.
ContinentsTerrain smallest() {
  ContinentsTerrain t = continents_terrain();
  t.land.warp_amplitude = 0;
  t.land.shape = {{1, 1048576}, 1, 0.01f};
  t.land.coast_amplitude = 0;
  t.land.inland = worldgen::rank_inland(t.land, 0.05);
  t.drainage.spacing = 4096;
  t.drainage.jitter = 0;
  t.drainage.reach = 1024;
  t.drainage.meander_amplitude = 0;
  t.drainage.bed_width = 4;
  t.relief.mountain_threshold = 1;
  t.relief.mountain_range = 0.01f;
  t.relief.mountain_height = 0;
  t.relief.ridge_share = 0;
  t.relief.hill_height_low = t.relief.hill_height_high = 0;
  t.relief.valley_width = 1;
  t.relief.valley_widening = 0;
  t.gullies.octaves = 0;
  t.landforms.table_height = t.landforms.dune_height = 0;
  t.climate.lapse_rate = 0;
  t.climate.wind_reach = 64;
  t.ground.amplitude_low = t.ground.amplitude_high = 0;
  return t;
}

struct Case {
  std::string name;
  World world;
};

/// Both, in the smallest and the largest chunks, with the highest level of detail that the nodes'
/// spacing allows.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& [name, terrain] :
       {std::pair<std::string, ContinentsTerrain>{"largest", largest()},
        {"smallest", smallest()}}) {
    for (const int size : {16, 128}) {
      World world = continents(size);
      world.terrain = terrain;
      EXPECT_TRUE(worldgen::build_biome_tables(world));
      world.max_lod = 0;
      while (world.max_lod < kMaxLod &&
             (size << (world.max_lod + 1)) <= 64 * terrain.drainage.spacing)
        ++world.max_lod;
      all.push_back({name + " in chunks of " + std::to_string(size), std::move(world)});
    }
  }
  return all;
}

constexpr std::uint64_t kSeed = ~std::uint64_t{0};

Chunk make(const World& world, ChunkCoord coord, Lod lod, SimdTarget target) {
  return worldgen::generate(world, kSeed, coord, lod, target);
}

TEST(continents_limits, all_targets_agree_and_keep_to_the_declared_ranges) {
  for (const auto& [name, world] : cases()) {
    for (const Lod lod : {Lod{0}, Lod{2}, static_cast<Lod>(world.max_lod / 2), world.max_lod}) {
      const std::int64_t far = max_chunk_coord(lod);
      for (const ChunkCoord coord : {ChunkCoord{0, 0}, {-far, far}}) {
        const Chunk expected = make(world, coord, lod, SimdTarget::kScalar);
        for (const SimdTarget target : worldgen::noise::supported_targets()) {
          ASSERT_EQ(make(world, coord, lod, target), expected)
              << name << ", lod " << int{lod} << " on " << to_string(target);
        }
        for (std::size_t i = 0; i < expected.biome.size(); ++i) {
          ASSERT_TRUE(expected.height_q4[i] >= world.ranges.height_q4.min &&
                      expected.height_q4[i] <= world.ranges.height_q4.max);
          ASSERT_TRUE(expected.temperature_d[i] >= world.ranges.temperature_d.min &&
                      expected.temperature_d[i] <= world.ranges.temperature_d.max);
          ASSERT_TRUE(expected.humidity_d[i] >= 0 && expected.humidity_d[i] <= 1000);
          ASSERT_LT(expected.biome[i], world.biomes.size());
        }
      }
    }
  }
}

TEST(continents_limits,
     temperatures_may_be_given_either_way_round_and_all_land_may_lie_below_the_sea) {
  std::vector<ContinentsTerrain> terrains(4, continents_terrain());
  for (ContinentsTerrain& terrain : terrains)
    std::swap(terrain.climate.temperature_low, terrain.climate.temperature_high);
  terrains[1].climate.lapse_rate = 0;
  const worldgen::CurvePoint deep[] = {{-1, -2000}, {1, -1000}};
  terrains[2].land.floor = terrains[3].land.floor = worldgen::curve_through(deep);
  terrains[3].relief.mountain_height = terrains[3].relief.hill_height_high =
      terrains[3].relief.hill_height_low = 0;
  terrains[3].climate.lapse_rate = 0.5f;
  for (const ContinentsTerrain& terrain : terrains) {
    World world = continents();
    world.structures.reset();
    world.terrain = terrain;
    ASSERT_TRUE(worldgen::build_biome_tables(world));
    for (const Lod lod : {Lod{0}, Lod{5}}) {
      const Chunk chunk = make(world, {3, -7}, lod, SimdTarget::kScalar);
      for (const std::int16_t temperature : chunk.temperature_d) {
        ASSERT_GE(temperature, world.ranges.temperature_d.min);
        ASSERT_LE(temperature, world.ranges.temperature_d.max);
      }
    }
  }
}

TEST(continents_limits, levels_nest) {
  for (const auto& [name, world] : cases()) {
    const SimdTarget target = worldgen::noise::supported_targets().back();
    const int size = world.chunk_size;
    for (Lod lod = 1; lod <= world.max_lod; ++lod) {
      for (const ChunkCoord coord :
           {ChunkCoord{0, 0}, {-3, 5}, {max_chunk_coord(lod), -max_chunk_coord(lod)}}) {
        const Chunk coarse = make(world, coord, lod, target);
        const Chunk fine =
            make(world, {coord.x * 2, coord.y * 2}, static_cast<Lod>(lod - 1), target);
        for (int j = 0; j < size / 2; ++j) {
          for (int i = 0; i < size / 2; ++i) {
            const int at = j * size + i, at_fine = 2 * j * size + 2 * i;
            const auto c = static_cast<std::size_t>(at), f = static_cast<std::size_t>(at_fine);
            ASSERT_EQ(coarse.height_q4[c], fine.height_q4[f]) << name << ", lod " << int{lod};
            ASSERT_EQ(coarse.temperature_d[c], fine.temperature_d[f])
                << name << ", lod " << int{lod};
            ASSERT_EQ(coarse.humidity_d[c], fine.humidity_d[f]) << name << ", lod " << int{lod};
            ASSERT_EQ(coarse.biome[c], fine.biome[f]) << name << ", lod " << int{lod};
          }
        }
      }
    }
  }
}

TEST(continents_limits, shores_far_from_a_lakes_middle_are_the_same_in_chunks_of_any_size) {
  ContinentsTerrain terrain = continents_terrain();
  terrain.land.inland = worldgen::rank_inland(terrain.land, 0.95);
  terrain.land.warp_amplitude = terrain.drainage.meander_amplitude = 0;
  terrain.drainage.spacing = 256;
  terrain.drainage.reach = 64;
  terrain.rivers.smallest_lake = terrain.rivers.largest_lake = 512;
  World small = continents(16), large = continents(128);
  for (World* const world : {&small, &large}) {
    world->structures.reset();
    world->terrain = terrain;
    ASSERT_TRUE(worldgen::build_biome_tables(*world));
  }
  const SimdTarget target = worldgen::noise::supported_targets().back();
  worldgen::Scratch scratch;
  const worldgen::GridContext context{{{0, 0}, 1, 16, 1}, kSeed, target, &scratch};
  const worldgen::continents::Network network =
      worldgen::continents::network_in({terrain.land,
                                        terrain.drainage,
                                        terrain.rivers,
                                        terrain.relief,
                                        terrain.drainage.levels - 1,
                                        {0, 0, 320, 320}},
                                       context);
  std::size_t chunks = 0;
  for (const auto& lake : network.lakes) {
    if (lake.radius < 500) continue;
    for (std::int64_t away = 600; away < 920; away += 64, ++chunks) {
      const ChunkCoord coord{floor_div(lake.x + away, std::int64_t{16}),
                             floor_div(lake.y, std::int64_t{16})};
      const ChunkCoord around{floor_div(coord.x, std::int64_t{8}),
                              floor_div(coord.y, std::int64_t{8})};
      const Chunk piece = make(small, coord, 0, target), whole = make(large, around, 0, target);
      const std::int64_t left = 16 * (coord.x - 8 * around.x), top = 16 * (coord.y - 8 * around.y);
      for (std::int64_t k = 0; k < 256; ++k) {
        ASSERT_EQ(piece.height_q4[static_cast<std::size_t>(k)],
                  whole.height_q4[static_cast<std::size_t>(128 * (top + k / 16) + left + k % 16)])
            << away << " blocks from " << lake.x << ", " << lake.y;
      }
    }
  }
  EXPECT_GT(chunks, 40u);
}

}  // namespace
}  // namespace terrane::testing
