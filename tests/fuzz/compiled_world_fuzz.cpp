// libFuzzer target: any bytes as a compiled world. What is accepted must generate.
#include <cstdlib>

#include "worldgen/compiled_world.h"
#include "worldgen/generate.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace terrane;
  const auto bytes = std::as_bytes(std::span(data, size));
  const auto world = worldgen::load_compiled_world(bytes);
  if (!world) {
    if (world.error().message.empty()) std::abort();
    return 0;
  }
  if (worldgen::compile_world(*world).size() != size) std::abort();
  const auto target = worldgen::noise::supported_targets().back();
  const Chunk chunk = worldgen::generate(*world, 1, {-1, 0}, world->max_lod, target);
  for (const std::uint8_t biome : chunk.biome) {
    if (biome >= world->biomes.size()) std::abort();
  }
  return 0;
}
