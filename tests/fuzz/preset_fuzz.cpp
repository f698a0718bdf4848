// libFuzzer target: a designer's file into the preset parser. What it accepts must generate.
#include <cstdlib>
#include <string_view>

#include "worldgen/generate.h"
#include "worlds/preset.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace terrane;
  const auto world = worlds::parse_preset({reinterpret_cast<const char*>(data), size}, "fuzz.json");
  if (!world) {
    if (world.error().message.rfind("fuzz.json: ", 0) != 0) std::abort();  // errors say which file
    return 0;
  }
  const BlockPos far{max_block_coord(world->chunk_size), min_block_coord(world->chunk_size)};
  const auto samples =
      worldgen::sample_points(*world, 1, {&far, 1}, worldgen::noise::supported_targets().back());
  if (samples[0].biome >= world->biomes.size()) std::abort();
  return 0;
}
