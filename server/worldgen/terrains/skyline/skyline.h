#pragma once

#include <cstdint>

#include "worldgen/plain_climate.h"
#include "worldgen/terrains/terrain.h"

namespace terrane::worldgen {

enum class SkylineMethod : std::uint8_t {
  kRandomOffsets,
  kHeightDependentOffsets,
  kInterpolated,
  kSuperposed
};
enum class SkylineInterpolation : std::uint8_t { kLinear, kCosine };

/// Heights of the `skyline` world: 1/65,536 block.
using HeightQ16 = std::int64_t;

/// The `skyline` terrain: its layers depend on x alone. Lengths in blocks, heights in 1/65,536
/// block.
struct SkylineTerrain {
  static constexpr TerrainTraits kTraits{.name = "skyline", .version = 1};

  SkylineMethod method = SkylineMethod::kSuperposed;
  SkylineInterpolation interpolation = SkylineInterpolation::kCosine;
  std::int64_t step = 8;                   // 1 ... 4,096 blocks between random values
  HeightQ16 baseline = 0;                  // land lies around it
  HeightQ16 amplitude = 64 << 16;          // of random heights, and of the anchors of walks
  HeightQ16 up = 4 << 16, down = 4 << 16;  // largest steps of walks
  // kHeightDependentOffsets: at least 2 amplitude, up and down
  HeightQ16 cap = 128 << 16;
  std::int64_t anchor_steps = 64;  // 2 ... kMaxAnchorSteps; see can_reach_anchors
  int octaves = 8;                 // 1 ... 12
  PlainClimate climate;

  static constexpr std::int64_t kMaxAnchorSteps = 256;
};

/// Whether a walk can get from any anchor to any other in anchor_steps.
[[nodiscard]] bool can_reach_anchors(const SkylineTerrain& terrain);

/// Height at a block. A pure function of its arguments.
[[nodiscard]] HeightQ16 skyline_height(const SkylineTerrain& terrain, std::uint64_t seed,
                                       std::int64_t x);

void fields(FieldArchive& archive, SkylineTerrain& terrain);
[[nodiscard]] std::int64_t widest_tile(const SkylineTerrain& terrain);
[[nodiscard]] LayerMask layers(const SkylineTerrain& terrain);
[[nodiscard]] LayerRanges layer_ranges(const SkylineTerrain& terrain);
void fill_terrain(const SkylineTerrain& terrain, const GridContext& context, TerrainOutput& out);

}  // namespace terrane::worldgen
