#include <gtest/gtest.h>

#include <string>

#include "worlds/builtin_presets.h"
#include "worlds/preset.h"
#include "worlds/world_catalog.h"

namespace terrane::worlds {
namespace {

constexpr std::string_view kSmall = R"({
  "name": "small",
  "chunk_size": 32,
  "max_lod": 4,
  "perlin": {
    "height": { "frequency": { "blocks": 256 }, "octaves": 4 },
    "temperature": { "frequency": { "blocks": 1024 } },
    "humidity": { "frequency": { "cells": 3, "blocks": 1000 } }
  },
  "biomes": [
    { "name": "Sea", "color": "0000ff", "height": { "max": 0 } },
    { "name": "Land", "color": "00ff00" }
  ]
})";

std::string with(std::string_view what, std::string_view by) {
  std::string text(kSmall);
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

WorldFingerprint fingerprint_of(const std::string& json) {
  const auto world = parse_preset(json, "small.json");
  EXPECT_TRUE(world) << (world ? "" : world.error().message);
  return world ? world->fingerprint : 0;
}

/// The error that a changed preset gives; empty when it gives none.
std::string refusal(std::string_view what, std::string_view by) {
  const auto world = parse_preset(with(what, by), "small.json");
  return world ? "" : world.error().message;
}

TEST(preset, becomes_a_world_with_defaults_filled_in) {
  const auto world = parse_preset(kSmall, "small.json");
  ASSERT_TRUE(world) << world.error().message;
  EXPECT_EQ(world->chunk_size, 32);
  EXPECT_EQ(world->max_lod, 4);
  const auto& terrain = std::get<worldgen::PerlinTerrain>(world->terrain);
  EXPECT_EQ(terrain.height.frequency.cells, 1u);
  EXPECT_EQ(terrain.height.gain, 0.5f);
  EXPECT_EQ(terrain.amplitude_q4, 128 * 16);
  EXPECT_EQ(world->biomes.at(0).color, 0x0000ffu);
  EXPECT_EQ(world->biomes.at(0).height_q4.max, 0);
}

TEST(preset, a_parameter_changes_the_fingerprint) {
  const WorldFingerprint base = fingerprint_of(std::string(kSmall));
  EXPECT_NE(fingerprint_of(with("\"blocks\": 256", "\"blocks\": 257")), base);
  EXPECT_NE(fingerprint_of(with("\"octaves\": 4", "\"octaves\": 5")), base);
  EXPECT_NE(fingerprint_of(with("\"chunk_size\": 32", "\"chunk_size\": 64")), base);
  EXPECT_NE(fingerprint_of(with("{ \"max\": 0 }", "{ \"max\": 1 }")), base);
  EXPECT_NE(fingerprint_of(with("{ \"max\": 0 }", "{ \"min\": 0 }")), base);
}

TEST(preset, names_colours_and_spelled_out_defaults_do_not_change_the_fingerprint) {
  const WorldFingerprint base = fingerprint_of(std::string(kSmall));
  EXPECT_EQ(fingerprint_of(with("\"small\"", "\"other\"")), base);
  EXPECT_EQ(fingerprint_of(with("0000ff", "102030")), base);
  EXPECT_EQ(fingerprint_of(with("\"Sea\"", "\"Ocean\"")), base);
  EXPECT_EQ(fingerprint_of(with("\"octaves\": 4", "\"octaves\": 4, \"gain\": 0.5")), base);
  EXPECT_EQ(fingerprint_of(with("\"perlin\": {", "\"perlin\": { \"amplitude\": 128.0,")), base);
}

TEST(preset, errors_name_file_field_value_and_limit) {
  EXPECT_EQ(refusal("\"chunk_size\": 32", "\"chunk_size\": 48"), "small.json: chunk_size: 48 is not one of 16, 32, 64, 128");
  EXPECT_EQ(refusal("\"max_lod\": 4", "\"max_lod\": 17"), "small.json: max_lod: 17 is above the largest allowed, 16");
  EXPECT_EQ(refusal("\"octaves\": 4", "\"octaves\": 0"), "small.json: perlin.height.octaves: 0 is below the smallest allowed, 1");
  EXPECT_EQ(refusal("\"blocks\": 256", "\"cells\": 1"), "small.json: perlin.height.frequency.blocks: is missing");
  EXPECT_EQ(refusal("\"small\"", "\"No Spaces\""), "small.json: name: 'No Spaces' must be 1 to 64 characters of a-z, 0-9 and _");
  EXPECT_EQ(refusal("00ff00", "green"), "small.json: biomes[1].color: 'green' is not six hexadecimal digits, like 2E7612");
  EXPECT_NE(refusal("\"octaves\": 4", "\"octaves\": 10").find("perlin.height: the finest of 10 octaves"), std::string::npos);
  EXPECT_NE(refusal("\"Land\", \"color\": \"00ff00\"", "\"Land\", \"color\": \"00ff00\", \"height\": { \"min\": 5, \"max\": 2 }")
                .find("biomes[1].height: min is greater than max"),
            std::string::npos);
}

TEST(preset, a_biome_table_with_gaps_is_refused_with_the_gap) {
  const std::string message = refusal("\"00ff00\"", "\"00ff00\", \"height\": { \"min\": 10 }");
  EXPECT_NE(message.find("no row fits height 0.0625"), std::string::npos) << message;
}

TEST(preset, unknown_fields_and_broken_json_are_refused) {
  EXPECT_NE(refusal("\"octaves\"", "\"octavs\"").find("octavs"), std::string::npos);
  EXPECT_NE(refusal("\"name\": \"small\",", "\"name\": \"small\""), "");
  EXPECT_NE(refusal("\"perlin\"", "\"mystery\"").find("mystery"), std::string::npos);
  EXPECT_FALSE(parse_preset("", "empty.json"));
  EXPECT_FALSE(parse_preset("[]", "list.json"));
}

TEST(catalog, offers_every_preset_under_its_files_name) {
  const auto catalog = builtin_worlds();
  ASSERT_TRUE(catalog) << catalog.error().message;
  for (const BuiltinPreset& preset : builtin_presets()) {
    EXPECT_EQ(catalog->count(preset.file.substr(0, preset.file.find('.'))), 1u) << preset.file;
  }
}

}  // namespace
}  // namespace terrane::worlds
