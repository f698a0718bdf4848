// Stamps and named places in world files.
#include <gtest/gtest.h>

#include <string>

#include "worlds/builtin_presets.h"
#include "worlds/preset.h"

namespace terrane::worlds {
namespace {

/// A built-in world with more at its end.
Result<worldgen::World> with(const std::string& more, std::string_view file = "continents.json") {
  for (const BuiltinPreset& preset : builtin_presets()) {
    if (preset.file != file) continue;
    const std::string text(preset.json);
    return parse_preset(text.substr(0, text.find_last_of('}')) + ",\n" + more + "}", "w.json");
  }
  return fail(ErrorCode::kNotFound, "no such preset");
}

std::string refusal(const std::string& more, std::string_view file = "continents.json") {
  const auto world = with(more, file);
  const std::string message = world ? "" : world.error().message;
  return message.substr(0, message.find(" (line "));
}

worldgen::World plain() { return with("\"places\": []").value(); }

TEST(stamps_preset, becomes_stamps_in_their_order_and_another_world) {
  const auto world = with(R"("stamps": [
    { "note": "a road", "at": { "x": -1099511627776, "y": 3 },
      "to": { "x": -1099511627000, "y": -5 }, "radius": 4, "falloff": 20, "flatten": 61.5,
      "flatten_to": -2.25, "clear": true },
    { "at": { "x": 7, "y": 8 }, "radius": 40, "falloff": 30, "raise": -6.5, "water": 60,
      "roughness": 22, "biome": "Savanna" }
  ])");
  ASSERT_TRUE(world) << world.error().message;
  ASSERT_EQ(world->stamps.all().size(), 2u);
  const worldgen::Stamp &road = world->stamps.all()[0], &pool = world->stamps.all()[1];
  EXPECT_EQ(road.from, (BlockPos{-1099511627776, 3}));
  EXPECT_EQ(road.to, (BlockPos{-1099511627000, -5}));
  EXPECT_EQ(road.radius, 4);
  EXPECT_EQ(road.falloff, 20);
  ASSERT_TRUE(road.flatten);
  EXPECT_EQ(road.flatten->from_q4, 984);
  EXPECT_EQ(road.flatten->to_q4, -36);
  EXPECT_TRUE(road.clear);
  EXPECT_FALSE(road.water_q4 || road.biome);
  EXPECT_EQ(pool.to, pool.from);
  EXPECT_EQ(pool.raise_q4, -104);
  EXPECT_EQ(pool.roughness, 22);
  EXPECT_EQ(pool.water_q4, 960);
  ASSERT_TRUE(pool.biome);
  EXPECT_EQ(world->biomes[*pool.biome].name, "Savanna");
  EXPECT_FALSE(pool.flatten || pool.clear);
  EXPECT_NE(world->fingerprint, plain().fingerprint);
}

TEST(stamps_preset, places_are_told_and_change_nothing_else) {
  const auto world = with(R"("places": [
    { "name": "Old Harbour", "at": { "x": -70, "y": 9000000000 } },
    { "name": "Gate", "at": { "x": 0, "y": 0 }, "spawn": true }
  ])");
  ASSERT_TRUE(world) << world.error().message;
  const std::vector<NamedPlace> expected{{"Old Harbour", {-70, 9000000000}, false},
                                         {"Gate", {0, 0}, true}};
  EXPECT_EQ(world->places, expected);
  EXPECT_EQ(world->fingerprint, plain().fingerprint);
}

TEST(stamps_preset, refuses_what_can_not_be_and_says_why) {
  const auto stamp = [](const std::string& fields) {
    return refusal("\"stamps\": [ { \"at\": { \"x\": 0, \"y\": 0 }, \"radius\": 5, " + fields +
                   " } ]");
  };
  EXPECT_EQ(stamp("\"clear\": true"), "");
  EXPECT_EQ(refusal("\"stamps\": [ { \"radius\": 5 } ]"), "w.json: stamps[0].at: is missing");
  EXPECT_EQ(refusal("\"stamps\": [ { \"at\": { \"x\": 1 } } ]"),
            "w.json: stamps[0].at.y: is missing");
  EXPECT_EQ(refusal("\"stamps\": [ { \"at\": { \"x\": 1.5, \"y\": 0 } } ]"),
            "w.json: stamps[0].at.x: must be a whole number, not 1.5");
  EXPECT_EQ(refusal("\"stamps\": [ { \"at\": { \"x\": 1, \"y\": 1e13 } } ]"),
            "w.json: stamps[0].at.y: 1e13 is above the largest allowed, 1099511627776 block");
  EXPECT_EQ(stamp("\"to\": { \"x\": 1, \"y\": -20000 }"),
            "w.json: stamps[0].to.y: is 20000 blocks from at.y; at most 16384 are allowed: let "
            "several stamps follow each other");
  EXPECT_EQ(stamp("\"flatten\": 5, \"flatten_to\": 4"),
            "w.json: stamps[0].flatten_to: needs to, the line's end that it is the height of");
  EXPECT_EQ(stamp("\"to\": { \"x\": 1, \"y\": 1 }, \"flatten_to\": 4"),
            "w.json: stamps[0].flatten_to: needs flatten, the height at the line's beginning");
  EXPECT_EQ(stamp("\"biome\": \"Atlantis\""),
            "w.json: stamps[0].biome: no row of biomes has the name \"Atlantis\"");
  EXPECT_EQ(
      stamp("\"water\": 4, \"falloff\": 7"),
      "w.json: stamps[0].falloff: 7 is below 8 blocks, which a stamp with water needs for its "
      "shore");
  EXPECT_EQ(stamp("\"water\": 4, \"falloff\": 20, \"roughness\": 13"),
            "w.json: stamps[0].falloff: 20 is below 21 blocks, which a stamp with water needs for "
            "its shore");
  EXPECT_EQ(stamp("\"radus\": 4"),
            "w.json: stamps[0].radus: there is no such field; did you mean radius?");
  EXPECT_EQ(refusal("\"places\": [ { \"at\": { \"x\": 0, \"y\": 0 } } ]"),
            "w.json: places[0].name: is missing");
  EXPECT_EQ(refusal(R"("places": [ { "name": "Old\nTown", "at": { "x": 0, "y": 0 } } ])"),
            "w.json: places[0].name: is on one line, without tabs");
  const std::string pool =
      "\"stamps\": [ { \"at\": { \"x\": 0, \"y\": 0 }, \"falloff\": 9, \"water\": 1 } ]";
  EXPECT_EQ(refusal(pool, "classic.json"),
            "w.json: stamps[0].water: classic has no layer of water");
  EXPECT_EQ(refusal(pool, "resource_isles.json"), "w.json: stamps: resource_isles takes none");
}

TEST(stamps_preset, as_many_as_there_may_be_fit_into_a_file_and_no_more) {
  const auto many = [](int stamps, int places) {
    std::string text = "\"stamps\": [";
    for (int i = 0; i < stamps; ++i) {
      text += (i > 0 ? ",\n" : "") +
              ("{ \"at\": { \"x\": " + std::to_string(i * 100 - 800000) +
               ", \"y\": " + std::to_string(i * 37 % 90001) +
               " }, \"radius\": 20, \"falloff\": 30, \"raise\": 4, " +
               "\"flatten\": 51.25, \"water\": 50.5, \"biome\": \"Savanna\", \"note\": \"no. " +
               std::to_string(i) + "\" }");
    }
    text += "], \"places\": [";
    for (int i = 0; i < places; ++i) {
      text += (i > 0 ? ",\n" : "") + ("{ \"name\": \"a place of some renown, number " +
                                      std::to_string(i) + "\", \"at\": { \"x\": 1, \"y\": 2 } }");
    }
    return text + "]";
  };
  const std::string most = many(16384, 4096);
  EXPECT_LT(most.size(), std::size_t{4} << 20);
  const auto world = with(most);
  ASSERT_TRUE(world) << world.error().message;
  EXPECT_LT(world->compiled.size(), std::size_t{2} << 20) << "must fit into a message";
  EXPECT_EQ(refusal(many(16385, 0)), "w.json: stamps: 16385 of them; at most 16384 are allowed");
  EXPECT_EQ(refusal(many(1, 4097)), "w.json: places: 4097 of them; at most 4096 are allowed");
}

}  // namespace
}  // namespace terrane::worlds
