#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "terrane/chunk.h"
#include "terrane/coord.h"
#include "terrane/objects.h"
#include "worldgen/biome_table.h"
#include "worldgen/placement/parameters.h"
#include "worldgen/stamps/stamps.h"
#include "worldgen/structures/parameters.h"
#include "worldgen/terrains/terrains.h"

/// A world as the generator reads it: plain values, checked by load_compiled_world. Immutable once
/// built; share freely.
namespace terrane::worldgen {

using noise::FractalNoise;

struct World {
  // parameters: what a compiled world holds, and nothing else decides what is generated
  int chunk_size = 64;
  Lod max_lod = 0;
  Terrain terrain;
  std::vector<Biome> biomes;  // but for names and colours
  // none: no forests, no rocks, and nothing stands anywhere
  std::optional<PlacementRules> placements;
  std::optional<StructureRules> structures;
  std::vector<StructureKind> structure_kinds;  // but for names and colours
  Stamps stamps;

  // what people see
  std::string name, title, description;
  std::int32_t sea_level_q4 = 0;
  std::vector<PlacementKind> placement_kinds;
  std::vector<NamedPlace> places;

  // made from the parameters when a compiled world is loaded
  std::vector<std::byte> compiled;   // the compiled world
  WorldFingerprint fingerprint = 0;  // XXH3-64 of it
  LayerMask layers = kCoreLayers;    // what its chunks hold
  LayerRanges ranges;                // what terrain and stamps can yield
  BiomeTable biome_table;            // over `biomes` and `ranges`
  // the same for each FreshWater but none; empty: as if that were not there
  std::array<BiomeTable, 4> fresh_biomes;
};

/// Fills the world's ranges and biome tables from its terrain, stamps and biomes. Errors: as
/// BiomeTable::build.
[[nodiscard]] Result<void> build_biome_tables(World& world);

/// Versions of all stages that make a world, like "perlin 1, structures 1". They are part of its
/// fingerprint; that of a terrain is in its TerrainTraits.
[[nodiscard]] std::string stage_versions(const World& world);

}  // namespace terrane::worldgen
