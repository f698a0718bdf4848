#pragma once

#include <string>
#include <variant>

#include "worldgen/terrains/classic/classic.h"
#include "worldgen/terrains/continents/continents.h"
#include "worldgen/terrains/faultlines/faultlines.h"
#include "worldgen/terrains/perlin/perlin.h"
#include "worldgen/terrains/resource_isles/resource_isles.h"
#include "worldgen/terrains/skyline/skyline.h"
#include "worldgen/terrains/terrain.h"

namespace terrane::worldgen {

/// Every terrain there is. The order is that of their numbers in compiled worlds: append only.
using Terrain = std::variant<PerlinTerrain, ClassicTerrain, ContinentsTerrain, SkylineTerrain,
                             FaultlinesTerrain, ResourceIslesTerrain>;

/// The contract (terrain.h), for whichever terrain it is.
[[nodiscard]] TerrainTraits traits_of(const Terrain& terrain);
[[nodiscard]] std::int64_t widest_tile(const Terrain& terrain);
[[nodiscard]] LayerMask layers(const Terrain& terrain);
[[nodiscard]] LayerRanges layer_ranges(const Terrain& terrain);
void fill_terrain(const Terrain& terrain, const GridContext& context, TerrainOutput& out);

/// Name and version of the stage that makes a terrain, like "continents 2".
[[nodiscard]] std::string stage_version(const Terrain& terrain);

}  // namespace terrane::worldgen
