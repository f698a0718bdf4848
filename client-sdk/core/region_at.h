#pragma once

#include <string>

#include "terrane/coord.h"
#include "terrane/world.h"

namespace terrane::client {

/// The square of 4,096 x 4,096 blocks that a call is about: "WORLD/SEED/X,Y", or
/// "realms/REALM/X,Y". Empty where the world's name can't stand in a header: such a call is refused
/// anyway. Pure; threads: any.
[[nodiscard]] std::string region_at(const WorldRef& world, BlockPos block);

}  // namespace terrane::client
