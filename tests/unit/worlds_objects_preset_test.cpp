// Placements and structures in world files.
#include <gtest/gtest.h>

#include <string>

#include "worlds/preset.h"

namespace terrane::worlds {
namespace {

// Lines too long for this page are split between literals and stay one line: errors number them.
constexpr std::string_view kWorld =
    R"({
  "name": "small",
  "max_lod": 4,
  "perlin": {
    "height": { "frequency": { "blocks": 256 }, "octaves": 4 },
    "temperature": { "frequency": { "blocks": 1024 } },
    "humidity": { "frequency": { "cells": 3, "blocks": 1000 } }
  },
  "placements": {
    "cell": 6, "distance": 4,
    "forest": { "patches": { "frequency": { "blocks": 200 }, "octaves": 4 } },
    "rocks": { "patches": { "frequency": { "blocks": 50 }, "octaves": 2 } },
    "kinds": [
      { "name": "oak", "color": "305020", "radius": 2.5, "height": 12 },
      { "name": "stone", "color": "707070", "smallest": 40, "largest": 200 }
    ]
  },
  "structures": {
    "region": 256,
    "kinds": [
      { "name": "hut", "color": "905030", "chance": 60, "rooms_low": 1, "rooms_high": 3, )"
    R"("extent": 20, "deepest": 1, "height": { "min": 2 },
        "pieces": [
          { "name": "door", "width": 5, "depth": 5, "entrance": true, )"
    R"("doors": [{ "side": "min_y", "at": 2 }, { "side": "max_x", "at": 4 }] },
          { "name": "room", "width": 7, "depth": 4, "levels": 2, )"
    R"("doors": [{ "side": "min_x", "at": 3, "level": 1 }] }
        ] }
    ]
  },
  "biomes": [
    { "name": "Sea", "color": "0000ff", "height": { "max": 0 } },
    { "name": "Land", "color": "00ff00", "forest": 40, )"
    R"("trees": [{ "kind": "oak", "weight": 3 }], "rocks": 5, "boulders": [{ "kind": "stone" }] }
  ]
})";

std::string with(std::string_view what, std::string_view by) {
  std::string text(kWorld);
  std::size_t at = text.find(what), count = 0;
  EXPECT_NE(at, std::string::npos) << what;
  for (; at != std::string::npos; at = text.find(what, at + by.size()), ++count)
    text.replace(at, what.size(), by);
  return text;
}

std::string refusal(std::string_view what, std::string_view by) {
  const auto world = parse_preset(with(what, by), "small.json");
  return world ? "" : world.error().message;
}

WorldFingerprint fingerprint_of(const std::string& json) {
  const auto world = parse_preset(json, "small.json");
  EXPECT_TRUE(world) << (world ? "" : world.error().message);
  return world ? world->fingerprint : 0;
}

TEST(objects_preset, becomes_kinds_rules_and_layers) {
  const auto world = parse_preset(kWorld, "small.json");
  ASSERT_TRUE(world) << world.error().message;
  EXPECT_EQ(world->layers, kCoreLayers | layer_bit(Layer::kForest) | layer_bit(Layer::kRocks) |
                               layer_bit(Layer::kPlacements) | layer_bit(Layer::kStructures));
  ASSERT_EQ(world->placement_kinds.size(), 2u);
  EXPECT_EQ(world->placement_kinds[0].radius_q4, 40);
  EXPECT_EQ(world->placements->scales[1].high, 200);
  EXPECT_TRUE(world->placements->trees[0].empty());
  EXPECT_EQ(world->placements->trees[1].at(0).up_to, 3u);
  ASSERT_EQ(world->structure_kinds.size(), 1u);
  EXPECT_EQ(world->structure_kinds[0].storey_q4, 64);
  EXPECT_EQ(world->structure_kinds[0].pieces.at(1).doors.at(0).level, 1);
  EXPECT_EQ(world->structures->kinds[0].share, 6000u);
  EXPECT_EQ(world->structures->kinds[0].height_q4.min, 32);
  EXPECT_TRUE(world->structures->kinds[0].pieces[0].entrance);
}

/// The world with a village, whose homes are huts.
std::string with_village(std::string_view what = "\"lot\": 44",
                         std::string_view by = "\"lot\": 44") {
  std::string text = with("\"kinds\": [\n      { \"name\": \"hut\"", R"("kinds": [
      { "name": "hamlet", "color": "a05030", "chance": 30, "extent": 10,
        "surroundings": { "distance": 64, "water": true, "relief": { "max": 20 } },
        "village": { "homes_low": 2, "homes_high": 4, "lot": 44, "lane_width": 3,
          "lane_biome": "Path", "field_depth": 12, "fields": [{ "biome": "Path" }],
          "homes": [{ "kind": "hut", "weight": 2 }] },
        "pieces": [{ "name": "well", "width": 3, "depth": 3, "entrance": true,
          "doors": [{ "side": "min_y", "at": 1 }] }] },
      { "name": "hut")");
  const std::string_view biomes = "\"biomes\": [";
  text.insert(text.find(biomes) + biomes.size(),
              "\n    { \"name\": \"Path\", \"color\": \"a09070\", \"water\": \"painted\" },");
  text.replace(text.find("\"region\": 256"), 13, "\"region\": 512");
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(objects_preset, villages_become_rules) {
  const auto world = parse_preset(with_village(), "small.json");
  ASSERT_TRUE(world) << world.error().message;
  const worldgen::StructureRule& rule = world->structures->kinds.at(0);
  EXPECT_EQ(rule.surroundings.distance, 64);
  EXPECT_EQ(rule.surroundings.relief_q4.max, 320);
  ASSERT_TRUE(rule.village);
  EXPECT_EQ(rule.village->homes.at(0).id, 1);
  EXPECT_EQ(rule.village->homes.at(0).weight, 2u);
  EXPECT_EQ(rule.village->lane_biome, 0);
  EXPECT_EQ(world->biomes[0].water, worldgen::FreshWater::kPainted);
  EXPECT_FALSE(world->structures->kinds.at(1).village);
  EXPECT_NE(fingerprint_of(with_village()),
            fingerprint_of(with_village("\"lot\": 44", "\"lot\": 45")));
}

TEST(objects_preset, mistakes_in_villages_are_told_with_path_and_line) {
  const auto refused = [](std::string_view what, std::string_view by) {
    const auto world = parse_preset(with_village(what, by), "small.json");
    return world ? "" : world.error().message;
  };
  const std::string village = "small.json: structures.kinds[0].village.";
  EXPECT_EQ(refused("\"distance\": 64", "\"distance\": 48"),
            "small.json: structures.kinds[0].surroundings.distance: 48 is not one of 16, 32, 64, "
            "128 (line 22)");
  EXPECT_EQ(refused("\"homes_low\": 2", "\"homes_low\": 5"),
            village + "homes_low: 5 is more than homes_high, 4 (line 23)");
  EXPECT_EQ(refused("\"lane_width\": 3", "\"lane_width\": 4"),
            village + "lane_width: 4 is even; lanes have a block in their middle (line 23)");
  EXPECT_EQ(refused("\"lane_biome\": \"Path\"", "\"lane_biome\": \"Road\""),
            village + "lane_biome: no row of biomes has the name \"Road\" (line 24)");
  EXPECT_EQ(refused("\"fields\": [{ \"biome\": \"Path\" }],", ""),
            village + "fields: none, but field_depth is not 0 (line 23)");
  EXPECT_EQ(
      refused("\"kind\": \"hut\"", "\"kind\": \"house\""),
      village + "homes[0].kind: no kind of structures.kinds has the name \"house\" (line 25)");
  EXPECT_EQ(refused("\"kind\": \"hut\"", "\"kind\": \"hamlet\""),
            village + "homes[0].kind: this kind has a village itself (line 25)");
  EXPECT_EQ(refused("\"lot\": 44", "\"lot\": 30"),
            village +
                "lot: 30 is less than 37, which the longest extent, its skirt and the lane need "
                "(line 23)");
  EXPECT_EQ(
      refused("\"homes_high\": 4", "\"homes_high\": 20").find(village + "homes_high: with it "),
      0u);
}

TEST(objects_preset, mistakes_are_told_with_path_and_line) {
  EXPECT_EQ(refusal("\"distance\": 4", "\"distance\": 7"),
            "small.json: placements.distance: 7 is more than cell, 6 (line 10)");
  EXPECT_EQ(refusal("\"kind\": \"oak\"", "\"kind\": \"elm\""),
            "small.json: biomes[1].trees[0].kind: 'elm' is not the name of one of placements.kinds "
            "(line 30)");
  EXPECT_EQ(refusal("\"rocks\": 5, \"boulders\": [{ \"kind\": \"stone\" }]", "\"rocks\": 5"),
            "small.json: biomes[1].boulders: is missing; say which kinds stand there, as rocks is "
            "more than 0 (line 30)");
  EXPECT_EQ(refusal("{ \"name\": \"stone\"", "{ \"name\": \"oak\""),
            "small.json: placements.kinds[1].name: 'oak' is another kind's name already (line 15)");
  EXPECT_EQ(refusal("\"smallest\": 40", "\"smallest\": 240"),
            "small.json: placements.kinds[1].smallest: 240 is more than largest, 200 (line 15)");
  EXPECT_NE(refusal("\"blocks\": 200 }", "\"blocks\": 200 }, \"gain\": 2")
                .find("placements.forest.patches.gain: 2 is above"),
            std::string::npos);
  EXPECT_NE(refusal("\"blocks\": 50 }, \"octaves\": 2", "\"blocks\": 50 }, \"octaves\": 9")
                .find("placements.rocks.patches: the finest"),
            std::string::npos);
  EXPECT_EQ(
      refusal("\"region\": 256", "\"region\": 300"),
      "small.json: structures.region: 300 is not one of 128, 256, 512, 1024, 2048, 4096 (line 19)");
  EXPECT_EQ(refusal("\"max_lod\": 4", "\"max_lod\": 12"),
            "small.json: max_lod: its tiles span 262144 blocks, but 16 times structures.region = "
            "4096 is the limit (line 3)");
  EXPECT_EQ(refusal("\"extent\": 20", "\"extent\": 128, \"skirt\": 32")
                .find("small.json: structures.kinds[0].extent: "),
            std::string::npos);
  EXPECT_NE(refusal("\"region\": 256", "\"region\": 128, \"kinds\": []").find("structures.kinds"),
            std::string::npos);
  EXPECT_EQ(refusal("\"chance\": 60", "\"chance\": 101"),
            "small.json: structures.kinds[0].chance: 101 is above the largest allowed, 100 percent "
            "(line 21)");
  EXPECT_EQ(refusal("\"rooms_low\": 1", "\"rooms_low\": 4"),
            "small.json: structures.kinds[0].rooms_low: 4 is more than rooms_high, 3 (line 21)");
}

TEST(objects_preset, mistakes_in_pieces_are_told_with_path_and_line) {
  EXPECT_EQ(refusal("\"side\": \"max_x\", \"at\": 4", "\"side\": \"max_x\", \"at\": 5"),
            "small.json: structures.kinds[0].pieces[0].doors[1].at: 5 is beyond the wall, which "
            "has blocks 0 to 4 (line 23)");
  EXPECT_EQ(refusal("\"at\": 3, \"level\": 1", "\"at\": 3, \"level\": 2"),
            "small.json: structures.kinds[0].pieces[1].doors[0].level: 2 is above the piece, which "
            "has storeys 0 to 1 (line 24)");
  EXPECT_EQ(
      refusal("\"side\": \"max_x\", \"at\": 4", "\"side\": \"min_y\", \"at\": 2"),
      "small.json: structures.kinds[0].pieces[0].doors[1].at: there is a door already (line 23)");
  EXPECT_NE(refusal("\"side\": \"max_x\"", "\"side\": \"east\"").find("is not one of its values"),
            std::string::npos);
  EXPECT_EQ(refusal("\"entrance\": true", "\"entrance\": false"),
            "small.json: structures.kinds[0].pieces: none is an entrance; give one \"entrance\": "
            "true (line 22)");
  EXPECT_EQ(refusal("\"width\": 7", "\"width\": 21"),
            "small.json: structures.kinds[0].pieces[1].width: 21 is more than the kind's extent, "
            "20 (line 24)");
  EXPECT_EQ(refusal("\"depth\": 5, \"entrance\": true",
                    "\"depth\": 5, \"levels\": 2, \"entrance\": true"),
            "small.json: structures.kinds[0].pieces[0].entrance: it has 1 storeys above its first "
            "door, but highest is 0 (line 23)");
}

TEST(objects_preset, without_placements_biomes_name_none) {
  std::string text(kWorld);
  const auto from = text.find("  \"placements\""), to = text.find("  \"structures\"");
  const auto world = parse_preset(text.erase(from, to - from), "small.json");
  ASSERT_FALSE(world);
  EXPECT_NE(world.error().message.find("biomes[1].forest: needs `placements`"), std::string::npos)
      << world.error().message;
}

TEST(objects_preset, what_changes_the_land_changes_the_fingerprint_and_names_do_not) {
  const WorldFingerprint base = fingerprint_of(std::string(kWorld));
  EXPECT_NE(fingerprint_of(with("\"forest\": 40", "\"forest\": 41")), base);
  EXPECT_NE(fingerprint_of(with("\"weight\": 3", "\"weight\": 2")), base);
  EXPECT_NE(fingerprint_of(with("\"cell\": 6", "\"cell\": 7")), base);
  EXPECT_NE(fingerprint_of(with("\"kind\": \"oak\"", "\"kind\": \"stone\"")), base);
  EXPECT_NE(fingerprint_of(with("\"width\": 7", "\"width\": 6")), base);
  EXPECT_NE(fingerprint_of(with("\"side\": \"max_x\"", "\"side\": \"min_x\"")), base);
  EXPECT_NE(fingerprint_of(with("\"chance\": 60", "\"chance\": 61")), base);
  EXPECT_EQ(fingerprint_of(with("\"oak\"", "\"elm\"")), base);
  EXPECT_EQ(fingerprint_of(with("\"hut\"", "\"cabin\"")), base);
  EXPECT_EQ(fingerprint_of(with("\"radius\": 2.5", "\"radius\": 3")), base);
}

}  // namespace
}  // namespace terrane::worlds
