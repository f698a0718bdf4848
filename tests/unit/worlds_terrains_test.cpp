// What `skyline`, `faultlines` and `resource_isles` refuse, with which words.
#include <gtest/gtest.h>

#include <string>

#include "worlds/builtin_presets.h"
#include "worlds/preset.h"

namespace terrane::worlds {
namespace {

std::string builtin(std::string_view file) {
  for (const BuiltinPreset& preset : builtin_presets()) {
    if (preset.file == file) return std::string(preset.json);
  }
  ADD_FAILURE() << file;
  return "";
}

std::string with(std::string text, std::string_view what, std::string_view by) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

/// The error that a changed built-in preset gives, without the file's name and the line; empty when
/// it gives none.
std::string refusal(std::string_view file, std::string_view what, std::string_view by) {
  const auto world = parse_preset(with(builtin(file), what, by), "x");
  if (world) return "";
  const std::string& message = world.error().message;
  return message.substr(3, message.rfind(" (line") - 3);
}

std::string walk(const std::string& numbers) {
  return refusal("skyline.json", R"("method": "superposed",)",
                 R"("method": "height_dependent_offsets", )" + numbers);
}

TEST(skyline_preset, walks_that_cannot_reach_their_anchors_are_refused_with_what_would_do) {
  EXPECT_EQ(walk(R"("up": 20, "down": 15, "anchor_steps": 64, "cap": 360,)"), "");
  EXPECT_EQ(walk(R"("up": 20, "down": 15, "anchor_steps": 47, "cap": 360,)"),
            "skyline.anchor_steps: 47 steps are too few to get from one anchor to the next: at "
            "least 48 are needed, or a smaller "
            "amplitude, or larger steps (the smaller of up and down counts)");
  EXPECT_EQ(
      walk(R"("up": 20, "down": 15, "anchor_steps": 64, "cap": 359,)"),
      "skyline.cap: 359 is less than twice the amplitude, up or down: at least 360 is needed");
  // twice as much in decimal, though not once both are rounded to the steps of heights
  const std::string file = with(builtin("skyline.json"), R"("method": "superposed",)",
                                R"("method": "height_dependent_offsets", "up": 2, "down": 2,
                                   "anchor_steps": 64, "cap": 20.2,)");
  EXPECT_TRUE(parse_preset(with(file, R"("amplitude": 180)", R"("amplitude": 10.1)"), "x"));
  EXPECT_EQ(refusal("skyline.json", "superposed\"",
                    "random_offsets\", \"up\": 5, \"down\": 6, \"anchor_steps\": 72"),
            "");
  EXPECT_NE(refusal("skyline.json", "superposed\"",
                    "random_offsets\", \"up\": 5, \"down\": 6, \"anchor_steps\": 71")
                .find("at least 72"),
            std::string::npos);
}

TEST(skyline_preset, unknown_methods_are_refused_with_the_known_ones) {
  EXPECT_EQ(refusal("skyline.json", "superposed", "superimposed"),
            "skyline.method: the text \"superimposed\" is not one of its values; did you mean "
            "superposed?");
  EXPECT_NE(refusal("skyline.json", "cosine", "spline").find("there is linear, cosine"),
            std::string::npos);
  EXPECT_EQ(refusal("skyline.json", "\"octaves\": 8", "\"octaves\": 13"),
            "skyline.octaves: 13 is above the largest allowed, 12");
  EXPECT_EQ(refusal("skyline.json", "\"step\": 8", "\"step\": 0"),
            "skyline.step: 0 is below the smallest allowed, 1 block");
}

TEST(plain_climate_preset, noises_finer_than_a_block_are_refused) {
  EXPECT_NE(refusal("skyline.json", "\"blocks\": 6000", "\"blocks\": 3")
                .find("skyline.climate.temperature: the finest of 3 octaves"),
            std::string::npos);
  EXPECT_NE(refusal("faultlines.json", "\"blocks\": 2500", "\"blocks\": 3")
                .find("faultlines.climate.humidity: the finest of 5"),
            std::string::npos);
  EXPECT_NE(refusal("resource_isles.json", "\"blocks\": 800", "\"blocks\": 3")
                .find("resource_isles.climate.humidity: the finest"),
            std::string::npos);
}

TEST(faultlines_preset, limits_that_depend_on_the_region_are_checked) {
  EXPECT_EQ(refusal("faultlines.json", "\"region\": 1024", "\"region\": 1000"),
            "faultlines.region: 1000 is not one of 256, 512, 1024, 2048, 4096");
  EXPECT_EQ(refusal("faultlines.json", "\"reach\": 768", "\"reach\": 1025"),
            "faultlines.reach: 1025 is more than faultlines.region = 1024");
  EXPECT_EQ(
      refusal("faultlines.json", "\"max_lod\": 4", "\"max_lod\": 8"),
      "max_lod: its tiles span 16384 blocks, but 2 times faultlines.region = 2048 is the limit");
  EXPECT_NE(refusal("faultlines.json", "\"lines\": 64", "\"lines\": 1025"), "");
  EXPECT_EQ(refusal("faultlines.json", "\"lines\": 64", "\"lines\": 1024"), "");
}

TEST(resource_isles_preset, its_biome_table_is_its_kinds_of_tile) {
  EXPECT_EQ(
      refusal("resource_isles.json", "{ \"name\": \"Ocean\", \"color\": \"1F5F9B\" },", ""),
      "biomes: 5 rows; resource_isles needs 6: water, ocean, grassland, forest, rocks, mountain");
  for (const char* extra :
       {"\"height\": { \"min\": 0 }", "\"temperature\": {}", "\"humidity\": {}", "\"slope\": {}",
        "\"inland\": {}", "\"priority\": 1", "\"water\": \"land\""}) {
    EXPECT_EQ(refusal("resource_isles.json", "\"1F5F9B\"", std::string("\"1F5F9B\", ") + extra),
              "biomes[1]: must have no ranges, no priority and no water; the tiles of "
              "resource_isles decide");
  }
}

TEST(resource_isles_preset, other_placements_and_structures_are_refused) {
  const std::string noise = R"({ "patches": { "frequency": { "blocks": 100 } } })";
  const std::string placements =
      "\"placements\": { \"forest\": " + noise + ", \"rocks\": " + noise +
      R"(, "kinds": [ { "name": "oak", "color": "000000" } ] }, "max_lod": 2)";
  EXPECT_EQ(refusal("resource_isles.json", "\"max_lod\": 2", placements),
            "placements: resource_isles has `resources` instead");
}

TEST(resource_isles_preset, limits_that_depend_on_each_other_are_checked) {
  EXPECT_EQ(refusal("resource_isles.json", "\"extent_max\": 1", "\"extent_max\": 0.4"),
            "resource_isles.extent_min: is greater than resource_isles.extent_max");
  EXPECT_EQ(refusal("resource_isles.json", "\"water_below\": 0.25", "\"water_below\": 0.75"),
            "resource_isles.water_below: must be less than resource_isles.mountain_from");
  EXPECT_EQ(refusal("resource_isles.json", "\"max_lod\": 2", "\"max_lod\": 3"),
            "max_lod: its tiles span 512 blocks, but with tidy islands 2 times resource_isles.cell "
            "= 256 is the limit");
  EXPECT_EQ(refusal("resource_isles.json", "\"max_lod\": 2", "\"max_lod\": 2, \"chunk_size\": 128")
                .substr(0, 11),
            "chunk_size:");
  EXPECT_EQ(refusal("resource_isles.json", "\"land_share_min\": 0.06", "\"land_share_min\": 0.2"),
            "resource_isles.land_share_min: must be less than the share of a cell that the "
            "smallest island's ellipse covers; make it "
            "smaller, or extent_min larger");
  EXPECT_EQ(refusal("resource_isles.json", "\"land_share_max\": 0.45", "\"land_share_max\": 0.1"),
            "resource_isles.land_share_max: must be at least 0.05 more than land_share_min");
  const auto untidy =
      parse_preset(with(with(builtin("resource_isles.json"), "\"tidy\": true", "\"tidy\": false"),
                        "\"max_lod\": 2", "\"max_lod\": 8"),
                   "x");
  EXPECT_TRUE(untidy) << untidy.error().message;
}

TEST(resource_isles_preset, noises_finer_than_a_tile_are_refused) {
  for (const std::string_view blocks : {"\"blocks\": 10 }", "\"blocks\": 20 }"}) {
    EXPECT_NE(refusal("resource_isles.json", blocks, "\"blocks\": 1, \"cells\": 2 }"), "");
  }
  const std::string height = refusal("resource_isles.json", "\"blocks\": 10 }, \"octaves\": 1",
                                     "\"blocks\": 10 }, \"octaves\": 5");
  EXPECT_EQ(height.substr(0, 46), "resource_isles.height: the finest of 5 octaves");
  const std::string forest = refusal("resource_isles.json", "\"blocks\": 20 }, \"octaves\": 1",
                                     "\"blocks\": 20 }, \"octaves\": 4");
  EXPECT_EQ(forest.substr(0, 46), "resource_isles.forest: the finest of 4 octaves");
  const std::string rocks =
      refusal("resource_isles.json", "\"cells\": 7, \"blocks\": 10 }, \"octaves\": 1",
              "\"cells\": 7, \"blocks\": 10 }, \"octaves\": 2");
  EXPECT_EQ(rocks.substr(0, 45), "resource_isles.rocks: the finest of 2 octaves");
}

TEST(resource_isles_preset, resources_are_checked_and_become_placement_kinds) {
  const std::string twice =
      R"({ "tile": "rocks", "chance": 0.7 }, { "tile": "rocks", "chance": 0.1 })";
  EXPECT_EQ(refusal("resource_isles.json", R"({ "tile": "rocks", "chance": 0.7 })", twice),
            "resource_isles.resources[1].chances: rocks stands there twice; one must go");
  EXPECT_EQ(refusal("resource_isles.json", R"("chance": 0.7)", R"("chance": 0.96)"),
            "resource_isles.resources[2].chances: the chances of all things on rocks add up to "
            "more than 1");
  EXPECT_EQ(refusal("resource_isles.json", R"("chance": 0.7)", R"("chance": 0.95)"), "");
  EXPECT_EQ(
      refusal("resource_isles.json", "1E5A22", "green"),
      "resource_isles.resources[0].color: 'green' is not six hexadecimal digits, like 2E7612");
  EXPECT_EQ(refusal("resource_isles.json", R"("tile": "rocks")", R"("tile": "rock")"),
            "resource_isles.resources[1].chances[0].tile: the text \"rock\" is not one of its "
            "values; did you mean rocks?");
  std::string many = "\"resources\": [";
  for (int k = 0; k < 58; ++k)
    many +=
        R"({ "name": "x", "color": "000000", "chances": [ { "tile": "ocean", "chance": 0 } ] },)";
  EXPECT_EQ(refusal("resource_isles.json", "\"resources\": [", many),
            "resource_isles.resources: 65 things; at most 64 are allowed");

  const auto world = parse_preset(builtin("resource_isles.json"), "x");
  ASSERT_TRUE(world) << world.error().message;
  EXPECT_EQ(world->layers, kCoreLayers | layer_bit(Layer::kPlacements));
  ASSERT_EQ(world->placement_kinds.size(), 7u);
  EXPECT_EQ(world->placement_kinds[0].name, "tree");
  EXPECT_EQ(world->placement_kinds[0].color, 0x1E5A22u);
  EXPECT_EQ(world->placement_kinds[0].radius_q4, 8);
  EXPECT_EQ(world->placement_kinds[0].height_q4, 96);
}

TEST(resource_isles_preset,
     how_things_look_is_no_part_of_the_fingerprint_but_how_often_they_are_found_is) {
  const auto fingerprint = [](const std::string& json) {
    return parse_preset(json, "x").value().fingerprint;
  };
  const std::string json = builtin("resource_isles.json");
  EXPECT_EQ(fingerprint(with(json, "1E5A22", "123456")), fingerprint(json));
  EXPECT_EQ(fingerprint(with(json, "\"tree\"", "\"palm\"")), fingerprint(json));
  EXPECT_NE(fingerprint(with(json, "\"chance\": 0.8", "\"chance\": 0.81")), fingerprint(json));
  EXPECT_NE(fingerprint(with(json, "\"tile\": \"forest\"", "\"tile\": \"mountain\"")),
            fingerprint(json));
}

}  // namespace
}  // namespace terrane::worlds
