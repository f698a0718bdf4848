// Land shaped by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "worldgen/compiled_world.h"
#include "worldgen/stamps/box_index.h"
#include "worldgen_objects_rig.h"

namespace terrane::worldgen {
namespace {

/// The default world with stamps, as a server would load it.
World stamped(std::vector<Stamp> stamps) {
  World world = default_world();
  world.stamps = Stamps(std::move(stamps), layer_ranges(world.terrain).height_q4);
  auto loaded = load_compiled_world(compile_world(world));
  EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
  loaded->placement_kinds = world.placement_kinds;
  return *std::move(loaded);
}

Stamp at(BlockPos block, std::int32_t radius, std::int32_t falloff) {
  Stamp stamp;
  stamp.from = stamp.to = block;
  stamp.radius = radius;
  stamp.falloff = falloff;
  return stamp;
}

Stamp flat(BlockPos block, std::int32_t radius, std::int32_t falloff, std::int32_t blocks) {
  Stamp stamp = at(block, radius, falloff);
  stamp.flatten = {16 * blocks, 16 * blocks};
  return stamp;
}

std::uint8_t biome_named(const World& world, const std::string& name) {
  const auto row = std::find_if(world.biomes.begin(), world.biomes.end(),
                                [&](const Biome& biome) { return biome.name == name; });
  EXPECT_NE(row, world.biomes.end()) << name;
  return static_cast<std::uint8_t>(row - world.biomes.begin());
}

/// One that belongs to no village and does not care for what is around.
const Structure& lone(const std::vector<Structure>& structures) {
  const auto found =
      std::find_if(structures.begin(), structures.end(), [](const Structure& structure) {
        const StructureRule& rule = default_world().structures->kinds[structure.kind];
        return rule.share > 0 && !rule.village && rule.surroundings.distance == 0;
      });
  EXPECT_NE(found, structures.end());
  return *found;
}

double distance(BlockPos a, BlockPos b) {
  return std::hypot(static_cast<double>(a.x - b.x), static_cast<double>(a.y - b.y));
}

/// Calls `visit` with the blocks of a square.
template <typename Visit>
void for_blocks(BlockPos centre, std::int64_t reach, const Visit& visit) {
  for (std::int64_t y = -reach; y <= reach; ++y)
    for (std::int64_t x = -reach; x <= reach; ++x) visit(BlockPos{centre.x + x, centre.y + y});
}

TEST(box_index, finds_what_looking_at_every_box_finds) {
  std::mt19937_64 random(7);
  for (const std::size_t count : {0u, 1u, 16u, 17u, 5000u}) {
    std::vector<BlockArea> boxes;
    const auto block = [&](std::int64_t reach) {
      return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * reach)) - reach;
    };
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t far = i % 5 == 0 ? std::int64_t{1} << 40 : 20000;
      const BlockPos from{block(far), block(far)};
      boxes.push_back({from, {from.x + block(300) + 300, from.y + block(300) + 300}});
    }
    const BoxIndex index(boxes);
    for (int round = 0; round < 300; ++round) {
      const BlockPos from{block(21000), block(21000)};
      const BlockArea area{from, {from.x + (63 << round % 9), from.y + (63 << round % 9)}};
      std::vector<std::uint32_t> expected;
      for (std::uint32_t i = 0; i < count; ++i) {
        if (boxes[i].from.x <= area.to.x && area.from.x <= boxes[i].to.x &&
            boxes[i].from.y <= area.to.y && area.from.y <= boxes[i].to.y)
          expected.push_back(i);
      }
      ASSERT_EQ(index.meeting(area), expected);
    }
  }
}

TEST(stamps, flatten_the_ground_and_go_over_into_the_land_around) {
  const BlockPos centre{1300, -900};
  const World world = stamped({flat(centre, 30, 40, 90)});
  Chunks before(default_world()), after(world);
  std::int64_t steepest = 0;
  for_blocks(centre, 80, [&](BlockPos block) {
    const double away = distance(block, centre);
    const std::int32_t height = after.height_q4(block), land = before.height_q4(block);
    if (away <= 30) {
      EXPECT_EQ(height, 90 * 16);
    } else if (away >= 70) {
      EXPECT_EQ(height, land) << block.x << ',' << block.y;
    } else {
      EXPECT_GE(height, std::min(land, 90 * 16));
      EXPECT_LE(height, std::max(land, 90 * 16));
    }
    const std::int32_t beside = after.height_q4({block.x + 1, block.y});
    steepest = std::max<std::int64_t>(steepest, std::abs(height - beside));
  });
  EXPECT_LT(steepest, 16 * 6) << "there is no wall";
  EXPECT_NE(world.fingerprint, default_world().fingerprint);
}

TEST(stamps, are_the_same_on_every_grid_and_instruction_set) {
  std::mt19937 random(3);
  std::vector<Stamp> stamps;
  for (int i = 0; i < 60; ++i) {
    const auto block = [&] { return static_cast<std::int64_t>(random() % 1500) - 750; };
    Stamp stamp = at({block(), block()}, static_cast<int>(random() % 60),
                     static_cast<int>(random() % 90) + narrowest_shore(40));
    stamp.roughness = i % 2 == 0 ? 0 : static_cast<int>(random() % 41);
    if (i % 3 == 0) stamp.to = {block(), block()};
    if (i % 4 == 0) stamp.raise_q4 = static_cast<int>(random() % 900) - 450;
    if (i % 4 == 1) stamp.flatten = {static_cast<int>(random() % 3000), 16 * 60};
    if (i % 4 == 2) stamp.water_q4 = static_cast<int>(random() % 2000);
    if (i % 5 == 3) stamp.biome = static_cast<std::uint8_t>(i / 5);
    stamp.clear = i % 7 == 0;
    stamps.push_back(stamp);
  }
  const World world = stamped(stamps);
  const Chunk coarse = make(world, {-1, -1}, 3);
  Chunks fine(world);
  for (std::int64_t j = 0; j < 64; ++j) {
    for (std::int64_t i = 0; i < 64; ++i) {
      const BlockPos block{-512 + 8 * i, -512 + 8 * j};
      const auto here = static_cast<std::size_t>(64 * j + i);
      ASSERT_EQ(coarse.height_q4[here], fine.height_q4(block)) << block.x << ',' << block.y;
      ASSERT_EQ(coarse.water_q4[here], fine.water_q4(block));
      ASSERT_EQ(coarse.biome[here], fine.at(block).biome[fine.index(block)]);
      ASSERT_EQ(coarse.forest_p[here], fine.at(block).forest_p[fine.index(block)]);
      const PointSample point = sample_points(world, kSeed, std::array{block}, fastest()).front();
      ASSERT_EQ(point.height_q4, fine.height_q4(block));
      ASSERT_EQ(point.water_q4, fine.water_q4(block));
    }
  }
  for (const noise::SimdTarget target : noise::supported_targets())
    EXPECT_EQ(generate(world, kSeed, {-1, -1}, 3, target), coarse);
}

TEST(stamps, lines_slope_steadily_from_end_to_end) {
  Stamp road = at({-200, 340}, 3, 12);
  road.to = {260, 510};
  road.flatten = {16 * 20, 16 * 70};
  const World world = stamped({road});
  Chunks land(world);
  for (int step = 0; step <= 20; ++step) {
    const BlockPos block{-200 + 23 * step, 340 + static_cast<std::int64_t>(8.5 * step)};
    EXPECT_NEAR(land.height_q4(block), 16 * (20 + 2.5 * step), 4) << step;
    EXPECT_EQ(land.height_q4({block.x + 1, block.y - 2}) / 32, land.height_q4(block) / 32) << step;
  }
}

TEST(stamps, rough_outlines_wander_by_as_much_as_they_say_and_in_every_seed_alike) {
  const BlockPos centre{-700, 250};
  Stamp island = flat(centre, 60, 0, 3000);
  island.roughness = 30;
  island.clear = true;  // nothing levels it anew
  const World world = stamped({island});
  Chunks land(world, 1), other(world, 2);
  int in = 0, out = 0;
  for_blocks(centre, 95, [&](BlockPos block) {
    const bool is_flat = land.height_q4(block) == 3000 * 16;
    const double away = distance(block, centre);
    EXPECT_EQ(is_flat, other.height_q4(block) == 3000 * 16);
    EXPECT_TRUE(is_flat || away > 30);
    EXPECT_TRUE(!is_flat || away <= 90);
    in += is_flat && away > 64 ? 1 : 0;
    out += !is_flat && away < 56 ? 1 : 0;
  });
  EXPECT_GT(in, 100);
  EXPECT_GT(out, 100);
}

TEST(stamps, are_applied_in_their_order_and_raise_by_what_they_say) {
  const BlockPos centre{400, 400};
  Stamp hill = at(centre, 20, 20);
  hill.raise_q4 = 16 * 25;
  const World raised = stamped({flat(centre, 50, 10, 100), hill});
  const World flattened = stamped({hill, flat(centre, 50, 10, 100)});
  EXPECT_EQ(Chunks(raised).height_q4(centre), 16 * 125);
  EXPECT_EQ(Chunks(flattened).height_q4(centre), 16 * 100);
  EXPECT_EQ(Chunks(raised).height_q4({centre.x + 30, centre.y}), 16 * 100 + 16 * 25 / 2);
}

/// Pools on all kinds of land. No sample of their water has a dry neighbour below its surface.
TEST(stamps, pools_stand_within_banks_wherever_they_are) {
  std::mt19937 random(11);
  int wet = 0, pools = 0;
  for (int round = 0; round < 40; ++round) {
    const BlockPos centre{static_cast<std::int64_t>(random() % 60000) - 30000,
                          static_cast<std::int64_t>(random() % 60000) - 30000};
    const std::int32_t ground = Chunks(default_world()).height_q4(centre);
    const std::int32_t roughness = round % 3 * 12;
    Stamp pool = at(centre, static_cast<int>(random() % 30),
                    narrowest_shore(roughness) + (random() % 3 == 0 ? 30 : 0));
    pool.roughness = roughness;
    pool.water_q4 = ground + static_cast<int>(random() % 900) - 100;
    if (round % 2 == 0) pool.flatten = {*pool.water_q4 - 80, *pool.water_q4 - 80};
    const World world = stamped({pool});
    Chunks land(world), before(default_world());
    const std::int64_t reach = pool.radius + pool.falloff + pool.roughness + 2;
    int own = 0;
    for_blocks(centre, reach, [&](BlockPos block) {
      const std::int32_t water = land.water_q4(block);
      if (water != *pool.water_q4 || water == before.water_q4(block)) return;
      ++own;
      EXPECT_GT(water, land.height_q4(block));
      for (const BlockPos beside :
           {BlockPos{block.x + 1, block.y}, BlockPos{block.x - 1, block.y},
            BlockPos{block.x, block.y + 1}, BlockPos{block.x, block.y - 1}}) {
        if (land.water_q4(beside) > land.height_q4(beside)) continue;
        EXPECT_GE(land.height_q4(beside), water)
            << "pool " << round << " runs out at " << beside.x << ',' << beside.y;
      }
    });
    wet += own;
    pools += own > 0 ? 1 : 0;
    if (round % 2 == 0 && own == 0) {
      EXPECT_GE(before.water_q4(centre), *pool.water_q4)
          << "other water is as good: pool " << round;
    }
  }
  EXPECT_GT(pools, 20);
  EXPECT_GT(wet, 20000);
}

/// Where the outline is further in than the radius, the line is as far out as what is beside it.
TEST(stamps, rough_lines_have_no_walls_along_them) {
  Stamp canal = at({-900, 600}, 0, 48);
  canal.to = {900, 600};
  canal.roughness = 40;
  canal.raise_q4 = 16 * 30;
  const World world = stamped({canal});
  Chunks land(world), before(default_world());
  const auto raised = [&](BlockPos block) {
    return land.height_q4(block) - before.height_q4(block);
  };
  int thin = 0;
  for (std::int64_t x = -900; x < 900; ++x) {
    EXPECT_NEAR(raised({x, 600}), raised({x, 601}), 16 * 5) << x;
    thin += raised({x, 600}) < 16 * 20 ? 1 : 0;
  }
  EXPECT_GT(thin, 20) << "there are such places";
}

TEST(stamps, structures_leave_pools_and_their_banks_alone) {
  const World& plain = default_world();
  const std::vector<Structure> structures = structures_around(plain, {0, 0}, 6);
  ASSERT_GE(structures.size(), 5u);
  std::vector<Stamp> pools;
  for (const Structure& structure : structures) {
    Stamp pool = at({structure.to.x + 7, structure.from.y}, 0, 8);
    const std::int32_t ground = Chunks(plain).height_q4(pool.from);
    pool.flatten = {ground - 32, ground - 32};
    pool.water_q4 = ground;
    pools.push_back(pool);
  }
  const World world = stamped(pools);
  EXPECT_TRUE(structures_around(world, {0, 0}, 6).empty());
}

TEST(stamps, a_stamp_somewhere_changes_no_biome_elsewhere) {
  Stamp far = at({std::int64_t{1} << 40, 0}, 5, 5);
  far.raise_q4 = 16 * 3000;
  World world = default_world();
  world.terrain = PerlinTerrain{
      {{1, 200}, 6, 0.45f}, {{1, 1000}, 4, 0.5f}, {{3, 1000}, 4, 0.5f}, 16 * 128, -200, 400};
  Biome high, band, rest;
  high.height_q4.min = 1;
  band.height_q4 = {-16 * 20, 16 * 120};
  world.biomes = {high, band, rest};
  world.placements.reset();
  world.structures.reset();
  const auto without = load_compiled_world(compile_world(world));
  world.stamps = Stamps({far}, layer_ranges(world.terrain).height_q4);
  const auto with = load_compiled_world(compile_world(world));
  ASSERT_TRUE(with && without) << (with ? without.error().message : with.error().message);
  EXPECT_EQ(make(*with, {3, -5}), make(*without, {3, -5}));
  const Chunk chunk = make(*with, {3, -5});
  EXPECT_NE(std::count(chunk.biome.begin(), chunk.biome.end(), 0), 0) << "high is the narrower";
}

TEST(stamps, ground_that_rises_above_its_water_is_dry) {
  // a shallow sea
  const World& plain = default_world();
  std::mt19937 random(5);
  BlockPos sea;
  do {
    sea = {static_cast<std::int64_t>(random() % 200000),
           static_cast<std::int64_t>(random() % 200000)};
  } while (Chunks(plain).height_q4(sea) > -16 * 5);
  const World world = stamped({flat(sea, 40, 30, 12)});
  Chunks land(world);
  for_blocks(sea, 75, [&](BlockPos block) {
    const std::int32_t height = land.height_q4(block);
    EXPECT_EQ(land.water_q4(block), height < 0 ? 0 : kNoWater);
  });
  EXPECT_EQ(land.height_q4(sea), 16 * 12);
}

TEST(stamps, leave_roads_where_they_are) {
  const World& plain = default_world();
  const BlockPos river{-2624, -3008};  // with a road on each bank
  Chunks before(plain);
  const auto is_road = [&](Chunks& chunks, BlockPos block) {
    return plain.biomes[chunks.at(block).biome[chunks.index(block)]].water == FreshWater::kRoad;
  };
  Stamp hill = at(river, 60, 40);
  hill.raise_q4 = 16;
  const World world = stamped({hill});
  Chunks after(world);
  int roads = 0;
  for_blocks(river, 100, [&](BlockPos block) {
    if (!is_road(before, block)) return;
    ++roads;
    EXPECT_TRUE(is_road(after, block)) << block.x << "," << block.y;
    EXPECT_EQ(after.at(block).forest_p[after.index(block)], 0);
  });
  EXPECT_GT(roads, 500);
}

TEST(stamps, set_biomes_and_keep_places_clear) {
  const World& plain = default_world();
  // the densest forest around, and a structure
  BlockPos forest;
  int best = -1;
  for (std::int64_t k = -6; k <= 6; ++k) {
    const Chunk chunk = make(plain, {k, 2 * k}, 4);
    for (std::size_t i = 0; i < chunk.forest_p.size(); ++i) {
      if (chunk.forest_p[i] <= best) continue;
      best = chunk.forest_p[i];
      forest = {(k * 64 + static_cast<std::int64_t>(i % 64)) * 16,
                (2 * k * 64 + static_cast<std::int64_t>(i / 64)) * 16};
    }
  }
  const std::vector<Structure> structures = structures_around(plain, {0, 0}, 6);
  ASSERT_FALSE(structures.empty());
  const BlockPos built = lone(structures).anchor;
  Stamp glade = at(forest, 30, 10), square = at(built, 1, 0);
  glade.clear = square.clear = true;
  glade.biome = biome_named(plain, "Desert");
  const World world = stamped({glade, square});
  Chunks before(plain), after(world);
  int trees_before = 0, changed = 0;
  for_blocks(forest, 45, [&](BlockPos block) {
    const Chunk& chunk = after.at(block);
    const std::size_t i = after.index(block);
    if (distance(block, forest) <= 35) {
      EXPECT_EQ(chunk.biome[i], *glade.biome);
      EXPECT_EQ(chunk.forest_p[i] + chunk.rocks_p[i], 0);
      trees_before += before.at(block).forest_p[i];
    } else {
      EXPECT_EQ(chunk.biome[i], before.at(block).biome[i]);
      changed += chunk.forest_p[i] != before.at(block).forest_p[i] ? 1 : 0;
    }
  });
  EXPECT_GT(trees_before, 1000);
  EXPECT_EQ(changed, 0);
  for (const Placement& placement : after.at(forest).placements)
    EXPECT_GT(distance(placement.anchor, forest), 35);
  for (const Structure& structure : structures_around(world, {0, 0}, 6))
    EXPECT_NE(structure.anchor, built);
  EXPECT_EQ(structures_around(world, {0, 0}, 6).size() + 1, structures.size());
}

TEST(stamps, keep_fields_off_what_is_clear_and_paint_over_others) {
  const World& plain = default_world();
  Chunks before(plain);
  // two fields of one village
  std::vector<BlockPos> fields;
  const auto is_painted = [&](const Chunk& chunk, std::size_t i) {
    return plain.biomes[chunk.biome[i]].water == FreshWater::kPainted;
  };
  for (const Structure& structure : structures_around(plain, {-45000, -9000}, 8)) {
    if (!plain.structures->kinds[structure.kind].village) continue;
    for_blocks(structure.anchor, 120, [&](BlockPos block) {
      if (!is_painted(before.at(block), before.index(block))) return;
      if (fields.empty() || (fields.size() == 1 && distance(fields[0], block) > 60))
        fields.push_back(block);
    });
    if (fields.size() == 2) break;
    fields.clear();
  }
  ASSERT_EQ(fields.size(), 2u);
  Stamp clear = at(fields[0], 12, 0), desert = at(fields[1], 12, 0);
  clear.clear = true;
  desert.biome = biome_named(plain, "Desert");
  const World world = stamped({clear, desert});
  Chunks after(world);
  EXPECT_FALSE(is_painted(after.at(fields[0]), after.index(fields[0])));
  EXPECT_EQ(after.at(fields[1]).biome[after.index(fields[1])], *desert.biome);
}

TEST(stamps, structures_stand_on_the_ground_that_stamps_have_left) {
  const World& plain = default_world();
  const std::vector<Structure> structures = structures_around(plain, {0, 0}, 6);
  ASSERT_FALSE(structures.empty());
  const Structure& lifted = lone(structures);
  Stamp plateau = at(lifted.anchor, 150, 60);
  plateau.raise_q4 = 16 * 10;
  const World world = stamped({plateau});
  const auto rooms = rooms_of(plain, kSeed, lifted.anchor, fastest());
  const auto raised = rooms_of(world, kSeed, lifted.anchor, fastest());
  ASSERT_EQ(raised.size(), rooms.size());
  for (std::size_t i = 0; i < rooms.size(); ++i)
    EXPECT_EQ(raised[i].floor_q4, rooms[i].floor_q4 + 160);
}

TEST(stamps, change_nothing_where_none_reaches) {
  std::mt19937 random(9);
  std::vector<Stamp> stamps;
  for (int i = 0; i < 10000; ++i) {
    stamps.push_back(flat({static_cast<std::int64_t>(random() % 300000) + 6000,
                           static_cast<std::int64_t>(random() % 300000)},
                          static_cast<int>(random() % 60), static_cast<int>(random() % 60), 50));
  }
  const World world = stamped(stamps);
  for (const ChunkCoord coord : {ChunkCoord{0, 0}, {-40, 7}, {90, 90}})
    EXPECT_EQ(make(world, coord), make(default_world(), coord));
}

TEST(stamps, keep_the_ground_within_what_the_world_says) {
  Stamp up = at({0, 0}, 100, 50), down = at({0, 0}, 60, 50);
  up.raise_q4 = 16 * 4000;
  down.raise_q4 = -16 * 4000;
  for (const std::vector<Stamp>& stamps :
       {std::vector<Stamp>(20, up), std::vector<Stamp>(20, down), {up, down, up}}) {
    const World world = stamped(stamps);
    const Chunk chunk = make(world, {0, 0});
    const auto [low, high] = std::minmax_element(chunk.height_q4.begin(), chunk.height_q4.end());
    EXPECT_GE(*low, world.ranges.height_q4.min);
    EXPECT_LE(*high, world.ranges.height_q4.max);
  }
}

TEST(stamps, of_bytes_that_say_what_can_not_be_are_refused) {
  const auto refusal = [](const auto& change) {
    Stamp stamp = flat({5, 5}, 5, 20, 5);
    stamp.water_q4 = 100;
    change(stamp);
    World world = default_world();
    world.stamps = Stamps({stamp}, layer_ranges(world.terrain).height_q4);
    const auto loaded = load_compiled_world(compile_world(world));
    return loaded ? std::string() : loaded.error().message;
  };
  EXPECT_EQ(refusal([](Stamp&) {}), "");
  EXPECT_NE(refusal([](Stamp& s) { s.radius = -1; }).find("stamps.0.radius: -1"),
            std::string::npos);
  EXPECT_NE(refusal([](Stamp& s) { s.to.y = 1 << 20; }).find("stamps.0.to: "), std::string::npos);
  EXPECT_NE(refusal([](Stamp& s) { s.falloff = 7; }).find("stamps.0.falloff: "), std::string::npos);
  EXPECT_NE(refusal([](Stamp& s) { s.biome = 250; }).find("stamps.0.biome: 250"),
            std::string::npos);
  EXPECT_NE(
      refusal([](Stamp& s) { s.from.x = s.to.x = std::int64_t{1} << 50; }).find("stamps.0.at.x"),
      std::string::npos);
  // a pool where there is no layer of water
  World dry = default_world();
  dry.terrain = PerlinTerrain();
  Stamp pool = at({0, 0}, 9, 9);
  pool.water_q4 = 0;
  dry.stamps = Stamps({pool}, layer_ranges(dry.terrain).height_q4);
  const auto loaded = load_compiled_world(compile_world(dry));
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().message.find("no layer of water"), std::string::npos)
      << loaded.error().message;
}

}  // namespace
}  // namespace terrane::worldgen
