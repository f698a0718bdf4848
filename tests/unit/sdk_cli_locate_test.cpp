#include <gtest/gtest.h>

#include <algorithm>

#include "cli/query/locate_names.h"
#include "cli/query/structure_plan.h"

namespace terrane::cli {
namespace {

World named_world() {
  World world;
  world.name = "test";
  world.biomes = {{0, "Desert", 0}, {1, "Deep Ocean", 0}, {2, "Desert", 0}};
  world.structure_kinds = {{"ruin", 0x808080, 48, {}}, {"desert", 0, 48, {}}};
  world.places = {{"Old Mill", {3, 4}, false}, {"Ruin", {5, 6}, false}};
  return world;
}

std::string refusal(std::string_view name) {
  const auto target = find_target(named_world(), name);
  return target ? "found" : target.error().message;
}

TEST(cli_locate, names_are_found_in_any_case_places_before_structures_before_biomes) {
  EXPECT_EQ(std::get<PlaceNamed>(*find_target(named_world(), "old mill")).name, "Old Mill");
  EXPECT_EQ(std::get<BiomeNamed>(*find_target(named_world(), "deep ocean")).name, "Deep Ocean");
  EXPECT_EQ(std::get<PlaceNamed>(*find_target(named_world(), "RUIN")).name, "Ruin");
  EXPECT_EQ(std::get<StructureNamed>(*find_target(named_world(), "DESERT")).name, "desert");
  EXPECT_EQ(std::get<BiomeNamed>(*find_target(named_world(), "Desert")).name, "Desert")
      << "as it is written";
}

TEST(cli_locate, an_unknown_name_is_told_what_comes_close_and_what_there_is) {
  EXPECT_NE(refusal("ruins").find("close to it: Ruin, ruin\n"), std::string::npos)
      << refusal("ruins");
  EXPECT_NE(refusal("ocean").find("close to it: Deep Ocean\n"), std::string::npos)
      << refusal("ocean");
  EXPECT_NE(refusal("castle").find(
                "biomes: Desert, Deep Ocean\n  structures: ruin, desert\n  places: Old Mill, Ruin"),
            std::string::npos)
      << refusal("castle");
  EXPECT_EQ(refusal("castle").find("close"), std::string::npos) << refusal("castle");
}

TEST(cli_locate, directions_have_the_north_towards_smaller_y) {
  EXPECT_EQ(direction({0, 0}, {0, -5}), "north");
  EXPECT_EQ(direction({0, 0}, {100, 30}), "east");
  EXPECT_EQ(direction({0, 0}, {100, 60}), "south-east");
  EXPECT_EQ(direction({7, 7}, {-50, -50}), "north-west");
  EXPECT_EQ(direction({7, 7}, {7, 7}), "here");
}

/// A hall of 5 x 4 with a door in the middle of its north side and one in the east, and a corridor
/// 4 x 1 of two storeys.
StructureKind ruin() {
  return {"ruin",
          0x808080,
          48,
          {{"hall", 5, 4, 1, {{Side::kMinY, 2, 0}, {Side::kMaxX, 1, 0}}},
           {"corridor", 4, 1, 2, {{Side::kMinX, 0, 1}}}}};
}

TEST(cli_structure, a_plan_shows_walls_open_doors_and_rooms_level_by_level) {
  StructurePlan plan;
  plan.structure = {.anchor = {12, 9}, .kind = 0, .rooms = 2, .from = {10, 10}, .to = {18, 13}};
  plan.rooms = {{.corner = {10, 10},
                 .floor_q4 = 160,
                 .structure = {},
                 .index = 0,
                 .piece = 0,
                 .open_doors = 3},
                {.corner = {15, 11},
                 .floor_q4 = 160,
                 .structure = {},
                 .index = 1,
                 .piece = 1,
                 .open_doors = 1}};
  const auto levels = plan_levels(plan, ruin());
  ASSERT_EQ(levels.size(), 2U);
  EXPECT_EQ(levels[0].from, (BlockPos{9, 8}));
  EXPECT_EQ(levels[0].rows, (std::vector<std::string>{"           ",  //
                                                      "   @       ",  //
                                                      " ##+##     ",  //
                                                      " #AAA+BBBB ",  //
                                                      " #AAA#     ",  //
                                                      " #####     ",  //
                                                      "           "}));
  EXPECT_EQ(levels[1].level, 1);
  EXPECT_EQ(levels[1].rows[3], "      +BBB ") << "its door is upstairs";
  const Picture picture = draw_plan(levels, ruin(), 2);
  EXPECT_EQ(picture.width, 2 * 2 * 11);
  EXPECT_EQ(picture.height, 2 * 7);
}

TEST(cli_structure, one_stands_before_the_outside_door_whatever_lies_below) {
  StructureKind kind = ruin();
  kind.pieces[0].levels = 2;
  kind.pieces[0].doors.at(0).level = 1;
  StructurePlan plan;
  plan.structure = {.anchor = {12, 9}, .kind = 0, .rooms = 1, .from = {10, 10}, .to = {14, 13}};
  plan.rooms = {{.corner = {10, 10},
                 .floor_q4 = 0,
                 .structure = {},
                 .index = 0,
                 .piece = 0,
                 .open_doors = 1}};
  const auto levels = plan_levels(plan, kind);
  ASSERT_EQ(levels.size(), 2u);
  const auto count = [](const PlanLevel& level) {
    std::ptrdiff_t all = 0;
    for (const std::string& row : level.rows) all += std::count(row.begin(), row.end(), '@');
    return all;
  };
  EXPECT_EQ(count(levels[0]), 0);
  EXPECT_EQ(count(levels[1]), 1);
}

TEST(cli_structure, turning_goes_from_x_towards_y) {
  const Piece piece{"hall", 5, 3, 1, {}};
  const auto block = [&](std::uint8_t turn, int u, int v) {
    return turned_block({.corner = {100, 200}, .structure = {}, .turn = turn}, piece, u, v);
  };
  EXPECT_EQ(block(0, 4, 0), (BlockPos{104, 200}));
  EXPECT_EQ(block(1, 4, 0), (BlockPos{102, 204})) << "the end towards +x points towards +y now";
  EXPECT_EQ(block(2, 4, 0), (BlockPos{100, 202}));
  EXPECT_EQ(block(3, 4, 0), (BlockPos{100, 200}));
  EXPECT_EQ(block(3, 0, 0), (BlockPos{100, 204}));
}

TEST(cli_structure, a_hostile_plan_is_cut_and_does_no_harm) {
  StructurePlan plan;
  plan.structure = {
      .anchor = {}, .kind = 0, .rooms = 1, .from = {-1, -1}, .to = {std::int64_t{1} << 40, 5}};
  plan.rooms = {{.corner = {1 << 30, 0}, .structure = {}, .piece = 0},
                {.corner = {}, .structure = {}, .piece = 200}};
  plan.rooms.emplace_back().corner = {2, 2};
  const auto levels = plan_levels(plan, ruin());
  ASSERT_EQ(levels.size(), 1U);
  EXPECT_LE(levels[0].rows[0].size(), 512U);
}

}  // namespace
}  // namespace terrane::cli
