// Villages: homes at lanes, fields behind them, where people would settle.
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "worldgen_objects_rig.h"

namespace terrane::worldgen {
namespace {

std::uint8_t kind_of(const World& world, const std::string& name) {
  const auto& kinds = world.structure_kinds;
  const auto found = std::find_if(kinds.begin(), kinds.end(),
                                  [&](const StructureKind& kind) { return kind.name == name; });
  EXPECT_NE(found, kinds.end()) << name;
  return static_cast<std::uint8_t>(found - kinds.begin());
}

const VillageRule& rule_of(const World& world) {
  return *world.structures->kinds[kind_of(world, "village")].village;
}

/// Structures of one kind.
std::vector<Structure> of_kind(const std::vector<Structure>& all, std::uint8_t kind) {
  std::vector<Structure> found;
  std::copy_if(all.begin(), all.end(), std::back_inserter(found),
               [&](const Structure& structure) { return structure.kind == kind; });
  return found;
}

std::int64_t region_at(const World& world, std::int64_t block) {
  return floor_div(block, world.structures->region);
}

/// A square around a village's middle that holds all of it.
BlockArea area_of(const World& world, const Structure& village) {
  const StructureRule& rule = world.structures->kinds[village.kind];
  const std::int64_t reach =
      village_reach(*rule.village, rule, world.structures->kinds) + rule.extent;
  return {{village.anchor.x - reach, village.anchor.y - reach},
          {village.anchor.x + reach, village.anchor.y + reach}};
}

/// A seed with a village on both banks of a river, near (72345, -77097).
constexpr std::uint64_t kWithARiver = 2024;

/// What villages paint.
enum class Painted { kNothing, kLane, kField };

Painted painted(const World& world, std::uint8_t biome) {
  if (world.biomes[biome].water != FreshWater::kPainted) return Painted::kNothing;
  return biome == rule_of(world).lane_biome ? Painted::kLane : Painted::kField;
}

TEST(villages, have_homes_at_their_lanes_and_all_in_one_region) {
  const World& world = default_world();
  Chunks chunks(world);
  const auto all = structures_around(world, {-45000, -9000}, 12);
  const auto villages = of_kind(all, kind_of(world, "village"));
  ASSERT_GT(villages.size(), 8u);
  std::map<std::pair<std::int64_t, std::int64_t>, int> homes;
  for (const Structure& structure : all) {
    const bool is_home = world.structures->kinds[structure.kind].share == 0;
    if (!is_home) continue;
    ++homes[{region_at(world, structure.anchor.x), region_at(world, structure.anchor.y)}];
    // whoever leaves the house stands almost on the lane
    bool is_near_a_lane = false;
    for (std::int64_t y = -16; y <= 16; ++y) {
      for (std::int64_t x = -16; x <= 16; ++x) {
        const BlockPos block{structure.anchor.x + x, structure.anchor.y + y};
        const std::uint8_t biome = chunks.at(block).biome[chunks.index(block)];
        is_near_a_lane = is_near_a_lane || painted(world, biome) == Painted::kLane;
      }
    }
    EXPECT_TRUE(is_near_a_lane) << structure.anchor.x << "," << structure.anchor.y;
  }
  int inhabited = 0, most = 0;
  for (const Structure& village : villages) {
    const auto at =
        homes.find({region_at(world, village.anchor.x), region_at(world, village.anchor.y)});
    if (at == homes.end()) continue;
    inhabited += at->second >= 3 ? 1 : 0;
    most = std::max(most, at->second);
    homes.erase(at);
  }
  EXPECT_TRUE(homes.empty()) << homes.size() << " regions with homes and no village";
  EXPECT_GE(inhabited * 10, static_cast<int>(villages.size()) * 8);
  EXPECT_LE(most, rule_of(world).homes_high);
  EXPECT_GT(most, rule_of(world).homes_low);
}

TEST(villages, of_homes_none_touches_another_nor_a_lane) {
  const World& world = default_world();
  Chunks chunks(world);
  const auto all = structures_around(world, {-45000, -9000}, 8);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t k = i + 1; k < all.size(); ++k) {
      const Structure &a = all[i], &b = all[k];
      EXPECT_FALSE(a.from.x <= b.to.x && b.from.x <= a.to.x && a.from.y <= b.to.y &&
                   b.from.y <= a.to.y)
          << a.anchor.x << "," << a.anchor.y;
    }
    for (const Room& room : rooms_of(world, kSeed, all[i].anchor, fastest())) {
      for (int y = 0; y < depth_of(room, world); ++y) {
        for (int x = 0; x < width_of(room, world); ++x) {
          const BlockPos block{room.corner.x + x, room.corner.y + y};
          ASSERT_EQ(painted(world, chunks.at(block).biome[chunks.index(block)]), Painted::kNothing)
              << block.x << "," << block.y;
        }
      }
    }
  }
}

TEST(villages, have_ways_from_every_door_to_a_lane) {
  const World& world = default_world();
  Chunks chunks(world);
  const auto is_way = [&](BlockPos block) {
    return painted(world, chunks.at(block).biome[chunks.index(block)]) == Painted::kLane;
  };
  int doors = 0, reached = 0;
  for (const Structure& structure : structures_around(world, {-45000, -9000}, 8)) {
    const bool is_centre = structure.kind == kind_of(world, "village");
    if (!is_centre && world.structures->kinds[structure.kind].share != 0) continue;
    ++doors;
    // all that can be walked to from the door without a step beside
    std::set<std::pair<std::int64_t, std::int64_t>> seen;
    std::vector<BlockPos> open{structure.anchor};
    while (!open.empty() && seen.size() < 300) {
      const BlockPos at = open.back();
      open.pop_back();
      if (!is_way(at) || !seen.insert({at.x, at.y}).second) continue;
      for (const auto& [x, y] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}})
        open.push_back({at.x + x, at.y + y});
    }
    EXPECT_TRUE(is_way(structure.anchor)) << structure.anchor.x << "," << structure.anchor.y;
    EXPECT_GE(seen.size(), 30u) << structure.anchor.x << "," << structure.anchor.y;
    reached += seen.size() >= 300 ? 1 : 0;  // as lanes have that no water cuts short
  }
  EXPECT_GT(doors, 40);
  EXPECT_GE(reached * 10, doors * 9) << doors;
}

TEST(villages, have_fords_where_lanes_cross_rivers) {
  const World& world = default_world();
  Chunks chunks(world, kWithARiver);
  const auto found =
      of_kind(structures_around(world, {72345, -77097}, 1, kWithARiver), kind_of(world, "village"));
  ASSERT_EQ(found.size(), 1u);
  const BlockArea area = area_of(world, found[0]);
  std::set<std::pair<std::int64_t, std::int64_t>> lanes;
  std::size_t wet = 0;
  for (BlockPos block = area.from; block.y <= area.to.y; ++block.y) {
    for (block.x = area.from.x; block.x <= area.to.x; ++block.x) {
      if (painted(world, chunks.at(block).biome[chunks.index(block)]) != Painted::kLane) continue;
      lanes.insert({block.x, block.y});
      const std::int32_t depth = chunks.water_q4(block) - chunks.height_q4(block);
      EXPECT_LE(depth, 6) << block.x << "," << block.y;
      wet += depth > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(wet, 20u);
  std::vector<std::pair<std::int64_t, std::int64_t>> open{*lanes.begin()};
  const std::size_t all = lanes.size();
  while (!open.empty()) {
    const auto [x, y] = open.back();
    open.pop_back();
    if (lanes.erase({x, y}) == 0) continue;
    for (const auto& [dx, dy] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}})
      open.push_back({x + dx, y + dy});
  }
  EXPECT_LT(lanes.size() * 50, all) << "nobody can walk to what is left";
}

TEST(villages, fields_are_dry_gentle_tilled_and_of_all_their_biomes) {
  const World& world = default_world();
  Chunks chunks(world);
  const StructureRule& rule = world.structures->kinds[kind_of(world, "village")];
  const auto villages =
      of_kind(structures_around(world, {-45000, -9000}, 12), kind_of(world, "village"));
  std::set<int> biomes;
  std::int64_t fields = 0, lanes = 0;
  for (const Structure& village : villages) {
    const BlockArea area = area_of(world, village);
    for (BlockPos block = area.from; block.y <= area.to.y; ++block.y) {
      for (block.x = area.from.x; block.x <= area.to.x; ++block.x) {
        const Chunk& chunk = chunks.at(block);
        const std::size_t at = chunks.index(block);
        const Painted what = painted(world, chunk.biome[at]);
        if (what == Painted::kNothing) continue;
        ASSERT_EQ(chunk.forest_p[at], 0);
        ASSERT_EQ(chunk.rocks_p[at], 0);
        lanes += what == Painted::kLane ? 1 : 0;
        if (what == Painted::kLane) continue;
        ++fields;
        biomes.insert(chunk.biome[at]);
        // a skirt beside it may have moved it, up or down by its kind's unevenness
        ASSERT_GE(chunk.height_q4[at], rule.height_q4.min - 6 * 16);
        ASSERT_GE(chunk.humidity_d[at], rule.humidity_d.min);
      }
    }
  }
  const auto count = static_cast<std::int64_t>(villages.size());
  EXPECT_GT(lanes, count * 300);
  EXPECT_GT(fields, count * 3000) << "blocks in " << count << " villages";
  EXPECT_EQ(biomes.size(), rule_of(world).fields.size());
}

/// Villages of kinds as large as `extent`, as close as they may be, on any dry ground.
World crowded(int extent, int skirt, int lane_width) {
  World world = default_world();
  StructureRules& rules = *world.structures;
  rules.kinds.resize(2);
  world.structure_kinds.resize(2);
  const auto side = static_cast<std::uint8_t>(extent - 1);
  for (std::size_t kind = 0; kind < 2; ++kind) {
    StructureRule rule;
    rule.share = kind == 0 ? 10000 : 0;
    rule.extent = extent;
    rule.skirt = skirt;
    rule.unevenness_q4 = 1600;
    rule.pieces = {{1, true}};
    rules.kinds[kind] = rule;
    world.structure_kinds[kind].pieces = {{"hut", side, side, 1, {{Side::kMinY, 0, 0}}}};
  }
  VillageRule village;
  village.homes_low = village.homes_high = 22;
  village.lane_width = lane_width;
  village.lane_biome = rule_of(default_world()).lane_biome;
  village.homes = {{1, 1}};
  rules.kinds[0].village = village;
  village.lot = std::max(16, lot_sizes(village, rules.kinds[0], rules.kinds).least);
  rules.kinds[0].village = village;
  EXPECT_EQ(village_problem(rules.kinds[0], rules, world.chunk_size), std::nullopt)
      << extent << " " << skirt << " " << lane_width;
  return world;
}

TEST(villages, as_narrow_as_may_be_have_homes_that_meet_nothing) {
  for (const auto& [extent, skirt, lane] : {std::tuple{2, 1, 13},
                                            {2, 32, 1},
                                            {4, 1, 15},
                                            {14, 32, 3},
                                            {18, 4, 3},
                                            {40, 1, 1},
                                            {30, 9, 15}}) {
    const World world = crowded(extent, skirt, lane);
    Chunks chunks(world);
    std::size_t most = 0;
    for (std::int64_t region = 0; region < 24; ++region) {
      const BlockPos from{1024 * (region % 6) - 45000 / 1024 * 1024, 1024 * (region / 6)};
      const auto all =
          structures_within(world, kSeed, from, {from.x + 1023, from.y + 1023}, fastest());
      most = std::max(most, all.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        const auto rooms = rooms_of(world, kSeed, all[i].anchor, fastest());
        ASSERT_EQ(rooms.size(), 1u);
        for (const BlockPos corner : {all[i].from, all[i].to, all[i].anchor}) {
          ASSERT_EQ(chunks.height_q4(corner), rooms[0].floor_q4) << "a skirt reaches beneath";
          if (corner == all[i].anchor) continue;
          ASSERT_EQ(painted(default_world(), chunks.at(corner).biome[chunks.index(corner)]),
                    Painted::kNothing)
              << "a lane leads through " << corner.x << "," << corner.y << " of " << extent << " "
              << skirt << " " << lane;
        }
        for (std::size_t k = i + 1; k < all.size(); ++k) {
          const Structure &a = all[i], &b = all[k];
          ASSERT_NE(a.anchor, b.anchor);
          ASSERT_FALSE(a.from.x <= b.to.x && b.from.x <= a.to.x && a.from.y <= b.to.y &&
                       b.from.y <= a.to.y);
        }
      }
    }
    EXPECT_GE(most, 20u) << extent << " " << skirt << " " << lane;
  }
}

/// All levels and points say the same of the first village around a block.
void expect_the_same_everywhere(std::uint64_t seed, BlockPos around, std::int64_t regions) {
  const World& world = default_world();
  Chunks chunks(world, seed);
  const auto villages =
      of_kind(structures_around(world, around, regions, seed), kind_of(world, "village"));
  ASSERT_FALSE(villages.empty());
  const BlockArea area = area_of(world, villages.front());
  int seen = 0;
  std::vector<BlockPos> points;
  for (Lod lod = 1; lod <= world.max_lod; ++lod) {
    const ChunkCoord first = chunk_of(area.from, world.chunk_size, lod),
                     last = chunk_of(area.to, world.chunk_size, lod);
    for (ChunkCoord coord = first; coord.y <= last.y; ++coord.y) {
      for (coord.x = first.x; coord.x <= last.x; ++coord.x) {
        const Chunk coarse = make(world, coord, lod, seed);
        const BlockPos origin = chunk_origin(coord, world.chunk_size, lod);
        for (std::size_t k = 0; k < coarse.biome.size(); ++k) {
          const auto size = static_cast<std::size_t>(coarse.size);
          const BlockPos block{origin.x + (static_cast<std::int64_t>(k % size) << lod),
                               origin.y + (static_cast<std::int64_t>(k / size) << lod)};
          if (!area.holds(block)) continue;
          const Chunk& fine = chunks.at(block);
          const std::size_t at = chunks.index(block);
          ASSERT_EQ(coarse.biome[k], fine.biome[at])
              << block.x << "," << block.y << " " << int{lod};
          ASSERT_EQ(coarse.height_q4[k], fine.height_q4[at]);
          ASSERT_EQ(coarse.forest_p[k], fine.forest_p[at]);
          if (painted(world, coarse.biome[k]) == Painted::kNothing) continue;
          ++seen;
          if (points.size() < 400) points.push_back(block);
        }
      }
    }
  }
  EXPECT_GT(seen, 1000);
  for (std::size_t k = 0; k < points.size(); k += 4) {
    // each on a thread of its own, which remembers nothing of the chunks
    const PointSample sample = std::async(std::launch::async, [&] {
                                 return sample_points(world, seed, {&points[k], 1}, fastest());
                               }).get()[0];
    const Chunk& chunk = chunks.at(points[k]);
    const std::size_t at = chunks.index(points[k]);
    ASSERT_EQ(sample.biome, chunk.biome[at]);
    ASSERT_EQ(sample.height_q4, chunk.height_q4[at]) << points[k].x << "," << points[k].y;
    ASSERT_EQ(sample.water_q4, chunk.water_q4[at]);
    ASSERT_EQ(sample.forest_p, chunk.forest_p[at]);
  }
}

TEST(villages, are_the_same_at_every_level_of_detail_and_in_points) {
  expect_the_same_everywhere(kSeed, {-45000, -9000}, 6);
  expect_the_same_everywhere(kWithARiver, {72345, -77097}, 1);
}

/// Of the kinds with surroundings, each has what it asked for.
TEST(surroundings, are_as_kinds_want_them) {
  const World& world = default_world();
  std::map<int, int> seen;
  for (const Structure& structure : structures_around(world, {-20000, 30000}, 24)) {
    const SurroundingsRule& rule = world.structures->kinds[structure.kind].surroundings;
    if (rule.distance == 0 || ++seen[structure.kind] > 12) continue;
    // much finer, so never exactly what was looked at
    std::int32_t low = 1 << 30, high = -low;
    std::int64_t sum = 0, count = 0;
    bool has_water = false;
    const int step = 8;
    std::vector<BlockPos> points;
    for (std::int64_t y = -rule.distance; y <= rule.distance; y += step)
      for (std::int64_t x = -rule.distance; x <= rule.distance; x += step)
        points.push_back({structure.anchor.x + x, structure.anchor.y + y});
    for (const PointSample& sample : sample_points(world, kSeed, points, fastest())) {
      low = std::min(low, sample.height_q4);
      high = std::max(high, sample.height_q4);
      sum += sample.height_q4;
      ++count;
      has_water = has_water || sample.water_q4 > sample.height_q4;
    }
    const std::string& name = world.structure_kinds[structure.kind].name;
    EXPECT_TRUE(has_water || !rule.water) << name << " " << structure.anchor.x;
    if (rule.relief_q4.min > 0) {
      EXPECT_GT(high - low, rule.relief_q4.min * 3 / 4) << name;
    }
    if (rule.summit_q4.min > 0) {
      const auto rooms = rooms_of(world, kSeed, structure.anchor, fastest());
      EXPECT_GT(rooms[0].floor_q4, sum / count + rule.summit_q4.min / 2) << name;
    }
  }
  for (const char* name : {"village", "watchtower", "camp", "shrine", "dungeon"})
    EXPECT_GT(seen[kind_of(world, name)], 3) << name;
}

}  // namespace
}  // namespace terrane::worldgen
