#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "worldgen/grid_context.h"
#include "worldgen/placement/parameters.h"

namespace terrane::worldgen {

/// How much each sample of a grid is within a patch: 0 where the noise of patches is lowest,
/// kPatchLevels - 1 where it is highest, and all levels about as frequent.
using PatchLevels = std::span<const std::uint8_t>;

/// What densities depend on, sample by sample of a grid. Where a span is empty the world has no
/// such thing.
struct DensitySite {
  std::span<const std::uint8_t> biome;
  std::span<const std::int32_t> height_q4, water_q4;
  std::span<const std::int16_t> slope_p;  // percent
};

/// A rule for biomes with these mean densities.
/// @param means  percent, 0 to 100, one a biome
/// @param edge   how soft the edges of patches are: 0.01 (sharp) to 1
/// A mean is made of patches: their share of the ground and the density within both grow with it,
/// and multiply to it.
[[nodiscard]] DensityRule make_density(const noise::FractalNoise& patches,
                                       std::span<const double> means, double edge, int gentle_p,
                                       int steep_p);

/// The levels of a rule's patches, in the grid's scratch.
/// @param stream   name of the noise's stream of random values
/// @param context  its grid is one that a terrain may be given
/// The same for a block in whatever grid it is. Threads: any. Blocks: no.
[[nodiscard]] PatchLevels fill_patches(const DensityRule& rule, std::string_view stream,
                                       const GridContext& context);

/// Fills `out` with a density in percent: what the biome says, in patches, less where it is steep,
/// none in water.
void fill_density(const DensityRule& rule, PatchLevels patches, const DensitySite& site,
                  std::span<std::uint8_t> out);

}  // namespace terrane::worldgen
