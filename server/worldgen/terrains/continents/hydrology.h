#pragma once

#include <array>
#include <vector>

#include "worldgen/terrains/continents/network.h"

namespace terrane::worldgen {
struct ContinentsTerrain;
}

namespace terrane::worldgen::continents {

/// A straight watercourse as samples see it. Blocks from a grid's first sample: integers, so
/// differences are exact.
struct Watercourse {
  float x, y, dx, dy;
  float inverse_length2;
  float level, fall;              // of the valley's floor at its beginning, and added along it, but
  float level_until, per_length;  // ... it is level in the lakes at its ends
  float mouth;                    // its length in lengths of a mouth
  float from_lake, to_water;      // 1 where a lake is, and where one or another river is; 0 else
  float normal_x, normal_y;       // to its left, of length 1
  float swing, waves, unevenness, calming, fade;  // Swing, and its fade_of
  float swing_slope;  // blocks to the side per block along, where the wave's slope is 1
  // half the river's width, squared: at its beginning, and what is added along it; 0: no river
  float width2, widening;
  bool has_road;  // on both banks
  // share of its length where a ford leads from one road to the other, below 0: none; blocks to the
  // left of it where the river is there
  float ford, ford_aside;
};

/// A lake: its middle in blocks from a grid's first sample, and the height of its valley's floor.
struct Lake {
  /// Waves of the shore, so many around it, in radii: the x part of their height at an angle is
  /// that of so many times the angle.
  struct Waves {
    float x, y;
  };
  float x, y, radius;
  float level;
  std::array<Waves, 6> shore;  // 2 … 7 waves
  bool has_road;               // around it
};

struct Hydrology {
  std::vector<Watercourse> courses;
  std::vector<Lake> lakes;
};

/// Where the samples of a grid look for water, at least and at most; blocks from its first sample.
struct PlaceBounds {
  float min_x = 0, max_x = 0, min_y = 0, max_y = 0;
};

/// How far from its middle, in blocks, a river changes the ground at most, and a lake from its
/// shore.
inline constexpr float kChannelReach = 64.0f;

/// The watercourses and lakes that may be within reach of such places.
[[nodiscard]] Hydrology hydrology_around(const ContinentsTerrain& terrain,
                                         const GridContext& context, const PlaceBounds& places);

}  // namespace terrane::worldgen::continents
