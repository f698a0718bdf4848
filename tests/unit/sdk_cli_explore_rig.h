#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "cli/explore/controls.h"
#include "cli/explore/walk.h"
#include "cli/map/drawing.h"
#include "cli/terminal/keys.h"
#include "terrane/chunk.h"
#include "terrane/coord.h"
#include "terrane/world.h"

/// A small world and what a viewer of it meets.
namespace terrane::cli {

constexpr int kSize = 16;  // samples along a chunk's edge

inline World tiny_world() {
  World world;
  world.name = "tiny";
  world.chunk_size = kSize;
  world.max_lod = 3;
  world.layers = {{Layer::kHeight, "height", "block", 1.0 / 16, -1600, 1600},
                  {Layer::kBiome, "biome", "biome", 1, 0, 2}};
  world.biomes = {{0, "red", 0xff0000}, {1, "green", 0x00ff00}, {2, "blue", 0x0000ff}};
  return world;
}

inline std::shared_ptr<const Chunk> filled(const Tile& tile, std::int32_t height_q4,
                                           std::uint8_t biome) {
  Chunk chunk;
  chunk.coord = tile.coord;
  chunk.lod = tile.lod;
  chunk.size = kSize;
  chunk.height_q4.assign(kSize * kSize, height_q4);
  chunk.biome.assign(kSize * kSize, biome);
  return std::make_shared<const Chunk>(std::move(chunk));
}

inline ExploreControls controls_at(BlockPos block) { return {.walker = Walker(block, 30, kSize)}; }

inline Key character(char c) { return {KeyCode::kCharacter, c}; }

inline void type(ExploreControls& controls, std::string_view text, const World& world) {
  for (const char c : text) press(controls, character(c), world);
}

}  // namespace terrane::cli
