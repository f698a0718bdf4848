#pragma once

#include "access/caller.h"
#include "access/live_access.h"
#include "rpc/limits.h"
#include "terrane/objects.h"
#include "terrane/v1/world_service.pb.h"
#include "worldgen/world.h"
#include "worlds/world_catalog.h"

namespace terrane::rpc {

/// What clients are told of a world.
[[nodiscard]] v1::World describe(const worldgen::World& world);

/// The same to who asks for one world: with its places and the server's limits.
[[nodiscard]] v1::GetWorldResponse describe(const worldgen::World& world, const Limits& limits);

[[nodiscard]] v1::BlockPos to_message(BlockPos block);
[[nodiscard]] v1::Structure to_message(const Structure& structure);
[[nodiscard]] v1::Room to_message(const Room& room);

[[nodiscard]] v1::NamedPlace to_message(const NamedPlace& place);

/// What clients are told of the server's limits.
[[nodiscard]] v1::Limits describe(const Limits& limits);

/// The worlds and realms that a caller may know of; null: there is nobody in particular, or nobody
/// is asked who they are.
[[nodiscard]] v1::ListWorldsResponse describe(const worlds::WorldCatalog& worlds,
                                              const Limits& limits,
                                              const access::LiveAccess* access,
                                              const access::Caller* caller);

}  // namespace terrane::rpc
