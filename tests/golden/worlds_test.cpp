// The worlds on offer, as they were: tests/golden/worlds.txt holds a hash per chunk. A change that is meant needs a new stage
// version (worldgen::stage_version), which changes the fingerprint, and a line in CHANGELOG.md; then build the target
// golden_renew.
#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "worldgen/generate.h"
#include "worlds/world_catalog.h"

namespace terrane {
namespace {

std::uint64_t hash_of(const Chunk& chunk) {
  XXH3_state_t* state = XXH3_createState();
  XXH3_64bits_reset(state);
  XXH3_64bits_update(state, chunk.height_q4.data(), chunk.height_q4.size() * sizeof(std::int32_t));
  XXH3_64bits_update(state, chunk.temperature_d.data(), chunk.temperature_d.size() * sizeof(std::int16_t));
  XXH3_64bits_update(state, chunk.humidity_d.data(), chunk.humidity_d.size() * sizeof(std::int16_t));
  XXH3_64bits_update(state, chunk.biome.data(), chunk.biome.size());
  for (const Placement& placement : chunk.placements) {
    XXH3_64bits_update(state, &placement.anchor, sizeof placement.anchor);
    const std::uint8_t values[] = {placement.kind, placement.turn, placement.scale};
    XXH3_64bits_update(state, values, sizeof values);
  }
  const std::uint64_t hash = XXH3_64bits_digest(state);
  XXH3_freeState(state);
  return hash;
}

/// World, fingerprint, seed, chunk and lod, and the hash of the layers: one line a chunk.
std::string present_worlds() {
  std::ostringstream text;
  const auto catalog = worlds::builtin_worlds().value();
  for (const auto& [name, world] : catalog) {
    for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
      for (const Lod lod : {Lod{0}, std::min(Lod{3}, world->max_lod), world->max_lod}) {
        const std::int64_t far = max_chunk_coord(lod);
        for (const ChunkCoord c : {ChunkCoord{0, 0}, {-1, 2}, {1 << 20, -(1 << 20)}, {far, -far}}) {
          const Chunk chunk = worldgen::generate(*world, seed, c, lod, {}, worldgen::noise::supported_targets().back()).value();
          text << name << " " << std::hex << world->fingerprint << std::dec << " seed " << seed << " chunk " << c.x << "," << c.y
               << " lod " << int{lod} << " " << std::hex << hash_of(chunk) << std::dec << "\n";
        }
      }
    }
  }
  return text.str();
}

TEST(golden, worlds_are_what_they_were) {
  const std::string path = std::string(TERRANE_GOLDEN_DIR) + "/worlds.txt";
  const std::string present = present_worlds();
  if (std::getenv("TERRANE_WRITE_GOLDEN") != nullptr) std::ofstream(path) << present;
  std::ifstream file(path);
  const std::string expected((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_EQ(present, expected);
}

}  // namespace
}  // namespace terrane
