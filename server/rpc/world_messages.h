#pragma once

#include "rpc/limits.h"
#include "terrane/objects.h"
#include "terrane/v1/world_service.pb.h"
#include "worldgen/world.h"

namespace terrane::rpc {

/// What clients are told of a world.
[[nodiscard]] v1::World describe(const worldgen::World& world);

[[nodiscard]] v1::BlockPos to_message(BlockPos block);
[[nodiscard]] v1::Structure to_message(const Structure& structure);
[[nodiscard]] v1::Room to_message(const Room& room);

/// What clients are told of the server's limits.
[[nodiscard]] v1::Limits describe(const Limits& limits);

}  // namespace terrane::rpc
