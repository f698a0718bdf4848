#pragma once

#include "worldgen/terrains/terrain.h"

namespace terrane::worldgen {

/// The `perlin` terrain: three independent noises, each mapped linearly onto a layer.
struct PerlinTerrain {
  static constexpr TerrainTraits kTraits{.name = "perlin", .version = 1};

  noise::FractalNoise height, temperature, humidity;
  float amplitude_q4 = 0;                               // height where the noise is 1, 1/16 block
  float temperature_low_d = 0, temperature_high_d = 0;  // 1/10 degC where the noise is -1 and 1
};

void fields(FieldArchive& archive, PerlinTerrain& terrain);
[[nodiscard]] std::int64_t widest_tile(const PerlinTerrain& terrain);
[[nodiscard]] LayerMask layers(const PerlinTerrain& terrain);
[[nodiscard]] LayerRanges layer_ranges(const PerlinTerrain& terrain);
void fill_terrain(const PerlinTerrain& terrain, const GridContext& context, TerrainOutput& out);

}  // namespace terrane::worldgen
