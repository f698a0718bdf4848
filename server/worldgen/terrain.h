#pragma once

#include <cstdint>
#include <span>

#include "worldgen/noise/fractal_noise.h"
#include "worldgen/world.h"

/// The terrain stages: each fills the layers of a grid that it decides. Pure functions; threads:
/// any; they block on nothing.
namespace terrane::worldgen {

/// Where a stage's results go: one value per sample of the grid, row after row. The grid's width is
/// a multiple of noise::kRowAlignment, or its height is 1.
struct TerrainLayers {
  std::span<std::int32_t> height_q4;
  std::span<std::int16_t> temperature_d;
  std::span<std::int16_t> humidity_d;
  std::span<std::int32_t> water_q4 = {};  // worlds without a water layer leave it alone
};

/// What chooses the biome where that is more than the layers: height, temperature and humidity,
/// finely perturbed, so that borders look natural; slope in percent; per mille of the way from the
/// coast inland.
struct SiteLayers {
  std::span<std::int32_t> height_q4;
  std::span<std::int16_t> temperature_d, humidity_d, slope_p, inland_p;
  std::span<std::uint8_t> fresh;  // a FreshWater
};

void fill_terrain(const PerlinTerrain& terrain, std::uint64_t seed, const noise::SampleGrid& grid,
                  noise::SimdTarget target, const TerrainLayers& out);
[[nodiscard]] LayerRanges layer_ranges(const PerlinTerrain& terrain);

void fill_terrain(const ClassicTerrain& terrain, std::uint64_t seed, const noise::SampleGrid& grid,
                  noise::SimdTarget target, const TerrainLayers& out);
[[nodiscard]] LayerRanges layer_ranges(const ClassicTerrain& terrain);

/// The grid's stride is a power of two, and its samples are multiples of the stride.
/// @return whether there may be fresh water; if not, site.fresh was not touched
bool fill_terrain(const ContinentsTerrain& terrain, std::uint64_t seed,
                  const noise::SampleGrid& grid, noise::SimdTarget target, const TerrainLayers& out,
                  const SiteLayers& site);
[[nodiscard]] LayerRanges layer_ranges(const ContinentsTerrain& terrain);

void fill_terrain(const SkylineTerrain& terrain, std::uint64_t seed, const noise::SampleGrid& grid,
                  noise::SimdTarget target, const TerrainLayers& out);
[[nodiscard]] LayerRanges layer_ranges(const SkylineTerrain& terrain);

void fill_terrain(const FaultlinesTerrain& terrain, std::uint64_t seed,
                  const noise::SampleGrid& grid, noise::SimdTarget target,
                  const TerrainLayers& out);
[[nodiscard]] LayerRanges layer_ranges(const FaultlinesTerrain& terrain);

/// Its biomes are its kinds of tile (Tile); the first form leaves them out.
void fill_terrain(const ResourceIslesTerrain& terrain, std::uint64_t seed,
                  const noise::SampleGrid& grid, noise::SimdTarget target,
                  const TerrainLayers& out);
void fill_terrain(const ResourceIslesTerrain& terrain, std::uint64_t seed,
                  const noise::SampleGrid& grid, noise::SimdTarget target, const TerrainLayers& out,
                  std::span<std::uint8_t> biome);
[[nodiscard]] LayerRanges layer_ranges(const ResourceIslesTerrain& terrain);

}  // namespace terrane::worldgen
