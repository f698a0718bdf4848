#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "terrane/chunk.h"
#include "terrane/coord.h"
#include "terrane/objects.h"
#include "worldgen/biome_table.h"
#include "worldgen/continents/parameters.h"
#include "worldgen/faultlines.h"
#include "worldgen/noise/fractal_noise.h"
#include "worldgen/placement/parameters.h"
#include "worldgen/resource_isles/parameters.h"
#include "worldgen/skyline.h"
#include "worldgen/structures/parameters.h"

/// A world as the generator reads it: plain values, checked by server/worlds. Immutable once built;
/// share freely.
namespace terrane::worldgen {

using noise::FractalNoise;

/// The `perlin` world: three independent noises, each mapped linearly onto a layer.
struct PerlinTerrain {
  FractalNoise height, temperature, humidity;
  float amplitude_q4 = 0;                               // height where the noise is 1, 1/16 block
  float temperature_low_d = 0, temperature_high_d = 0;  // 1/10 degC where the noise is -1 and 1
};

/// The `classic` world: height shapes temperature, temperature shapes humidity.
struct ClassicTerrain {
  FractalNoise height, temperature, humidity;
  float stretch = 1;  // factor that makes the noise fill [0.02, 0.98]
};

using Terrain = std::variant<PerlinTerrain, ClassicTerrain, ContinentsTerrain, SkylineTerrain,
                             FaultlinesTerrain, ResourceIslesTerrain>;

struct World {
  std::string name, title, description;
  WorldFingerprint fingerprint = 0;
  int chunk_size = 64;
  Lod max_lod = 0;
  std::int32_t sea_level_q4 = 0;
  Terrain terrain;
  LayerRanges ranges;  // what the terrain can yield: layer_ranges(terrain)
  std::vector<Biome> biomes;
  BiomeTable biome_table;  // over `biomes` and `ranges`
  // the same for rivers and for lakes; empty: as if they were not there
  std::array<BiomeTable, 2> fresh_biomes;
  LayerMask layers = kCoreLayers;  // what its chunks hold
  std::vector<PlacementKind> placement_kinds;
  std::vector<StructureKind> structure_kinds;
  // none: no forests, no rocks, and nothing stands anywhere
  std::optional<PlacementRules> placements;
  std::optional<StructureRules> structures;
};

/// Fills the world's ranges and biome tables from its terrain and biomes. Errors: as
/// BiomeTable::build.
[[nodiscard]] Result<void> build_biome_tables(World& world);

/// The values that the layers of a terrain can take.
[[nodiscard]] LayerRanges layer_ranges(const Terrain& terrain);

/// Version of the stage that makes a terrain; part of a world's fingerprint. It grows whenever a
/// change to the code changes any sample.
[[nodiscard]] std::string_view stage_version(const Terrain& terrain);

/// Versions of all stages that make a world.
[[nodiscard]] std::string stage_versions(const World& world);

}  // namespace terrane::worldgen
