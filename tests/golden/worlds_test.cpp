// The worlds on offer, as they were: tests/golden/worlds.txt holds a hash per chunk. A change that
// is meant needs a new stage version (in its TerrainTraits), which changes the fingerprint, and
// a line in CHANGELOG.md; then build the target golden_renew.
#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "worldgen/generate.h"
#include "worlds/world_catalog.h"

namespace terrane {
namespace {

/// Numbers in a row: what an object consists of.
using Numbers = std::vector<std::int64_t>;

Numbers numbers_of(const Placement& p) { return {p.anchor.x, p.anchor.y, p.kind, p.turn, p.scale}; }
Numbers numbers_of(const Structure& s) {
  return {s.anchor.x, s.anchor.y, s.kind, s.rooms, s.from.x, s.from.y, s.to.x, s.to.y};
}
Numbers numbers_of(const Room& r) {
  return {r.corner.x, r.corner.y, r.floor_q4, r.structure.x, r.structure.y,
          r.index,    r.kind,     r.piece,    r.turn,        r.open_doors};
}

class Hash {
 public:
  Hash() : state_(XXH3_createState()) { XXH3_64bits_reset(state_); }
  Hash(const Hash&) = delete;
  Hash& operator=(const Hash&) = delete;
  ~Hash() { XXH3_freeState(state_); }

  template <typename T>
  void add(const std::vector<T>& layer) {
    XXH3_64bits_update(state_, layer.data(), layer.size() * sizeof(T));
  }
  template <typename T>
  void add_objects(const std::vector<T>& objects) {
    for (const T& object : objects) add(numbers_of(object));
  }
  [[nodiscard]] std::uint64_t value() const { return XXH3_64bits_digest(state_); }

 private:
  XXH3_state_t* state_;
};

std::uint64_t hash_of(const Chunk& chunk) {
  Hash hash;
  hash.add(chunk.height_q4);
  hash.add(chunk.temperature_d);
  hash.add(chunk.humidity_d);
  hash.add(chunk.biome);
  hash.add(chunk.water_q4);
  hash.add(chunk.forest_p);
  hash.add(chunk.rocks_p);
  hash.add_objects(chunk.placements);
  hash.add_objects(chunk.structures);
  hash.add_objects(chunk.rooms);
  return hash.value();
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
          const Chunk chunk =
              worldgen::generate(*world, seed, c, lod, worldgen::noise::supported_targets().back());
          text << name << " " << std::hex << world->fingerprint << std::dec << " seed " << seed
               << " chunk " << c.x << "," << c.y << " lod " << int{lod} << " " << std::hex
               << hash_of(chunk) << std::dec << "\n";
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
  const std::string expected((std::istreambuf_iterator<char>(file)),
                             std::istreambuf_iterator<char>());
  EXPECT_EQ(present, expected);
}

}  // namespace
}  // namespace terrane
