#include "worldgen/ground.h"

namespace terrane::worldgen {

void fill_ground(const World& world, const GridContext& context, TerrainOutput& out) {
  fill_terrain(world.terrain, context, out);
  world.stamps.shape(context, out);
}

}  // namespace terrane::worldgen
