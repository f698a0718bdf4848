// Digests of what the generator makes, on every instruction set that this machine has, compared with generator_digest.txt. It
// links the generator and nothing else, so that it can be built by any compiler for any processor.
//   generator_digest FILE           compares
//   generator_digest --write FILE   writes FILE anew: only together with a new stage version
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "worldgen/generate.h"
#include "worldgen/noise/field.h"
#include "worldgen/noise/hash.h"

namespace {

using namespace terrane;
using namespace terrane::worldgen;

/// FNV-1a over the values' bits.
class Digest {
 public:
  template <typename T>
  void add(const T* values, std::size_t count) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(values);
    for (std::size_t i = 0; i < count * sizeof(T); ++i) hash_ = (hash_ ^ bytes[i]) * 0x100000001b3u;
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

struct Place {
  ChunkCoord coord;
  Lod lod;
};

std::vector<Place> places() {
  std::vector<Place> all;
  for (Lod lod = 0; lod <= 8; ++lod) {
    const std::int64_t far = max_chunk_coord(lod);
    for (const ChunkCoord coord : {ChunkCoord{0, 0}, {-1, -1}, {far, -far}, {-far, far}, {1 << 25, -(1 << 25)}}) {
      all.push_back({coord, lod});
    }
  }
  for (std::int64_t k = 0; k < 100; ++k) {
    const auto h = static_cast<std::int64_t>(noise::mix64(static_cast<std::uint64_t>(k)));
    all.push_back({{h >> 30, (h << 31) >> 30}, static_cast<Lod>(k % 9)});
  }
  return all;
}

World make_world(std::string name, Terrain terrain) {
  World world;
  world.name = std::move(name);
  world.max_lod = 8;
  world.terrain = std::move(terrain);
  world.ranges = layer_ranges(world.terrain);
  Biome low, high, rest;
  low.height_q4.max = (world.ranges.height_q4.min + world.ranges.height_q4.max) / 2;
  high.temperature_d.min = 100;
  world.biomes = {low, high, rest};
  world.biome_table = BiomeTable::build(world.biomes, world.ranges).value();
  return world;
}

std::vector<World> worlds() {
  const FractalNoise wide{{1, 1000}, 4, 0.5f}, medium{{3, 1000}, 4, 0.5f}, fine{{1, 200}, 6, 0.45f};
  std::vector<World> all;
  all.push_back(make_world("perlin", PerlinTerrain{fine, wide, medium, 2048, -200, 400}));
  all.push_back(make_world("classic", ClassicTerrain{fine, wide, medium, 1.57f}));
  return all;
}

/// One line a noise and a world: its name and digest.
std::string digests(noise::SimdTarget target) {
  std::ostringstream lines;
  for (const FractalNoise& spec : {FractalNoise{{1, 8192}, 12, 0.5f}, {{7, 10}, 1, 1.0f}, {{1, 37}, 6, 0.6f}}) {
    Digest digest;
    noise::Field field;
    for (const auto& [coord, lod] : places()) {
      field.fill(spec, noise::stream_key(1, "digest"), {chunk_origin(coord, 64, lod), std::int64_t{1} << lod, 64, 64}, target);
      digest.add(field.values, 64 * 64);
    }
    lines << "noise_" << spec.frequency.cells << "_" << spec.frequency.blocks << " " << std::hex << digest.value() << std::dec
          << "\n";
  }
  for (const World& world : worlds()) {
    Digest digest;
    for (const auto& [coord, lod] : places()) {
      const Chunk chunk = generate(world, 0xfedcba9876543210u, coord, lod, {}, target).value();
      digest.add(chunk.height_q4.data(), chunk.height_q4.size());
      digest.add(chunk.temperature_d.data(), chunk.temperature_d.size());
      digest.add(chunk.humidity_d.data(), chunk.humidity_d.size());
      digest.add(chunk.biome.data(), chunk.biome.size());
    }
    lines << stage_version(world.terrain) << " " << std::hex << digest.value() << std::dec << "\n";
  }
  return lines.str();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "--write") {
    std::ofstream(argv[2]) << digests(noise::SimdTarget::kScalar);
    return 0;
  }
  if (argc != 2) {
    std::fprintf(stderr, "usage: generator_digest [--write] FILE\n");
    return 2;
  }
  std::ifstream file(argv[1]);
  const std::string expected((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  int failures = 0;
  for (const noise::SimdTarget target : noise::supported_targets()) {
    const std::string got = digests(target);
    const std::string name(to_string(target));
    std::printf("%s: %s\n", name.c_str(), got == expected ? "same" : "DIFFERENT");
    if (got != expected) {
      std::printf("expected\n%sgot\n%s", expected.c_str(), got.c_str());
      ++failures;
    }
  }
  return failures == 0 ? 0 : 1;
}
