// Seeds whose land is as somebody wishes.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>

#include "cli/find/portrait.h"
#include "cli/find/search.h"
#include "worldgen/float_environment.h"
#include "worldgen/structure_queries.h"
#include "worlds/world_catalog.h"

namespace terrane::cli {
namespace {

using Kind = Wish::Kind;

const worldgen::World& made(const std::string& name) {
  static const worlds::WorldCatalog kCatalog = worlds::builtin_worlds().value();
  return *kCatalog.at(name);
}

/// What a server says of a world.
World described(const worldgen::World& made) {
  World world;
  world.name = made.name;
  world.chunk_size = made.chunk_size;
  world.max_lod = made.max_lod;
  world.sea_level_q4 = made.sea_level_q4;
  for (const Layer layer : {Layer::kHeight, Layer::kTemperature, Layer::kHumidity, Layer::kBiome,
                            Layer::kWater, Layer::kForest, Layer::kRocks}) {
    if (made.layers & layer_bit(layer)) world.layers.emplace_back().layer = layer;
  }
  for (std::uint32_t id = 0; id < made.biomes.size(); ++id)
    world.biomes.push_back({id, made.biomes[id].name, made.biomes[id].color});
  world.structure_kinds = made.structure_kinds;
  world.placement_kinds = made.placement_kinds;
  return world;
}

Wish wish(const std::string& text, const std::string& world = "continents") {
  auto read = parse_wish(text, described(made(world)));
  EXPECT_TRUE(read) << (read ? "" : read.error().message);
  return read ? *std::move(read) : Wish();
}

std::string refusal(const std::string& text, const std::string& world = "continents") {
  const auto read = parse_wish(text, described(made(world)));
  return read ? "" : read.error().message;
}

Judge judge_of(const std::vector<std::string>& texts, const std::string& world = "continents",
               BlockPos place = {}) {
  worldgen::set_default_float_environment();
  std::vector<Wish> wishes;
  for (const std::string& text : texts) wishes.push_back(wish(text, world));
  return {made(world), described(made(world)), std::move(wishes), place};
}

PointSample sample(std::uint64_t seed, BlockPos block, const std::string& world = "continents") {
  return worldgen::sample_points(made(world), seed, std::array{block},
                                 worldgen::noise::supported_targets().back())
      .front();
}

double distance(BlockPos a, BlockPos b) {
  return std::hypot(static_cast<double>(a.x - b.x), static_cast<double>(a.y - b.y));
}

TEST(wish, says_what_where_and_how_much_in_any_case) {
  const Wish river = wish("River within 200 North-East");
  EXPECT_EQ(river.kind, Kind::kRiver);
  EXPECT_EQ(river.within, 200);
  EXPECT_EQ(river.direction, Direction::kNorthEast);
  EXPECT_FALSE(river.absent);
  EXPECT_EQ(wish("land").within, 0) << "the place itself";
  EXPECT_EQ(wish("land over 40%").within, 500);
  EXPECT_EQ(wish("land over 40% within 900").percent, 40);
  EXPECT_EQ(wish("land within 900 over 40 %").percent, 40);
  EXPECT_EQ(wish("land within 900 over 40 %").within, 900);
  EXPECT_EQ(wish("Forest", "resource_isles").within, 224) << "as far as that world's levels reach";
  EXPECT_EQ(wish("no   sea").within, 500);
  EXPECT_TRUE(wish("no sea within 3000").absent);
  EXPECT_EQ(wish("height -20 within 100").number, -20);
  EXPECT_EQ(wish("3 biomes within 2000").number, 3);
  const Wish forest = wish("deciduous forest over 30 west");
  EXPECT_EQ(forest.kind, Kind::kBiome);
  EXPECT_EQ(forest.direction, Direction::kWest);
  for (std::size_t id = 0; id < made("continents").biomes.size(); ++id)
    EXPECT_EQ(forest.ids[id], made("continents").biomes[id].name == "Deciduous Forest");
  EXPECT_EQ(wish("ruin within 800").kind, Kind::kStructure);
}

TEST(wish, says_what_is_wrong_with_it) {
  EXPECT_NE(refusal("dessert").find("wish 'dessert': world 'continents' has no biome"),
            std::string::npos);
  EXPECT_NE(refusal("dessert").find("close to it: Desert"), std::string::npos);
  EXPECT_EQ(refusal("sea within 9000"),
            "wish 'sea within 9000': within '9000' must be a whole number from 0 to 8192");
  EXPECT_EQ(refusal("sea over 0%"),
            "wish 'sea over 0%': over '0' must be a whole number from 1 to 100");
  EXPECT_NE(refusal("no land over 5%").find("'over' is for ground"), std::string::npos);
  EXPECT_NE(refusal("ruin over 5%").find("'over' is for ground"), std::string::npos);
  EXPECT_NE(refusal("harbour within 2000").find("1024"), std::string::npos);
  EXPECT_EQ(refusal(""), "wish '': it says nothing");
  EXPECT_EQ(refusal("no"), "wish 'no': it says nothing");
  EXPECT_NE(refusal("river", "classic").find("no rivers"), std::string::npos);
  EXPECT_NE(refusal("height x").find("height 'x' must be"), std::string::npos);
  EXPECT_NE(refusal("Grassland within 500", "resource_isles").find("too fine to look further"),
            std::string::npos);
}

TEST(wish, directions_are_quarters_around) {
  EXPECT_TRUE(is_towards(Direction::kNorth, {0, 0}, {30, -40}));
  EXPECT_FALSE(is_towards(Direction::kNorth, {0, 0}, {50, -40}));
  EXPECT_TRUE(is_towards(Direction::kSouthWest, {10, 10}, {-50, 20}));
  EXPECT_FALSE(is_towards(Direction::kSouthWest, {10, 10}, {-50, 5}));
}

TEST(find, what_is_said_to_be_there_is_there) {
  const Judge judge = judge_of({"land", "water within 600", "height 60 within 2000 south",
                                "no desert within 800", "4 biomes within 3000"});
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const auto evidence = judge.judge(seed);
    if (!evidence) continue;
    ++found;
    const PointSample here = sample(seed, {0, 0});
    EXPECT_LE(here.water_q4, here.height_q4);
    const BlockPos water = evidence->at(1).block.value(), high = evidence->at(2).block.value();
    const PointSample wet = sample(seed, water);
    EXPECT_GT(wet.water_q4, wet.height_q4);
    EXPECT_LE(distance({0, 0}, water), 600);
    EXPECT_GE(sample(seed, high).height_q4, 60 * 16);
    EXPECT_LE(distance({0, 0}, high), 2000);
    EXPECT_LE(std::abs(high.x), high.y);
    EXPECT_GE(evidence->at(4).biomes, 4);
    for (int k = 0; k < 40; ++k) {
      const BlockPos block{-560 + 28 * k, (k * 97) % 1120 - 560};
      EXPECT_NE(made("continents").biomes[sample(seed, block).biome].name, "Desert");
    }
  }
  EXPECT_GE(found, 10);
}

TEST(find, rivers_lakes_and_the_sea_are_told_apart) {
  for (const std::string kind : {"river", "lake", "sea"}) {
    const Judge judge = judge_of({kind + " within 700"});
    int found = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      const auto evidence = judge.judge(seed);
      if (!evidence) continue;
      ++found;
      const PointSample wet = sample(seed, evidence->at(0).block.value());
      EXPECT_GT(wet.water_q4, wet.height_q4);
      const auto water = made("continents").biomes[wet.biome].water;
      EXPECT_EQ(water, kind == "river"  ? worldgen::FreshWater::kRiver
                       : kind == "lake" ? worldgen::FreshWater::kLake
                                        : worldgen::FreshWater::kNone);
    }
    EXPECT_GE(found, 3) << kind;
  }
}

/// All samples of the last look, taken at once, find hardly more than the first few let through.
TEST(find, few_samples_first_miss_little_of_what_many_find) {
  int all = 0, found = 0;
  const worldgen::World& world = made("continents");
  const World told = described(world);
  for (const std::string text :
       {"sea within 1000", "height 200 within 2000", "land over 50% within 1500"}) {
    const Judge judge = judge_of({text});
    const Wish& wished = judge.wishes().front();
    for (std::uint64_t seed = 1; seed <= 120; ++seed) {
      Survey survey(world, told, seed);
      const Lattice& lattice = survey.around({0, 0}, wished.within, wished.within > 1024 ? 32 : 16);
      std::size_t hits = 0, ground = 0;
      for (std::size_t i = 0; i < lattice.layers.height_q4.size(); ++i) {
        if (distance({0, 0}, lattice.block(i)) > static_cast<double>(wished.within)) continue;
        ++ground;
        const Wetness wet = survey.wetness(lattice, i);
        hits += wished.kind == Kind::kSea    ? wet == Wetness::kSea
                : wished.kind == Kind::kLand ? wet == Wetness::kDry
                                             : lattice.layers.height_q4[i] >= 200 * 16;
      }
      const bool is_so = wished.percent > 0 ? 2 * hits >= ground : hits > 0;
      const bool is_found = judge.judge(seed).has_value();
      all += is_so ? 1 : 0;
      found += is_found ? 1 : 0;
      EXPECT_TRUE(is_so || !is_found) << text << ", seed " << seed;
    }
  }
  std::printf("check find: %d of %d seeds\n", found, all);
  EXPECT_GT(all, 100);
  EXPECT_GE(100 * found, 95 * all);
}

TEST(find, structures_are_those_that_stand_there) {
  const Judge judge = judge_of({"ruin within 1500 north"}, "continents", {4000, -9000});
  const worldgen::World& world = made("continents");
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 90; ++seed) {
    const auto evidence = judge.judge(seed);
    bool there = false;
    for (const Structure& structure :
         worldgen::structures_within(world, seed, {2500, -10500}, {5500, -7500},
                                     worldgen::noise::supported_targets().back())) {
      if (world.structure_kinds[structure.kind].name != "ruin") continue;
      const std::int64_t x = structure.anchor.x - 4000, y = structure.anchor.y + 9000;
      if (x * x + y * y > 1500 * 1500 || y > 0 || std::abs(x) > -y) continue;
      there = true;
    }
    EXPECT_EQ(evidence.has_value(), there) << seed;
    found += there ? 1 : 0;
  }
  EXPECT_GE(found, 3);
}

TEST(find, harbours_are_sheltered_sea_with_a_way_out) {
  const Judge judge = judge_of({"harbour within 1000"});
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 400 && found < 3; ++seed) {
    const auto evidence = judge.judge(seed);
    if (!evidence) continue;
    ++found;
    const BlockPos block = evidence->at(0).block.value();
    const PointSample here = sample(seed, block);
    EXPECT_LE(here.height_q4, -32);
    int closed = 0, open = 0;
    for (int k = 0; k < 32; ++k) {
      const double angle = k * 3.14159265 / 16;
      double land = 1000;
      for (double far = 8; far <= 600 && land > 600; far += 8) {
        const PointSample at =
            sample(seed, {block.x + static_cast<std::int64_t>(far * std::cos(angle)),
                          block.y + static_cast<std::int64_t>(far * std::sin(angle))});
        if (at.water_q4 <= at.height_q4) land = far;
      }
      closed += land <= 450 ? 1 : 0;
      open += land > 600 ? 1 : 0;
    }
    EXPECT_GE(closed, 16) << "seed " << seed << " at " << block.x << ',' << block.y;
    EXPECT_GE(open, 1);
  }
  EXPECT_GE(found, 1);
}

TEST(find, seeds_come_in_their_order_whoever_is_how_fast) {
  const Judge judge = judge_of({"land", "sea within 1500"});
  const auto search = [&](int threads, std::uint64_t count) {
    std::vector<std::uint64_t> seeds;
    std::uint64_t last = 40;
    search_seeds(judge, {40, count}, threads,
                 [&](std::uint64_t next, const std::vector<FoundSeed>& found) {
                   EXPECT_GT(next, last);
                   for (const FoundSeed& one : found) {
                     EXPECT_GE(one.seed, last);
                     EXPECT_LT(one.seed, next);
                     seeds.push_back(one.seed);
                   }
                   last = next;
                   return true;
                 });
    EXPECT_EQ(last, 40 + count);
    return seeds;
  };
  const auto alone = search(1, 130);
  EXPECT_GE(alone.size(), 3u);
  EXPECT_EQ(search(4, 130), alone);
  std::size_t told = 0;
  search_seeds(judge, {40, std::uint64_t{1} << 60}, 3, [&](std::uint64_t, const auto& found) {
    told += found.size();
    return told < 2;
  });
  EXPECT_GE(told, 2u) << "and it has ended";
}

TEST(find, ends_when_whoever_is_told_has_had_enough_of_it) {
  const Judge judge = judge_of({"land"});
  EXPECT_THROW(search_seeds(judge, {1, std::uint64_t{1} << 40}, 2,
                            [](std::uint64_t, const auto&) -> bool {
                              throw std::runtime_error("the disk is full");
                            }),
               std::runtime_error);
}

TEST(find, goes_on_to_the_last_seed_there_is) {
  const Judge judge = judge_of({"2 biomes within 400"}, "perlin");
  constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t last = 1;
  search_seeds(judge, {kLast - 19, 20}, 2, [&](std::uint64_t next, const auto&) {
    last = next;
    return true;
  });
  EXPECT_EQ(last, 0u) << "there is none beyond it";
}

TEST(find, a_portrait_is_a_picture_of_the_place) {
  const auto picture =
      portrait_of(made("continents"), described(made("continents")), 7, {-100000, 250000}, 3000);
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_EQ(picture->substr(1, 3), "PNG");
  EXPECT_GT(picture->size(), 20000u) << "there is something on it";
  const auto other =
      portrait_of(made("continents"), described(made("continents")), 8, {-100000, 250000}, 3000);
  EXPECT_NE(*picture, *other);
}

}  // namespace
}  // namespace terrane::cli
