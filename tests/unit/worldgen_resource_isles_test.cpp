// The rules of `resource_isles` against independently written small versions; the laws of all
// worlds are in worldgen_worlds_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "support/noise_reference.h"
#include "worldgen/generate.h"
#include "worldgen/noise/hash.h"
#include "worldgen/terrains/resource_isles/island.h"
#include "worldgen/terrains/resource_isles/land_mask.h"

namespace terrane::worldgen {
namespace {

constexpr std::uint64_t kSeed = 17;

ResourceIslesTerrain terrain(bool tidy) {
  ResourceIslesTerrain t;
  t.cell = 96;
  t.smallest_extent = 24;
  t.largest_extent = 46;
  t.height = {{1, 10}, 1, 0.5f};
  t.forest = {{3, 20}, 1, 0.5f};
  t.rocks = {{7, 10}, 1, 0.5f};
  t.water_below = kTileOne / 4;
  t.mountain_from = 3 * kTileOne / 4;
  t.forest_below = 3 * kTileOne / 10;
  t.rocks_below = kTileOne / 5;
  t.rocks_below_on_mountain = rocks_limit_on_mountain(t.rocks, t.rocks_below, 2.5);
  t.shallows = kTileOne / 3;
  t.amplitude_q4 = 400;
  t.tidy = tidy;
  t.land_min = 96 * 96 / 20;
  t.land_max = 96 * 96 / 2;
  t.climate = {{{1, 1000}, 4, 0.5f}, {{3, 1000}, 4, 0.5f}, -100, 350, 0.02f};
  t.resources = {{0, 0, 1u << 28, 1u << 31, 0, 0},
                 {1u << 26, 0, 1u << 28, 0, std::uint64_t{1} << 32, 1u << 30}};
  return t;
}

World world_of(const ResourceIslesTerrain& t, int chunk_size = 64) {
  World world;
  world.chunk_size = chunk_size;
  world.max_lod = 8;
  world.terrain = t;
  world.ranges = layer_ranges(world.terrain);
  world.biomes.resize(kTileKinds);
  world.biome_table = BiomeTable::build(world.biomes, world.ranges).value();
  return world;
}

Chunk make(const World& world, ChunkCoord coord, Lod lod = 0, std::uint64_t seed = kSeed) {
  return generate(world, seed, coord, lod, noise::supported_targets().back());
}

bool is_land(Tile tile) { return tile != Tile::kWater && tile != Tile::kOcean; }

/// The tiles of a square of chunks.
struct Tiles {
  BlockPos origin;
  int size = 0;
  std::vector<Tile> tiles;
  std::vector<std::int32_t> height_q4;

  Tiles(const World& world, ChunkCoord first, int chunks)
      : origin(chunk_origin(first, world.chunk_size, 0)), size(chunks * world.chunk_size) {
    tiles.resize(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
    height_q4.resize(tiles.size());
    for (int c = 0; c < chunks * chunks; ++c) {
      const Chunk chunk = make(world, {first.x + c % chunks, first.y + c / chunks});
      for (int k = 0; k < chunk.size * chunk.size; ++k) {
        const int x = c % chunks * chunk.size + k % chunk.size,
                  y = c / chunks * chunk.size + k / chunk.size;
        tiles[static_cast<std::size_t>(y * size + x)] =
            static_cast<Tile>(chunk.biome[static_cast<std::size_t>(k)]);
        height_q4[static_cast<std::size_t>(y * size + x)] =
            chunk.height_q4[static_cast<std::size_t>(k)];
      }
    }
  }
  [[nodiscard]] Tile at(std::int64_t x, std::int64_t y) const {
    return tiles[static_cast<std::size_t>((y - origin.y) * size + (x - origin.x))];
  }
  [[nodiscard]] bool holds(std::int64_t x, std::int64_t y) const {
    return x >= origin.x && y >= origin.y && x < origin.x + size && y < origin.y + size;
  }
};

/// The cells that lie in a square of tiles as a whole.
std::vector<Island> cells_within(const ResourceIslesTerrain& t, const Tiles& tiles) {
  const IslandCells cells(t, kSeed, noise::SimdTarget::kScalar);
  std::vector<Island> islands;
  for (std::int64_t row = cells.row_of(tiles.origin.y);
       row <= cells.row_of(tiles.origin.y + tiles.size); ++row) {
    const std::int64_t first = floor_div(tiles.origin.x + cells.shift_of(row), t.cell);
    for (std::int64_t column = first; column <= first + tiles.size / t.cell; ++column) {
      Island island = cells.island(row, column);
      const BlockPos c = island.corner;
      if (tiles.holds(c.x, c.y) && tiles.holds(c.x + t.cell - 1, c.y + t.cell - 1))
        islands.push_back(island);
    }
  }
  return islands;
}

/// A noise in [0, 1], in 2^-14, written a second time.
std::int32_t reference_noise(const noise::FractalNoise& spec, const char* stream, BlockPos at) {
  const float n = testing::reference_fractal_noise(spec, noise::stream_key(kSeed, stream), at);
  return static_cast<std::int32_t>(std::floor((0.5f + 0.5f * n) * 16384.0f + 0.5f));
}

TEST(resource_isles, tiles_are_what_the_description_says) {
  const ResourceIslesTerrain t = terrain(false);
  const Tiles tiles(world_of(t), {-3, 7}, 4);
  std::map<Tile, int> seen;
  for (const Island& island : cells_within(t, tiles)) {
    for (std::int64_t k = 0; k < t.cell * t.cell; ++k) {
      const std::int64_t i = k % t.cell, j = k / t.cell;
      const BlockPos at{island.corner.x + i, island.corner.y + j};
      const std::int32_t n = reference_noise(t.height, "resource_isles.height", at);
      const std::int32_t forest = reference_noise(t.forest, "resource_isles.forest", at);
      const std::int32_t rocks = reference_noise(t.rocks, "resource_isles.rocks", at);
      const float dx = static_cast<float>(i) - island.shape.centre_x,
                  dy = static_cast<float>(j) - island.shape.centre_y;
      const auto p = static_cast<std::int32_t>(
          16384 * (dx * dx * island.shape.inverse_a2 + dy * dy * island.shape.inverse_b2));
      // the paraboloid counts only where it exceeds the noise
      const std::int32_t height = p > n ? n - p : n;
      Tile expected = Tile::kGrassland;
      if (height <= t.water_below) {
        expected = p > 16384 || p - n > t.shallows ? Tile::kOcean : Tile::kWater;
      } else if (height >= t.mountain_from) {
        expected = rocks < t.rocks_below_on_mountain ? Tile::kRocks : Tile::kMountain;
      } else if (forest < t.forest_below) {
        expected = Tile::kForest;
      } else if (rocks < t.rocks_below) {
        expected = Tile::kRocks;
      }
      ASSERT_EQ(tiles.at(at.x, at.y), expected) << at.x << "," << at.y;
      ++seen[expected];
    }
  }
  EXPECT_EQ(seen.size(), kTileKinds);
}

TEST(resource_isles,
     every_cell_has_one_island_with_a_border_of_ocean_and_land_stands_above_the_sea) {
  for (const bool tidy : {false, true}) {
    const ResourceIslesTerrain t = terrain(tidy);
    const Tiles tiles(world_of(t), {40, -3}, 6);
    const std::vector<Island> islands = cells_within(t, tiles);
    EXPECT_GE(islands.size(), 6u);
    for (const Island& island : islands) {
      const BlockPos c = island.corner;
      int land = 0;
      for (std::int64_t k = 0; k < t.cell; ++k) {
        for (const BlockPos at : {BlockPos{c.x + k, c.y},
                                  {c.x + k, c.y + t.cell - 1},
                                  {c.x, c.y + k},
                                  {c.x + t.cell - 1, c.y + k}}) {
          ASSERT_EQ(tiles.at(at.x, at.y), Tile::kOcean);
        }
        for (std::int64_t j = 0; j < t.cell; ++j)
          land += is_land(tiles.at(c.x + k, c.y + j)) ? 1 : 0;
      }
      EXPECT_GT(land, 100);
    }
    for (std::size_t i = 0; i < tiles.tiles.size(); ++i)
      ASSERT_EQ(tiles.height_q4[i] > 0, is_land(tiles.tiles[i]));
  }
}

/// Sea tiles of a cell that are not reached from its border over edges: by breadth, tile after
/// tile.
int unreached_sea(const ResourceIslesTerrain& t, const Tiles& tiles, BlockPos corner) {
  const auto n = static_cast<int>(t.cell);
  const auto sea = [&](int x, int y) { return !is_land(tiles.at(corner.x + x, corner.y + y)); };
  std::vector<char> reached(static_cast<std::size_t>(n * n));
  std::vector<std::pair<int, int>> queue;
  const auto visit = [&](int x, int y) {
    if (x < 0 || y < 0 || x >= n || y >= n || !sea(x, y) ||
        reached[static_cast<std::size_t>(y * n + x)])
      return;
    reached[static_cast<std::size_t>(y * n + x)] = 1;
    queue.push_back({x, y});
  };
  for (int k = 0; k < n; ++k) visit(k, 0), visit(k, n - 1), visit(0, k), visit(n - 1, k);
  while (!queue.empty()) {
    const auto [x, y] = queue.back();
    queue.pop_back();
    visit(x + 1, y), visit(x - 1, y), visit(x, y + 1), visit(x, y - 1);
  }
  int missing = 0;
  for (int k = 0; k < n * n; ++k)
    missing += sea(k % n, k / n) && !reached[static_cast<std::size_t>(k)] ? 1 : 0;
  return missing;
}

int corner_contacts(const Tiles& tiles) {
  int contacts = 0;
  for (int y = 0; y + 1 < tiles.size; ++y) {
    for (int x = 0; x + 1 < tiles.size; ++x) {
      const auto land = [&](int i, int j) {
        return is_land(tiles.at(tiles.origin.x + x + i, tiles.origin.y + y + j));
      };
      contacts +=
          land(0, 0) == land(1, 1) && land(1, 0) == land(0, 1) && land(0, 0) != land(1, 0) ? 1 : 0;
    }
  }
  return contacts;
}

int land_of(const ResourceIslesTerrain& t, const Tiles& tiles, BlockPos corner) {
  int land = 0;
  for (std::int64_t k = 0; k < t.cell * t.cell; ++k)
    land += is_land(tiles.at(corner.x + k % t.cell, corner.y + k / t.cell)) ? 1 : 0;
  return land;
}

TEST(resource_isles, tidy_islands_keep_the_rules_for_small_maps) {
  ResourceIslesTerrain t = terrain(true);
  t.height = {{1, 10}, 3, 0.6f};  // rougher, so that there is more to tidy
  // Bounds that most islands keep by themselves; too high and too low for most; and hardly wide
  // enough for any coast.
  constexpr std::pair<int, int> kBounds[] = {{460, 4600}, {1700, 3000}, {200, 700}, {1500, 1548}};
  for (const auto& [least, most] : kBounds) {
    t.land_min = least;
    t.land_max = most;
    ASSERT_TRUE(can_be_tidy(t));
    for (const ChunkCoord first :
         {ChunkCoord{-3, -3}, {max_chunk_coord(0) - 5, -max_chunk_coord(0)}}) {
      const Tiles tiles(world_of(t), first, 6);
      EXPECT_EQ(corner_contacts(tiles), 0);
      for (const Island& island : cells_within(t, tiles)) {
        EXPECT_EQ(unreached_sea(t, tiles, island.corner), 0);
        const int land = land_of(t, tiles, island.corner);
        EXPECT_GE(land, least);
        EXPECT_LE(land, most);
      }
    }
  }
}

TEST(resource_isles, untidy_islands_break_them) {
  ResourceIslesTerrain t = terrain(false);
  t.height = {{1, 10}, 3, 0.6f};
  const Tiles tiles(world_of(t), {-3, -3}, 6);
  int lakes = 0;
  for (const Island& island : cells_within(t, tiles))
    lakes += unreached_sea(t, tiles, island.corner);
  EXPECT_GT(corner_contacts(tiles), 0);
  EXPECT_GT(lakes, 0);
}

TEST(land_mask, corners_are_joined_and_lakes_filled_with_as_little_land_as_the_rules_say) {
  for (std::uint64_t k = 0; k < 200; ++k) {
    LandMask land;
    land.size = k % 2 == 0 ? 128 : 33;
    for (int y = 1; y < land.size - 1; ++y) {
      for (int x = 1; x < land.size - 1; ++x) {
        const std::uint64_t h = noise::combine(k, static_cast<std::uint64_t>(y * 1000 + x));
        if (h % 100 < 35 + k % 30) land.set(x, y);
      }
    }
    const LandMask before = land;
    join_corners(land);
    for (int y = 0; y + 1 < land.size; ++y) {
      for (int x = 0; x + 1 < land.size; ++x) {
        ASSERT_FALSE(land.at(x, y) == land.at(x + 1, y + 1) &&
                     land.at(x + 1, y) == land.at(x, y + 1) && land.at(x, y) != land.at(x + 1, y));
      }
    }
    const LandMask joined = land;
    fill_lakes(land);
    for (int y = 0; y < land.size; ++y) {
      for (int x = 0; x < land.size; ++x) {
        ASSERT_TRUE(joined.at(x, y) || !before.at(x, y));
        ASSERT_TRUE(land.at(x, y) || !joined.at(x, y));
        const bool border = x == 0 || y == 0 || x == land.size - 1 || y == land.size - 1;
        ASSERT_FALSE(border && land.at(x, y));
      }
    }
    LandMask again = land;
    join_corners(again);
    fill_lakes(again);
    ASSERT_EQ(again.rows, land.rows);
  }
}

TEST(resource_isles, rocks_are_two_and_a_half_times_as_frequent_on_mountains) {
  ResourceIslesTerrain t = terrain(false);
  t.forest_below = 0;
  const World world = world_of(t);
  double rocks[2] = {}, all[2] = {};
  for (std::int64_t k = 0; k < 100; ++k) {
    const Chunk chunk = make(world, {k % 10 * 5, k / 10 * 5});
    for (std::size_t i = 0; i < chunk.biome.size(); ++i) {
      const auto tile = static_cast<Tile>(chunk.biome[i]);
      if (!is_land(tile)) continue;
      // Mountains begin at (mountain_from - water_below) of the amplitude.
      const int kind = chunk.height_q4[i] >= t.amplitude_q4 / 2 ? 1 : 0;
      ++all[kind];
      rocks[kind] += tile == Tile::kRocks ? 1 : 0;
    }
  }
  const double plain = rocks[0] / all[0], mountain = rocks[1] / all[1];
  std::printf("check rocks: %.3f of grassland, %.3f of mountains: %.2f times\n", plain, mountain,
              mountain / plain);
  EXPECT_NEAR(mountain / plain, 2.5, 0.35);
}

TEST(resource_isles, resources_lie_on_their_tiles_as_often_as_their_chances_say) {
  const ResourceIslesTerrain t = terrain(true);
  const World world = world_of(t);
  std::map<std::pair<int, Tile>, double> found;
  std::map<Tile, double> tiles;
  for (std::int64_t k = 0; k < 64; ++k) {
    const Chunk chunk = make(world, {k % 8, k / 8 - 100});
    const BlockPos origin = chunk_origin(chunk.coord, 64, 0);
    for (const std::uint8_t tile : chunk.biome) ++tiles[static_cast<Tile>(tile)];
    BlockPos before{origin.x - 1, origin.y};
    for (const Placement& thing : chunk.placements) {
      ASSERT_EQ(chunk_of(thing.anchor, 64, 0), chunk.coord);
      // sorted, and one a tile
      ASSERT_LT(std::pair(before.y, before.x), std::pair(thing.anchor.y, thing.anchor.x));
      before = thing.anchor;
      ASSERT_GE(thing.scale, 80);
      ASSERT_LE(thing.scale, 120);
      const auto at =
          static_cast<std::size_t>((thing.anchor.y - origin.y) * 64 + (thing.anchor.x - origin.x));
      ++found[{thing.kind, static_cast<Tile>(chunk.biome[at])}];
    }
  }
  for (std::size_t tile = 0; tile < kTileKinds; ++tile) {
    for (std::size_t kind = 0; kind < t.resources.size(); ++kind) {
      const double chance = static_cast<double>(t.resources[kind][tile]) / 4294967296.0,
                   count = tiles[static_cast<Tile>(tile)];
      const double expected = chance * count;
      const double spread = 5 * std::sqrt(count * chance * (1 - chance)) + 1e-9;
      EXPECT_NEAR((found[{static_cast<int>(kind), static_cast<Tile>(tile)}]), expected, spread)
          << kind << " on " << tile;
    }
  }
}

TEST(resource_isles, resources_are_the_same_in_chunks_of_any_size_and_only_at_lod_0) {
  const ResourceIslesTerrain t = terrain(true);
  for (const ChunkCoord coord :
       {ChunkCoord{0, 0}, {-1, -1}, {max_chunk_coord(0), -max_chunk_coord(0)}}) {
    std::vector<Placement> expected = make(world_of(t), coord).placements;
    EXPECT_FALSE(expected.empty());
    std::vector<Placement> pieces;
    for (std::int64_t k = 0; k < 16; ++k) {
      const Chunk piece = make(world_of(t, 16), {coord.x * 4 + k % 4, coord.y * 4 + k / 4});
      pieces.insert(pieces.end(), piece.placements.begin(), piece.placements.end());
    }
    const auto by_place = [](const Placement& a, const Placement& b) {
      return std::pair(a.anchor.y, a.anchor.x) < std::pair(b.anchor.y, b.anchor.x);
    };
    std::sort(pieces.begin(), pieces.end(), by_place);
    EXPECT_EQ(pieces, expected);
  }
  EXPECT_TRUE(make(world_of(t), {0, 0}, 1).placements.empty());
}

TEST(resource_isles, seeds_that_differ_in_their_top_bits_scatter_other_things) {
  const World world = world_of(terrain(false));
  const auto base = make(world, {0, 0}, 0, 1).placements;
  for (int bit = 48; bit < 64; ++bit) {
    const auto other = make(world, {0, 0}, 0, 1 | std::uint64_t{1} << bit).placements;
    std::size_t same = 0;
    for (const Placement& thing : other)
      same += std::find(base.begin(), base.end(), thing) != base.end() ? 1 : 0;
    EXPECT_LE(same, 3u) << bit;
  }
}

}  // namespace
}  // namespace terrane::worldgen
