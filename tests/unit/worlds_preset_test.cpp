#include <gtest/gtest.h>

#include <string>

#include "terrane/worldfile/v1/preset.pb.h"
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

TEST(preset, errors_name_file_field_value_limit_and_line) {
  EXPECT_EQ(refusal("\"chunk_size\": 32", "\"chunk_size\": 48"),
            "small.json: chunk_size: 48 is not one of 16, 32, 64, 128 (line 3)");
  EXPECT_EQ(refusal("\"max_lod\": 4", "\"max_lod\": 17"),
            "small.json: max_lod: 17 is above the largest allowed, 16 (line 4)");
  EXPECT_EQ(refusal("\"octaves\": 4", "\"octaves\": 0"),
            "small.json: perlin.height.octaves: 0 is below the smallest allowed, 1 (line 6)");
  EXPECT_EQ(refusal("\"octaves\": 4", "\"octaves\": -1"),
            "small.json: perlin.height.octaves: -1 is below the smallest allowed, 1 (line 6)");
  EXPECT_EQ(refusal("\"octaves\": 4", "\"octaves\": 1e300"),
            "small.json: perlin.height.octaves: 1e300 is above the largest allowed, 16 (line 6)");
  EXPECT_EQ(refusal("\"blocks\": 256", "\"cells\": 1"),
            "small.json: perlin.height.frequency.blocks: is missing (line 6)");
  EXPECT_EQ(refusal("\"small\"", "\"No Spaces\""),
            "small.json: name: 'No Spaces' must be 1 to 64 characters of a-z, 0-9 and _ (line 2)");
  for (const std::string taken : {"f", "realms"}) {
    EXPECT_EQ(
        refusal("\"small\"", "\"" + taken + "\""),
        "small.json: name: '" + taken + "' means something else in URLs: choose another (line 2)");
  }
  EXPECT_EQ(
      refusal("00ff00", "green"),
      "small.json: biomes[1].color: 'green' is not six hexadecimal digits, like 2E7612 (line 12)");
  EXPECT_EQ(refusal("\"Land\"", "\"\""), "small.json: biomes[1].name: is empty (line 12)");
  EXPECT_NE(refusal("\"Land\"", "\"" + std::string(65, 'x') + "\"")
                .find("biomes[1].name: is 65 bytes long; at most 64"),
            std::string::npos);
  EXPECT_NE(
      refusal("\"octaves\": 4", "\"octaves\": 10").find("perlin.height: the finest of 10 octaves"),
      std::string::npos);
  EXPECT_NE(refusal("\"Land\", \"color\": \"00ff00\"",
                    "\"Land\", \"color\": \"00ff00\", \"height\": { \"min\": 5, \"max\": 2 }")
                .find("biomes[1].height: min is greater than max"),
            std::string::npos);
}

TEST(preset, a_biome_table_with_gaps_is_refused_with_the_gap) {
  const std::string message = refusal("\"00ff00\"", "\"00ff00\", \"height\": { \"min\": 10 }");
  EXPECT_NE(message.find("no row fits height 0.0625"), std::string::npos) << message;
  EXPECT_TRUE(message.ends_with("(line 10)")) << message;
}

TEST(preset, values_of_a_wrong_type_are_refused_with_the_type_that_is_wanted) {
  EXPECT_EQ(
      refusal("\"octaves\": 4", "\"octaves\": \"4\""),
      "small.json: perlin.height.octaves: must be a whole number, not the text \"4\" (line 6)");
  EXPECT_EQ(refusal("\"octaves\": 4", "\"octaves\": 4.5"),
            "small.json: perlin.height.octaves: must be a whole number, not 4.5 (line 6)");
  EXPECT_EQ(refusal("\"octaves\": 4", "\"octaves\": null"),
            "small.json: perlin.height.octaves: must be a whole number, not null (leave the field "
            "out instead) (line 6)");
  EXPECT_EQ(refusal("\"octaves\": 4", "\"gain\": \"NaN\""),
            "small.json: perlin.height.gain: must be a number, not the text \"NaN\" (line 6)");
  EXPECT_EQ(refusal("{ \"max\": 0 }", "7"),
            "small.json: biomes[0].height: must be an object in { }, not 7 (line 11)");
  EXPECT_EQ(refusal("\"Sea\"", "[]"),
            "small.json: biomes[0].name: must be a text in double quotes, not a list (line 11)");
  EXPECT_EQ(refusal("\"biomes\": [", "\"biomes\": {}, \"x\": ["),
            "small.json: biomes: must be a list in [ ], not an object (line 10)");
  EXPECT_EQ(parse_preset("[]", "list.json").error().message,
            "list.json: the file must hold an object in { }, not a list (line 1)");
}

TEST(preset, an_unknown_field_is_refused_with_the_nearest_that_there_is) {
  EXPECT_EQ(
      refusal("\"octaves\"", "\"octavs\""),
      "small.json: perlin.height.octavs: there is no such field; did you mean octaves? (line 6)");
  EXPECT_EQ(refusal("\"chunk_size\"", "\"chunkSize\""),
            "small.json: chunkSize: there is no such field; did you mean chunk_size? (line 3)");
  EXPECT_EQ(refusal("\"cells\"", "\"wavelength\""),
            "small.json: perlin.humidity.frequency.wavelength: there is no such field; there is "
            "cells, blocks (line 8)");
  EXPECT_NE(refusal("\"perlin\"", "\"mystery\"")
                .find("mystery: there is no such field; there is name, title"),
            std::string::npos);
}

TEST(preset, a_field_given_twice_and_a_second_terrain_are_refused) {
  EXPECT_EQ(refusal("\"max_lod\": 4,", "\"max_lod\": 4,\n\"chunk_size\": 64,"),
            "small.json: chunk_size: stands there twice, in lines 3 and 5; one must go (line 5)");
  EXPECT_EQ(refusal("\"max_lod\": 4,",
                    "\"classic\": {\"height\": {\"frequency\": {\"blocks\": 9}, \"octaves\": 1},"
                    "\"temperature\": {\"frequency\": {\"blocks\": 9}, \"octaves\": 1},"
                    "\"humidity\": {\"frequency\": {\"blocks\": 9}, \"octaves\": 1}},"),
            "small.json: perlin: the file has classic already; a terrain is one of them (line 5)");
  EXPECT_NE(
      parse_preset(R"({"name": "x", "biomes": [{"name": "a", "color": "000000"}]})", "bare.json")
          .error()
          .message.find("bare.json: terrain: is missing; give one of perlin, classic"),
      std::string::npos);
}

TEST(preset, broken_json_is_refused_with_its_place) {
  EXPECT_EQ(refusal("\"name\": \"small\",", "\"name\": \"small\""),
            "small.json: found '\"' where ',' or '}' should follow the value that ends in line 2 "
            "(line 3, column 3)");
  EXPECT_FALSE(parse_preset("", "empty.json"));
}

TEST(preset, a_table_too_finely_cut_is_refused_rather_than_built) {
  std::string rows;
  for (int i = 0; i < 250; ++i) {
    const std::string range = "{ \"min\": " + std::to_string(i * 0.0625 - 8) + " }";
    rows += "{ \"name\": \"b\", \"color\": \"000000\", \"height\": " + range +
            ", \"temperature\": { \"min\": " + std::to_string(i * 0.1 - 10) +
            " }, \"humidity\": { \"min\": " + std::to_string(i * 0.1) + " } },";
  }
  const std::string message = refusal("\"biomes\": [", "\"biomes\": [" + rows);
  EXPECT_NE(message.find("biomes: "), std::string::npos) << message;
  EXPECT_NE(message.find("fewer different ends"), std::string::npos) << message;
}

/// Whether what the reader knows covers a message and all within it.
void expect_known_kinds(const google::protobuf::Descriptor& descriptor) {
  using google::protobuf::FieldDescriptor;
  for (int i = 0; i < descriptor.field_count(); ++i) {
    const FieldDescriptor& field = *descriptor.field(i);
    const auto type = field.cpp_type();
    if (type == FieldDescriptor::CPPTYPE_MESSAGE) {
      expect_known_kinds(*field.message_type());
      continue;
    }
    EXPECT_FALSE(field.is_repeated()) << field.full_name() << ": lists hold objects only";
    const bool number =
        type == FieldDescriptor::CPPTYPE_UINT32 || type == FieldDescriptor::CPPTYPE_INT32 ||
        type == FieldDescriptor::CPPTYPE_INT64 || type == FieldDescriptor::CPPTYPE_DOUBLE ||
        type == FieldDescriptor::CPPTYPE_BOOL || type == FieldDescriptor::CPPTYPE_ENUM;
    EXPECT_TRUE(number || type == FieldDescriptor::CPPTYPE_STRING)
        << field.full_name() << ": neither a number nor a text";
  }
}

TEST(preset, every_field_of_the_schema_is_of_a_kind_that_is_read) {
  expect_known_kinds(*worldfile::v1::Preset::descriptor());
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
