#pragma once

#include <string>

#include "access/caller.h"
#include "access/live_access.h"
#include "rpc/limits.h"
#include "terrane/result.h"
#include "worlds/world_catalog.h"

/// Messages of the contract as whoever speaks HTTP gets them. Pure functions.
namespace terrane::rpc {

/// A ListWorldsResponse as proto3's JSON, and so are those below.
/// @param access, caller  as in access_check.h
[[nodiscard]] std::string worlds_json(const worlds::WorldCatalog& worlds, const Limits& limits,
                                      const access::LiveAccess* access,
                                      const access::Caller* caller);

/// A GetWorldResponse.
[[nodiscard]] std::string world_json(const worldgen::World& world, const Limits& limits);

/// A GetWorldResponse with the compiled world, as bytes, without the server's limits: what a game
/// makes the land from by itself.
[[nodiscard]] std::string world_file(const worldgen::World& world);

/// An HttpError.
[[nodiscard]] std::string error_json(const Error& error);

}  // namespace terrane::rpc
