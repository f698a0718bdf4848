#pragma once

#include "worldgen/noise/fractal_noise.h"
#include "worldgen/terrains/continents/parameters.h"

namespace terrane::worldgen::continents {

/// Water is counted where it comes from at most so many nodes away: what a river's width depends
/// on.
inline constexpr int kFlowSteps = 3;

/// Nodes from the edge of a node grid from where on it is known where they drain to: whether a
/// neighbour is a hollow depends on that one's neighbours.
inline constexpr int kDrainRing = 2;

/// How far from its middle, in blocks, a river changes the ground at most, and a lake from its
/// shore.
inline constexpr float kChannelReach = 64.0f;

/// The nodes that decide about the samples of a grid: sample (i, j) is the cell of node (i, j),
/// `drainage.spacing` blocks wide.
[[nodiscard]] noise::SampleGrid nodes_around(const Drainage& drainage,
                                             const noise::SampleGrid& samples);

}  // namespace terrane::worldgen::continents
