#pragma once

#include "rpc/limits.h"
#include "terrane/v1/world_service.pb.h"
#include "worldgen/world.h"

namespace terrane::rpc {

/// What clients are told of a world.
[[nodiscard]] v1::World describe(const worldgen::World& world);

/// What clients are told of the server's limits.
[[nodiscard]] v1::Limits describe(const Limits& limits);

}  // namespace terrane::rpc
