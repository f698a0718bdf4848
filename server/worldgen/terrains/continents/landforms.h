#pragma once

#include "worldgen/grid_context.h"
#include "worldgen/terrains/continents/parameters.h"

namespace terrane::worldgen {
struct ContinentsTerrain;
}

/// Stage 7: land of a character of its own, in dry country: tablelands, which rivers have cut out
/// of layers of hard and soft rock, and dunes. Where there is none of it nothing is computed, and
/// where its share is 0 it changes no bit.
namespace terrane::worldgen::continents {

/// How much each landform counts: fields, 0 … 1 at the nodes of the coarse lattice, from which they
/// may be interpolated to a little beyond both; null where there is none of it.
struct LandformShares {
  float *tables, *dunes;
};

/// What decides where there are any: fields of degC at sea level, percent, inland, and blocks.
struct Country {
  const float *temperature, *humidity, *inland, *mountains;
  float* hills;  // their heights, blocks: lower where dunes are
};

LandformShares fill_landforms(const Landforms& landforms, const GridContext& context,
                              const Country& country);

/// The hills' noise, how high hills are, and how steep the sides of tables are, about, in percent.
struct TableHills {
  float *noise, *heights, *flanks;
};

/// Makes tables of hills: as high as each other, with level tops.
/// @param distance  from watercourses
/// @param out       hills that are made tables; their flanks are set
void raise_tables(const ContinentsTerrain& terrain, const GridContext& context, const float* tables,
                  const float* distance, const TableHills& out);

/// The height and the steepness that layers change, and that of tables' sides.
struct Steps {
  float *height, *slope_p;
  const float* flanks;
};

/// Makes slopes into steps: a cliff at the foot of each layer, and a bench on it. It raises ground;
/// of two places where tables count the same the higher one stays that: what flowed off still does.
/// @param distance  from watercourses, near which nothing is changed
void add_layers(const ContinentsTerrain& terrain, const GridContext& context, const float* tables,
                const float* distance, const Steps& steps);

/// Adds dunes across the wind.
/// @param distance  from watercourses, near which there are none
void add_dunes(const ContinentsTerrain& terrain, const GridContext& context, const float* dunes,
               const float* distance, float* height);

}  // namespace terrane::worldgen::continents
