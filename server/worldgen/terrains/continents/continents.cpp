// clang-format off: the order of these matters
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "worldgen/terrains/continents/continents.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
#include "worldgen/terrains/continents/continents-inl.h"
// clang-format on

#if HWY_ONCE

#include "worldgen/noise/per_target.h"

namespace terrane::worldgen {

namespace continents {
namespace {

void dispatch(const ContinentsTerrain& terrain, const GridContext& context,
              const LayerRanges& ranges, TerrainOutput& out) {
  TERRANE_CALL_TARGET(context.target, fill_continents(terrain, context, ranges, out));
}

}  // namespace
}  // namespace continents

void fill_terrain(const ContinentsTerrain& terrain, const GridContext& context,
                  TerrainOutput& out) {
  continents::dispatch(terrain, context, layer_ranges(terrain), out);
}

}  // namespace terrane::worldgen

#endif  // HWY_ONCE
