#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "terrane/chunk.h"
#include "terrane/coord.h"
#include "worldgen/world.h"

namespace terrane::rpc {

/// What the lod-0 chunk holds at each of the points, in order. Threads: any.
using PointSampler =
    std::function<std::vector<PointSample>(const worldgen::World& world, std::uint64_t seed, std::span<const BlockPos> points)>;

}  // namespace terrane::rpc
