// What stands in chunks: trees and boulders.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "worldgen/placement/density.h"
#include "worldgen/placement/placement.h"
#include "worldgen_objects_rig.h"

namespace terrane::worldgen {
namespace {

using Anchor = std::pair<std::int64_t, std::int64_t>;

Anchor anchor_of(const Placement& placement) { return {placement.anchor.x, placement.anchor.y}; }

/// Chunks with much forest, from all over the world.
std::vector<ChunkCoord> wooded(const World& world, std::size_t count) {
  std::vector<ChunkCoord> found;
  for (std::int64_t k = 0; found.size() < count && k < 4000; ++k) {
    const ChunkCoord coord{k * 37 % 500 - 250, k * 91 % 700 - 350};
    if (make(world, coord).placements.size() > 40) found.push_back(coord);
  }
  return found;
}

TEST(placements, keep_their_distance_across_the_edges_of_chunks) {
  const World& world = default_world();
  const auto places = wooded(world, 6);
  ASSERT_EQ(places.size(), 6u);
  for (const ChunkCoord corner : places) {
    std::set<Anchor> all;
    std::size_t count = 0;
    for (std::int64_t k = 0; k < 9; ++k) {
      const Chunk chunk = make(world, {corner.x + k % 3, corner.y + k / 3});
      for (const Placement& placement : chunk.placements) {
        EXPECT_EQ(chunk_of(placement.anchor, chunk.size, 0), chunk.coord);
        all.insert(anchor_of(placement));
        ++count;
      }
    }
    EXPECT_EQ(all.size(), count) << "two have one id";
    const std::int64_t distance = world.placements->distance;
    for (const auto& [x, y] : all) {
      for (std::int64_t dy = 1 - distance; dy < distance; ++dy) {
        for (std::int64_t dx = 1 - distance; dx < distance; ++dx) {
          if ((dx != 0 || dy != 0) && dx * dx + dy * dy < distance * distance) {
            EXPECT_FALSE(all.contains({x + dx, y + dy})) << x << "," << y;
          }
        }
      }
    }
  }
}

TEST(placements, are_the_same_in_chunks_of_any_size) {
  const World& world = default_world();
  for (const ChunkCoord place : wooded(world, 5)) {
    const Chunk whole = make(world, place);
    for (const int size : {16, 32, 128}) {
      World resized = world;
      resized.chunk_size = size;
      const BlockPos origin = chunk_origin(place, world.chunk_size, 0);
      std::vector<Placement> parts;
      for (std::int64_t y = 0; y < 64; y += size) {
        for (std::int64_t x = 0; x < 64; x += size) {
          for (const Placement& placement :
               make(resized, chunk_of({origin.x + x, origin.y + y}, size, 0)).placements) {
            if (chunk_of(placement.anchor, 64, 0) == place) parts.push_back(placement);
          }
        }
      }
      std::sort(parts.begin(), parts.end(), [](const Placement& a, const Placement& b) {
        return std::tie(a.anchor.y, a.anchor.x) < std::tie(b.anchor.y, b.anchor.x);
      });
      EXPECT_EQ(parts, whole.placements) << "chunks of " << size;
    }
  }
}

TEST(placements, stand_only_where_a_density_a_kind_and_the_ground_allow_it) {
  const World& world = default_world();
  std::size_t trees = 0, boulders = 0;
  for (std::int64_t k = 0; k < 400; ++k) {
    const Chunk chunk = make(world, {k * 37 % 500 - 250, k * 91 % 700 - 350});
    const BlockPos origin = chunk_origin(chunk.coord, chunk.size, 0);
    for (const Placement& placement : chunk.placements) {
      const auto x = static_cast<std::size_t>(placement.anchor.x - origin.x),
                 y = static_cast<std::size_t>(placement.anchor.y - origin.y);
      const std::size_t at = y * static_cast<std::size_t>(chunk.size) + x;
      EXPECT_GT(chunk.forest_p[at] + chunk.rocks_p[at], 0);
      EXPECT_TRUE(chunk.water_q4.empty() || chunk.water_q4[at] <= chunk.height_q4[at])
          << "in the water";
      const auto stands = [&](const std::vector<KindShare>& shares) {
        return std::any_of(shares.begin(), shares.end(),
                           [&](const KindShare& share) { return share.kind == placement.kind; });
      };
      const std::uint8_t biome = chunk.biome[at];
      const bool is_tree = stands(world.placements->trees[biome]);
      EXPECT_TRUE(is_tree || stands(world.placements->boulders[biome])) << world.biomes[biome].name;
      ++(is_tree ? trees : boulders);
      EXPECT_GE(placement.scale, world.placements->scales[placement.kind].low);
      EXPECT_LE(placement.scale, world.placements->scales[placement.kind].high);
      // no cliff beside it
      for (const std::size_t step : {std::size_t{1}, static_cast<std::size_t>(chunk.size)}) {
        const std::size_t along = step == 1 ? x : y;
        if (along % 4 == 3) continue;
        EXPECT_LT(std::abs(chunk.height_q4[at + step] - chunk.height_q4[at]), 7 * 16);
      }
    }
  }
  EXPECT_GT(trees, 1000u);
  EXPECT_GT(boulders, 50u);
}

TEST(placements, never_stand_in_rooms_or_their_skirts) {
  const World& world = default_world();
  Chunks chunks(world);
  int looked_at = 0;
  for (const Structure& structure : structures_around(world, {0, 0}, 8)) {
    const StructureKind& kind = world.structure_kinds[structure.kind];
    const int skirt = world.structures->kinds[structure.kind].skirt;
    const auto rooms = rooms_of(world, kSeed, structure.anchor, fastest());
    const std::int32_t floor = chunks.height_q4(structure.anchor);
    for (std::int64_t y = structure.from.y - skirt; y <= structure.to.y + skirt; y += 4) {
      for (std::int64_t x = structure.from.x - skirt; x <= structure.to.x + skirt; x += 4) {
        for (const Placement& placement : chunks.at({x, y}).placements) {
          for (const Room& room : rooms) {
            // below the ground
            if (room.floor_q4 + kind.pieces[room.piece].levels * kind.storey_q4 <= floor) continue;
            const auto away = [](std::int64_t at, std::int64_t from, int length) {
              return std::max({from - at, at - (from + length - 1), std::int64_t{0}});
            };
            const std::int64_t dx = away(placement.anchor.x, room.corner.x, width_of(room, world));
            const std::int64_t dy = away(placement.anchor.y, room.corner.y, depth_of(room, world));
            EXPECT_GE(dx * dx + dy * dy, skirt * skirt);
          }
        }
      }
    }
    ++looked_at;
  }
  EXPECT_GT(looked_at, 10);
}

TEST(placements, of_seeds_that_differ_in_their_top_bits_are_others) {
  PlacementRules rules;
  rules.trees = rules.boulders = {{{0, 1}}};
  rules.scales = {{70, 130}};
  Chunk plain;
  plain.size = 64;
  plain.height_q4.assign(64 * 64, 0);
  plain.biome.assign(64 * 64, 0);
  plain.forest_p.assign(64 * 64, 100);
  plain.rocks_p.assign(64 * 64, 0);
  const auto placed = [&](std::uint64_t seed, ChunkCoord coord) {
    Chunk chunk = plain;
    chunk.coord = coord;
    fill_placements(rules, seed, chunk);
    std::set<Anchor> anchors;
    for (const Placement& placement : chunk.placements) anchors.insert(anchor_of(placement));
    return anchors;
  };
  for (const ChunkCoord coord :
       {ChunkCoord{0, 0}, {-1, -1}, {max_chunk_coord(0), -max_chunk_coord(0)}}) {
    const auto base = placed(1, coord);
    EXPECT_GT(base.size(), 60u);
    for (int bit = 48; bit < 64; ++bit) {
      std::size_t common = 0;
      for (const Anchor& anchor : placed(1 | std::uint64_t{1} << bit, coord))
        common += base.count(anchor);
      EXPECT_LT(common, base.size() / 5) << "bit " << bit;
    }
  }
}

/// A bare rule, a flat site.
struct Flat {
  DensityRule rule =
      make_density({{1, 60}, 3, 0.5f}, std::vector<double>{0, 10, 50, 100}, 0.3, 50, 100);
  std::vector<std::uint8_t> biome;
  std::vector<std::int32_t> height, water;
  std::vector<std::int16_t> slope;

  explicit Flat(std::size_t count)
      : biome(count), height(count), water(count, kNoWater), slope(count) {}

  std::vector<std::uint8_t> fill(const noise::SampleGrid& grid, std::uint64_t seed = 1) const {
    Scratch scratch;
    const PatchLevels patches = fill_patches(rule, "test", {grid, seed, fastest(), &scratch});
    std::vector<std::uint8_t> out(biome.size());
    fill_density(rule, patches, {biome, height, water, slope}, out);
    return out;
  }
};

TEST(densities, have_the_mean_that_the_biome_asks_for) {
  Flat flat(128 * 128);
  for (const auto& [biome, mean] : std::map<int, double>{{0, 0}, {1, 10}, {2, 50}, {3, 100}}) {
    std::fill(flat.biome.begin(), flat.biome.end(), static_cast<std::uint8_t>(biome));
    double sum = 0;
    for (std::int64_t k = 0; k < 16; ++k) {
      for (const std::uint8_t percent : flat.fill({{k * 5120, -k * 1280}, 1, 128, 128})) {
        EXPECT_EQ(percent % kDensityStep, 0);
        sum += percent;
      }
    }
    EXPECT_NEAR(sum / (16 * 128 * 128), mean, 0.1 * mean + 1.5) << mean;
  }
}

TEST(densities, vanish_in_water_and_on_steep_ground) {
  Flat flat(64 * 64);
  std::fill(flat.biome.begin(), flat.biome.end(), std::uint8_t{3});
  for (std::size_t i = 0; i < flat.biome.size(); ++i) {
    flat.water[i] = i % 3 == 0 ? 1 : i % 3 == 1 ? 0 : kNoWater;
    flat.slope[i] = static_cast<std::int16_t>(i / 40);
  }
  const auto density = flat.fill({{0, 0}, 1, 64, 64});
  for (std::size_t i = 0; i < density.size(); ++i) {
    const bool dry = i % 3 != 0, gentle = flat.slope[i] <= 50;
    if (dry && gentle) {
      EXPECT_EQ(density[i], 100);
    }
    if (!dry || flat.slope[i] >= 100) {
      EXPECT_EQ(density[i], 0);
    }
  }
}

TEST(densities, are_the_same_on_any_grid) {
  for (const std::int64_t at :
       {std::int64_t{0}, std::int64_t{-64 * 7}, (std::int64_t{1} << 46) - 4096}) {
    Flat flat(64 * 64);
    std::fill(flat.biome.begin(), flat.biome.end(), std::uint8_t{2});
    const auto fine = flat.fill({{at, -at}, 1, 64, 64});
    for (std::int64_t stride = 2; stride <= 16; stride *= 2) {
      const auto coarse = flat.fill({{at, -at}, stride, 64, 64});
      for (std::int64_t y = 0; y < 64; y += stride) {
        for (std::int64_t x = 0; x < 64; x += stride) {
          EXPECT_EQ(coarse[static_cast<std::size_t>(y / stride * 64 + x / stride)],
                    fine[static_cast<std::size_t>(y * 64 + x)]);
        }
      }
    }
    Flat one(1);
    one.biome[0] = 2;
    for (std::int64_t k = 0; k < 64; ++k) {
      EXPECT_EQ(one.fill({{at + k, -at + 63 - k}, 1, 1, 1})[0],
                fine[static_cast<std::size_t>((63 - k) * 64 + k)]);
    }
  }
}

}  // namespace
}  // namespace terrane::worldgen
