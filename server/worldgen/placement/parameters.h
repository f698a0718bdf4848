#pragma once

#include <cstdint>
#include <vector>

#include "worldgen/noise/fractal_noise.h"

/// What grows and lies about in a world, as the generator reads it.
namespace terrane::worldgen {

class FieldArchive;

/// Of the stage that makes forests, rocks and what stands there: grows whenever a change to the
/// code changes any of it.
inline constexpr int kPlacementsVersion = 1;

inline constexpr int kPatchLevels = 256;  // steps of the noise that makes patches
inline constexpr int kRankSteps = 1024, kTopRank = 4095;
inline constexpr int kDensityStep = 5;      // percent: densities are multiples of this
inline constexpr int kMaxScatterCell = 32;  // blocks

/// The density of trees, or of boulders.
struct DensityRule {
  noise::FractalNoise patches;  // groves and clearings
  // of the noise's values from -1 to 1, in kRankSteps steps: 0 (lowest) to kTopRank
  std::vector<std::uint16_t> rank;
  int gentle_p = 100;  // percent: they get fewer on slopes steeper than this
  // percent: and there are none from this on; greater than gentle_p
  int steep_p = 200;
  std::vector<std::uint8_t> percent;  // by biome * kPatchLevels + level of the noise
};

/// One kind among those that may stand somewhere.
struct KindShare {
  std::uint8_t kind = 0;    // index into the world's placement kinds
  std::uint32_t up_to = 0;  // the weights of this kind and of those before it
};

/// How much larger or smaller a kind's members are, percent.
struct ScaleRange {
  std::uint8_t low = 100, high = 100;
};

/// Placements stand at hashed blocks, one in each square cell of `cell` blocks, of which those are
/// left out that have another with a higher hash within `distance`.
struct PlacementRules {
  int cell = 5;      // blocks: 2 to kMaxScatterCell
  int distance = 4;  // blocks between any two: 1 to cell
  // Densities go by biomes that are wetter within patches of forest, and warmer within patches of
  // rocks, by up to so much; and drier and colder between them. In 1/10 percent and 1/10 degC.
  int border_humidity_d = 0, border_temperature_d = 0;
  DensityRule forest, rocks;
  std::vector<std::vector<KindShare>> trees, boulders;  // by biome; empty where none stand
  std::vector<ScaleRange> scales;                       // by kind
};

/// The rules' fields, with their limits.
void fields(FieldArchive& archive, PlacementRules& rules);

/// Requires rules to be for so many biomes.
void require_biomes(FieldArchive& archive, const PlacementRules& rules, std::size_t biomes);

}  // namespace terrane::worldgen
