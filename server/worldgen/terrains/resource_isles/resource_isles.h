#pragma once

#include "worldgen/terrains/resource_isles/parameters.h"
#include "worldgen/terrains/terrain.h"

namespace terrane::worldgen {

void fields(FieldArchive& archive, ResourceIslesTerrain& terrain);
[[nodiscard]] std::int64_t widest_tile(const ResourceIslesTerrain& terrain);
[[nodiscard]] LayerMask layers(const ResourceIslesTerrain& terrain);
[[nodiscard]] LayerRanges layer_ranges(const ResourceIslesTerrain& terrain);

/// Its biomes are its kinds of tile (Tile), which it chooses itself; its resources are placements.
void fill_terrain(const ResourceIslesTerrain& terrain, const GridContext& context,
                  TerrainOutput& out);

}  // namespace terrane::worldgen
