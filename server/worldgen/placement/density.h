#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "worldgen/noise/fractal_noise.h"
#include "worldgen/placement/parameters.h"

namespace terrane::worldgen {

/// How much each sample of a grid is within a patch: 0 where the noise of patches is lowest,
/// kPatchLevels - 1 where it is highest, and all levels about as frequent.
struct PatchLevels {
  std::array<std::uint8_t, noise::kMaxGridSize * noise::kMaxGridSize> at;
};

/// What densities depend on, sample by sample of a grid. Where a span is empty the world has no
/// such thing.
struct DensitySite {
  std::span<const std::uint8_t> biome;
  std::span<const std::int32_t> height_q4, water_q4;
  std::span<const std::int16_t> slope_p;  // percent
};

/// A rule for biomes with these mean densities.
/// @param means  percent, 0 to 100, one a biome
/// @param edge   how soft the edges of patches are: 0.01 (sharp) to 1 A mean is made of patches:
///   their share of the ground and the density within both grow with it, and multiply to it.
[[nodiscard]] DensityRule make_density(const noise::FractalNoise& patches,
                                       std::span<const double> means, double edge, int gentle_p,
                                       int steep_p);

/// Fills the levels of a rule's patches.
/// @param stream  name of the noise's stream of random values
/// @param grid    as for fill_terrain; its stride is a power of two, and its samples are multiples
///   of the stride The same for a block in whatever grid it is. Threads: any. Blocks: no.
void fill_patches(const DensityRule& rule, std::string_view stream, std::uint64_t seed,
                  const noise::SampleGrid& grid, noise::SimdTarget target, PatchLevels& out);

/// Fills `out` with a density in percent: what the biome says, in patches, less where it is steep,
/// none in water.
void fill_density(const DensityRule& rule, const PatchLevels& patches, const DensitySite& site,
                  std::span<std::uint8_t> out);

}  // namespace terrane::worldgen
