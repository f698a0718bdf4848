#pragma once

#include "worldgen/terrains/continents/parameters.h"
#include "worldgen/terrains/terrain.h"

namespace terrane::worldgen {

/// The `continents` terrain: land that drains to the sea, mountains, rivers, lakes, and a climate.
struct ContinentsTerrain {
  static constexpr TerrainTraits kTraits{.name = "continents", .version = 10};

  continents::Land land;
  continents::Drainage drainage;
  continents::Rivers rivers;
  continents::Relief relief;
  continents::Gullies gullies;
  continents::Landforms landforms;
  continents::Climate climate;
  continents::Ground ground;
};

void fields(FieldArchive& archive, ContinentsTerrain& terrain);
[[nodiscard]] std::int64_t widest_tile(const ContinentsTerrain& terrain);
[[nodiscard]] LayerMask layers(const ContinentsTerrain& terrain);
[[nodiscard]] LayerRanges layer_ranges(const ContinentsTerrain& terrain);
void fill_terrain(const ContinentsTerrain& terrain, const GridContext& context, TerrainOutput& out);

}  // namespace terrane::worldgen
