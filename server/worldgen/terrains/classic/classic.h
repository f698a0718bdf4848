#pragma once

#include "worldgen/terrains/terrain.h"

namespace terrane::worldgen {

/// The `classic` terrain: height shapes temperature, temperature shapes humidity.
struct ClassicTerrain {
  static constexpr TerrainTraits kTraits{.name = "classic", .version = 1};

  noise::FractalNoise height, temperature, humidity;
  float stretch = 1;  // factor that makes the noise fill [0.02, 0.98]
};

void fields(FieldArchive& archive, ClassicTerrain& terrain);
[[nodiscard]] std::int64_t widest_tile(const ClassicTerrain& terrain);
[[nodiscard]] LayerMask layers(const ClassicTerrain& terrain);
[[nodiscard]] LayerRanges layer_ranges(const ClassicTerrain& terrain);
void fill_terrain(const ClassicTerrain& terrain, const GridContext& context, TerrainOutput& out);

}  // namespace terrane::worldgen
