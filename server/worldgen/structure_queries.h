#pragma once

#include <cstdint>
#include <vector>

#include "terrane/objects.h"
#include "worldgen/abandon.h"
#include "worldgen/noise/simd_target.h"
#include "worldgen/world.h"

namespace terrane::worldgen {

/// All structures whose anchors lie between two blocks, both included, by y, then x: what the
/// chunks there hold. A pure function of its arguments. Throws Abandoned when `abandon` says so.
/// Threads: any. Blocks: no; takes time as the area's, so ask for a few million blocks at a time.
[[nodiscard]] std::vector<Structure> structures_within(const World& world, std::uint64_t seed,
                                                       BlockPos from, BlockPos to,
                                                       noise::SimdTarget target,
                                                       const Abandon& abandon = {});

/// A structure with all its rooms, in the order of their indices; empty if there is none with this
/// anchor.
[[nodiscard]] std::vector<Room> rooms_of(const World& world, std::uint64_t seed, BlockPos anchor,
                                         noise::SimdTarget target);

}  // namespace terrane::worldgen
