#include "worldgen/objects.h"

namespace terrane::worldgen {

std::vector<Structure> structures_within(const World&, std::uint64_t, BlockPos, BlockPos, noise::SimdTarget) { return {}; }

std::vector<Room> rooms_of(const World&, std::uint64_t, BlockPos, noise::SimdTarget) { return {}; }

}  // namespace terrane::worldgen
