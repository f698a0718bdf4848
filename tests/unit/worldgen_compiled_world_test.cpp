// Compiled worlds: bytes from which the same world comes back, and which do no harm whatever they
// hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "worldgen/compiled_world.h"
#include "worldgen/generate.h"
#include "worlds/builtin_presets.h"
#include "worlds/preset.h"
#include "worlds/world_catalog.h"

namespace terrane::worldgen {
namespace {

using Bytes = std::vector<std::byte>;

const worlds::WorldCatalog& catalog() {
  static const worlds::WorldCatalog kCatalog = worlds::builtin_worlds().value();
  return kCatalog;
}

noise::SimdTarget fastest() { return noise::supported_targets().back(); }

/// A built-in world file's text.
std::string preset_text(std::string_view name) {
  for (const worlds::BuiltinPreset& preset : worlds::builtin_presets()) {
    if (preset.file == std::string(name) + ".json") return std::string(preset.json);
  }
  return {};
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

/// Looks at a world in places: what is loaded from hostile bytes must do this much. A sanitizer
/// sees more of it than the expectations say.
void expect_generates(const World& world) {
  const std::int64_t far = max_chunk_coord(world.max_lod);
  for (const auto& [coord, lod] :
       {std::pair{ChunkCoord{0, 0}, Lod{0}}, std::pair{ChunkCoord{far, -far}, world.max_lod}}) {
    const Chunk chunk = generate(world, 1, coord, lod, fastest());
    const auto [low, high] = std::minmax_element(chunk.height_q4.begin(), chunk.height_q4.end());
    EXPECT_GE(*low, world.ranges.height_q4.min);
    EXPECT_LE(*high, world.ranges.height_q4.max);
    EXPECT_LT(*std::max_element(chunk.biome.begin(), chunk.biome.end()), world.biomes.size());
  }
}

TEST(compiled_world, comes_back_from_its_bytes_with_the_same_chunks_and_fingerprint) {
  for (const auto& [name, world] : catalog()) {
    ASSERT_FALSE(world->compiled.empty()) << name;
    EXPECT_EQ(compile_world(*world), world->compiled) << name;
    const auto loaded = load_compiled_world(world->compiled);
    ASSERT_TRUE(loaded) << name << ": " << loaded.error().message;
    EXPECT_EQ(loaded->compiled, world->compiled) << name;
    EXPECT_EQ(loaded->fingerprint, world->fingerprint) << name;
    EXPECT_EQ(loaded->layers, world->layers) << name;
    EXPECT_TRUE(loaded->name.empty()) << "names are no part of a compiled world";
    for (const Lod lod : {Lod{0}, std::min(Lod{2}, world->max_lod), world->max_lod}) {
      for (const ChunkCoord coord : {ChunkCoord{0, 0}, {-31, 17}, {1000, 1000}}) {
        EXPECT_EQ(generate(*loaded, 7, coord, lod, fastest()),
                  generate(*world, 7, coord, lod, fastest()))
            << name << " lod " << int{lod};
      }
    }
  }
}

TEST(compiled_world, is_the_same_whatever_things_are_called_and_painted) {
  const std::string text = preset_text("perlin");
  const auto base = worlds::parse_preset(text, "a").value();
  const auto renamed = worlds::parse_preset(replaced(text, "\"perlin\"", "\"other\""), "b").value();
  EXPECT_EQ(renamed.name, "other");
  EXPECT_EQ(renamed.compiled, base.compiled);
  EXPECT_EQ(renamed.fingerprint, base.fingerprint);
}

TEST(compiled_world, changes_with_every_parameter) {
  const World& base = *catalog().at("continents");
  const auto changed = [&](auto change) {
    World world = base;
    change(world);
    const auto loaded = load_compiled_world(compile_world(world));
    EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
    return loaded ? loaded->fingerprint : base.fingerprint;
  };
  EXPECT_EQ(changed([](World&) {}), base.fingerprint);
  EXPECT_EQ(changed([](World& w) { w.sea_level_q4 += 16; }), base.fingerprint) << "is for clients";
  EXPECT_NE(changed([](World& w) { w.max_lod -= 1; }), base.fingerprint);
  EXPECT_NE(changed([](World& w) { w.biomes[0].priority += 1; }), base.fingerprint);
  EXPECT_NE(changed([](World& w) { w.placements.reset(); }), base.fingerprint);
  EXPECT_NE(changed([](World& w) { w.stamps = Stamps({Stamp()}, w.ranges.height_q4); }),
            base.fingerprint);
  EXPECT_NE(changed([](World& w) { w.structures->kinds[0].skirt -= 1; }), base.fingerprint);
  EXPECT_NE(
      changed([](World& w) { std::get<ContinentsTerrain>(w.terrain).relief.mountain_height -= 1; }),
      base.fingerprint);
}

TEST(compiled_world, is_refused_when_it_is_cut_short_or_too_long) {
  for (const auto& [name, world] : catalog()) {
    const Bytes& bytes = world->compiled;
    for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 64) {
      const auto loaded = load_compiled_world(std::span(bytes).first(size));
      ASSERT_FALSE(loaded) << name << " of " << size << " bytes";
      EXPECT_NE(loaded.error().message.find(": "), std::string::npos) << loaded.error().message;
    }
    Bytes longer = bytes;
    longer.push_back(std::byte{0});
    const auto loaded = load_compiled_world(longer);
    ASSERT_FALSE(loaded) << name;
    EXPECT_EQ(loaded.error().message, "end: 1 bytes are left over behind the last field");
  }
}

TEST(compiled_world, of_damaged_bytes_is_refused_or_generates) {
  std::size_t refused = 0, accepted = 0;
  std::uint64_t random = 1;
  const auto below = [&](std::size_t count) {
    random = noise::mix64(random + 1);
    return static_cast<std::size_t>(random % count);
  };
  for (const auto& [name, world] : catalog()) {
    for (int round = 0; round < 200; ++round) {
      Bytes bytes = world->compiled;
      for (std::size_t k = 0; k <= below(3); ++k) {
        // the beginning, where most of what is not a table stands, more often
        const std::size_t end =
            below(2) == 0 ? std::min<std::size_t>(400, bytes.size()) : bytes.size();
        const std::size_t at = below(end);
        bytes[at] = below(3) == 0 ? std::byte{0xff} : bytes[at] ^ std::byte(1u << below(8));
      }
      const auto loaded = load_compiled_world(bytes);
      if (!loaded) {
        ++refused;
        EXPECT_FALSE(loaded.error().message.empty());
      } else if (++accepted % 8 == 0) {
        expect_generates(*loaded);
      }
      if (HasFailure()) FAIL() << name << ", round " << round;
    }
  }
  std::printf("check damaged worlds: %zu refused, %zu accepted\n", refused, accepted);
  EXPECT_GT(refused, 100u);
  EXPECT_GT(accepted, 100u);
}

/// The error for a world with a change that no file can ask for.
template <typename Change>
Error refusal(std::string_view name, const Change& change) {
  World world = *catalog().find(name)->second;
  change(world);
  const auto loaded = load_compiled_world(compile_world(world));
  return loaded ? Error{ErrorCode::kInternal, "was accepted"} : loaded.error();
}

TEST(compiled_world, is_held_to_every_limit_that_makes_generation_safe) {
  EXPECT_EQ(refusal("perlin", [](World& w) { w.chunk_size = 48; }).message,
            "chunk_size: 48 is not a power of two");
  EXPECT_EQ(refusal("perlin", [](World& w) { w.max_lod = 17; }).message,
            "max_lod: 17 is not within 0 and 16");
  EXPECT_EQ(
      refusal("perlin", [](World& w) { std::get<PerlinTerrain>(w.terrain).height.octaves = 16; })
          .message,
      "perlin.height.octaves: the finest one has more than one cell a block");
  EXPECT_EQ(refusal("perlin",
                    [](World& w) {
                      std::get<PerlinTerrain>(w.terrain).amplitude_q4 =
                          std::numeric_limits<float>::quiet_NaN();
                    })
                .message.substr(0, 17),
            "perlin.amplitude:");
  EXPECT_EQ(
      refusal("faultlines", [](World& w) { std::get<FaultlinesTerrain>(w.terrain).region = 1000; })
          .message,
      "faultlines.region: 1000 is not a power of two");
  EXPECT_EQ(refusal("continents", [](World& w) { w.max_lod = 16; }).message.substr(0, 8),
            "max_lod:");
  EXPECT_EQ(refusal("continents", [](World& w) { w.biomes.pop_back(); }).message.substr(0, 10),
            "placements");
  EXPECT_EQ(refusal("continents",
                    [](World& w) {
                      for (auto& piece : w.structures->kinds[0].pieces) piece.entrance = false;
                    })
                .message,
            "structures.kinds.0.pieces: none is an entrance");
  EXPECT_EQ(refusal("resource_isles", [](World& w) { w.biomes.pop_back(); }).message,
            "biomes: must be the terrain's 6");
  EXPECT_EQ(refusal("resource_isles",
                    [](World& w) { w.placements = catalog().at("continents")->placements; })
                .message.substr(0, 11),
            "placements:");
}

TEST(compiled_world, of_another_version_is_refused_as_such) {
  Bytes bytes = catalog().at("perlin")->compiled;
  const auto error_with = [&](std::size_t at, std::uint8_t value) {
    Bytes changed = bytes;
    changed[at] = std::byte{value};
    return load_compiled_world(changed).error();
  };
  EXPECT_EQ(error_with(0, 'X').message, "magic: these bytes are no compiled world");
  EXPECT_EQ(error_with(4, 3).code, ErrorCode::kFailedPrecondition);
  EXPECT_EQ(error_with(4, 2).message, "stamps_version: the bytes end here") << "stamps are missing";
  EXPECT_EQ(error_with(6, 200).code, ErrorCode::kFailedPrecondition) << "an unknown terrain";
  EXPECT_EQ(error_with(7, 9).code, ErrorCode::kFailedPrecondition) << "another stage version";
}

}  // namespace
}  // namespace terrane::worldgen
