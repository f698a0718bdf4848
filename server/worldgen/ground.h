#pragma once

#include "worldgen/world.h"

namespace terrane::worldgen {

/// Fills a grid as the world's terrain and stamps make it, before anything stands there: all of
/// `out` but biomes that the table chooses. Throws Abandoned.
void fill_ground(const World& world, const GridContext& context, TerrainOutput& out);

}  // namespace terrane::worldgen
