#pragma once

#include <cstdint>

#include "worldgen/noise/fractal_noise.h"

/// Fields that change slowly are computed on a coarse lattice anchored at the world's origin and
/// interpolated. At a lattice node the interpolation gives the node's value exactly, so grids whose
/// samples all are nodes are computed directly, and all levels of detail agree.
namespace terrane::worldgen {

/// Blocks between the nodes of the lattice for what changes over hundreds of blocks, and for what
/// changes over tens.
inline constexpr std::int64_t kCoarseSpacing = 64;
inline constexpr std::int64_t kMiddleSpacing = 4;

/// The nodes of the lattice with `spacing` blocks (a power of two) that the samples of a grid are
/// interpolated from; the grid itself when its stride is no smaller than the spacing. Such a grid's
/// samples must be nodes.
[[nodiscard]] noise::SampleGrid lattice_around(const noise::SampleGrid& samples,
                                               std::int64_t spacing);

/// Whether a grid's samples are interpolated from the lattice, and not its nodes.
[[nodiscard]] constexpr bool is_interpolated(const noise::SampleGrid& samples,
                                             std::int64_t spacing) {
  return samples.stride < spacing;
}

}  // namespace terrane::worldgen
