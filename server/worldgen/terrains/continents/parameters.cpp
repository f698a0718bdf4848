#include "worldgen/terrains/continents/parameters.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "worldgen/shared_fields.h"
#include "worldgen/terrains/continents/continents.h"
#include "worldgen/terrains/continents/network.h"

// Limits are those of world files (preset_continents.proto), in the generator's units; what could
// be asked for there passes here.

namespace terrane::worldgen {

namespace {

/// @param largest  of the curve's values, either sign
void curve_fields(FieldArchive& archive, const char* name, Curve& curve, float largest) {
  archive.number(name, curve.first, -1, 1);
  archive.number(name, curve.steps_per_unit, 1, 1 << 20);
  for (float& value : curve.values) archive.number(name, value, -largest, largest);
}

}  // namespace

namespace continents {

void fields(FieldArchive& archive, Land& land) {
  constexpr float kHighestFloor = 2000;  // blocks
  constexpr float kInland = 1.001f;      // may be rounded to a hair more than 1
  archive.group("shape", land.shape);
  archive.group("warp", land.warp);
  archive.number("warp_amplitude", land.warp_amplitude, 0, 16384);
  archive.group("coast", land.coast);
  archive.number("coast_amplitude", land.coast_amplitude, 0, 2);
  curve_fields(archive, "inland", land.inland, kInland);
  curve_fields(archive, "floor", land.floor, kHighestFloor);
}

void fields(FieldArchive& archive, Drainage& drainage) {
  archive.number("spacing", drainage.spacing, 256, 4096);
  archive.require(std::has_single_bit(static_cast<unsigned>(drainage.spacing)), "spacing",
                  std::to_string(drainage.spacing) + " is not a power of two");
  archive.number("levels", drainage.levels, 1, 6);
  archive.require(drainage.spacing << 2 * (drainage.levels - 1) <= 1 << 16, "levels",
                  "the coarsest nodes are more than 65536 blocks apart");
  archive.number("trunk_height", drainage.trunk_height, 0, 1000);
  archive.number("swing", drainage.swing, 0, 2);
  archive.number("stream_slope", drainage.stream_slope, 0, 1);
  archive.number("jitter", drainage.jitter, 0, 0.2401f);
  archive.number("reach", drainage.reach, 64, 8192);
  archive.require(drainage.reach <= 1.5f * static_cast<float>(drainage.spacing), "reach",
                  "is more than one and a half spacings");
  archive.group("meander", drainage.meander);
  archive.number("meander_amplitude", drainage.meander_amplitude, 0, 256);
  archive.number("bed_width", drainage.bed_width, 4, 512);
}

void fields(FieldArchive& archive, Rivers& rivers) {
  constexpr float kSmallestLake = 48;  // radius, blocks
  archive.number("width", rivers.width, 0, 24);
  archive.number("widest", rivers.widest, 0, 60);
  archive.number("bank_height", rivers.bank_height, 0, 4);
  archive.number("lake_share", rivers.lake_share, 0, 1);
  archive.number("smallest_lake", rivers.smallest_lake, kSmallestLake, 512);
  archive.number("largest_lake", rivers.largest_lake, kSmallestLake, 512);
  archive.number("roads_from", rivers.roads_from, 0, 60);
  archive.require(rivers.smallest_lake <= rivers.largest_lake, "smallest_lake",
                  "is larger than largest_lake");
}

void fields(FieldArchive& archive, Relief& relief) {
  archive.group("mountain_mask", relief.mountain_mask);
  archive.group("mountain_regions", relief.mountain_regions);
  archive.number("region_threshold", relief.region_threshold, -2, 1);
  archive.number("region_range", relief.region_range, 0.001f, 2);
  archive.number("plain_steepness", relief.plain_steepness, 0, 1);
  archive.number("hill_steepness", relief.hill_steepness, 0, 1);
  archive.number("mountain_threshold", relief.mountain_threshold, -1, 1);
  archive.number("mountain_range", relief.mountain_range, 0.001f, 2);
  archive.number("mountain_height", relief.mountain_height, 0, 1500);
  archive.group("ridges", relief.ridges);
  archive.number("ridge_share", relief.ridge_share, 0, 1);
  archive.group("hill_mask", relief.hill_mask);
  archive.group("hills", relief.hills);
  archive.number("hill_height_low", relief.hill_height_low, 0, 500);
  archive.number("hill_height_high", relief.hill_height_high, 0, 500);
  archive.number("seabed_height", relief.seabed_height, 0, 200);
  archive.number("valley_width", relief.valley_width, 1, 1000);
  archive.number("valley_widening", relief.valley_widening, 0, 20);
}

void fields(FieldArchive& archive, Gullies& gullies) {
  archive.number("cells", gullies.frequency.cells, 1, 1024);
  archive.number("blocks", gullies.frequency.blocks, 1, 1u << 20);
  archive.number("octaves", gullies.octaves, 0, 8);
  archive.number("gain", gullies.gain, 0.001f, 1);
  archive.number("depth", gullies.depth, 0, 200);
  archive.number("steep", gullies.steep, 0.001f, 4);
  archive.require(
      gullies.octaves == 0 || is_valid(FractalNoise{gullies.frequency, gullies.octaves, 0.5f}),
      "octaves", "the finest one has more than one cell a block");
}

void fields(FieldArchive& archive, Landforms& landforms) {
  archive.group("regions", landforms.regions);
  archive.number("threshold", landforms.threshold, 0, 1);
  archive.number("humidity", landforms.humidity, 0, 100);
  archive.number("table_height", landforms.table_height, 0, 300);
  archive.number("layer", landforms.layer, 2, 100);
  archive.number("dune_height", landforms.dune_height, 0, 50);
  archive.number("dune_length", landforms.dune_length, 16, 1024);
  archive.group("crests", landforms.crests);
}

void fields(FieldArchive& archive, Climate& climate) {
  archive.group("temperature", climate.temperature);
  archive.number("temperature_low", climate.temperature_low, -200, 200);
  archive.number("temperature_high", climate.temperature_high, -200, 200);
  archive.number("lapse_rate", climate.lapse_rate, 0, 0.5f);
  archive.group("humidity", climate.humidity);
  archive.number("humidity_low", climate.humidity_low, 0, 100);
  archive.number("humidity_high", climate.humidity_high, 0, 100);
  archive.number("coast_humidity", climate.coast_humidity, 0, 100);
  archive.number("rain_shadow", climate.rain_shadow, 0, 100);
  archive.number("wind_reach", climate.wind_reach, 64, 16384);
  archive.group("border", climate.border);
  archive.number("border_temperature", climate.border_temperature, 0, 20);
  archive.number("border_humidity", climate.border_humidity, 0, 50);
  archive.number("border_height", climate.border_height, 0, 1);
}

void fields(FieldArchive& archive, Ground& ground) {
  archive.group("roughness", ground.roughness);
  archive.number("amplitude_low", ground.amplitude_low, 0, 20);
  archive.number("amplitude_high", ground.amplitude_high, 0, 20);
}

}  // namespace continents

namespace {

/// What interpolation and noise may add beyond what parameters say, blocks; more is cut off.
constexpr float kMargin = 8;
// percent and per mille
constexpr Interval kSlopes{0, 400}, kInlands{-1000, 1000};

std::int32_t tenths(float value) { return static_cast<std::int32_t>(std::floor(10 * value)); }

}  // namespace

void fields(FieldArchive& archive, ContinentsTerrain& terrain) {
  archive.group("land", terrain.land);
  archive.group("drainage", terrain.drainage);
  archive.group("rivers", terrain.rivers);
  archive.group("relief", terrain.relief);
  archive.group("gullies", terrain.gullies);
  archive.group("landforms", terrain.landforms);
  archive.group("climate", terrain.climate);
  archive.group("ground", terrain.ground);
}

std::int64_t widest_tile(const ContinentsTerrain& terrain) {
  return std::int64_t{64} * terrain.drainage.spacing;
}

LayerMask layers(const ContinentsTerrain&) { return kCoreLayers | layer_bit(Layer::kWater); }

LayerRanges layer_ranges(const ContinentsTerrain& terrain) {
  const auto& relief = terrain.relief;
  const auto [low, high] =
      std::minmax_element(terrain.land.floor.values.begin(), terrain.land.floor.values.end());
  // Valley floors: each level of nodes lies at most so much higher than the one before, whose
  // courses are known as far as kKnown (network_levels.cpp) of its spacings; slopes fall as those
  // grow.
  constexpr float kKnown = 1.06f;
  const float floors = terrain.drainage.trunk_height +
                       static_cast<float>(terrain.drainage.levels - 1) * kKnown *
                           static_cast<float>(continents::kRefinement * terrain.drainage.spacing) *
                           terrain.drainage.stream_slope;
  const float rise = relief.mountain_height +
                     2 * std::max(relief.hill_height_high, relief.hill_height_low) +
                     2 * terrain.gullies.depth + terrain.landforms.table_height +
                     terrain.landforms.layer + terrain.landforms.dune_height + kMargin;
  const float top = std::min(*high, floors) + rise;
  const auto& climate = terrain.climate;
  const auto [cold, warm] = std::minmax(climate.temperature_low, climate.temperature_high);
  return {{static_cast<std::int32_t>(16 * (*low - relief.seabed_height - kMargin)),
           static_cast<std::int32_t>(16 * top)},
          {tenths(cold - climate.lapse_rate * std::max(top, 0.0f)), tenths(warm)},
          {0, 1000},
          kSlopes,
          kInlands};
}

}  // namespace terrane::worldgen
