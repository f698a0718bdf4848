#pragma once

#include <string>

#include "access/caller.h"
#include "access/live_access.h"
#include "rpc/limits.h"
#include "terrane/result.h"
#include "worlds/world_catalog.h"

/// Messages of the contract as proto3's JSON, for whoever speaks HTTP. Pure functions.
namespace terrane::rpc {

/// A ListWorldsResponse.
/// @param access, caller  as in access_check.h
[[nodiscard]] std::string worlds_json(const worlds::WorldCatalog& worlds, const Limits& limits,
                                      const access::LiveAccess* access,
                                      const access::Caller* caller);

/// A GetWorldResponse.
[[nodiscard]] std::string world_json(const worldgen::World& world, const Limits& limits);

/// An HttpError.
[[nodiscard]] std::string error_json(const Error& error);

}  // namespace terrane::rpc
