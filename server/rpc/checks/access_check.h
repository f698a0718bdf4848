#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "access/caller.h"
#include "access/live_access.h"
#include "terrane/result.h"
#include "terrane/v1/chunk.pb.h"

/// What callers may do. Pure functions. A caller that is null may do everything.
namespace terrane::rpc {

/// Errors: kPermissionDenied.
[[nodiscard]] Result<void> check_may_read(const access::Caller& caller);

/// Whether somebody may administer the server; null: nobody in particular, who may not.
/// Errors: kPermissionDenied.
[[nodiscard]] Result<void> check_may_administer(const access::Caller* caller);

/// Whether an administrator may remove what others than a single variant need; null: one of the
/// same machine, who may.
/// @param world  which; empty: any
/// Errors: kPermissionDenied.
[[nodiscard]] Result<void> check_may_purge_all(const access::Caller* caller,
                                               const std::string& world);

/// Whether an administrator may be told of all that is in the cache, and of other clients; null: as
/// above. Errors: kPermissionDenied.
[[nodiscard]] Result<void> check_may_see_all(const access::Caller* caller);

/// Whether there is such a world or not: nobody learns that who may not see it.
/// @param path  what the field is called in the request
/// Errors: kPermissionDenied.
[[nodiscard]] Result<void> check_may_see(const access::Caller* caller, const std::string& world,
                                         std::string_view path = "name");

/// Whether they may be told of a world, for its own sake or for that of a realm. Errors: as
/// check_may_see().
[[nodiscard]] Result<void> check_may_know(const access::LiveAccess* access,
                                          const access::Caller* caller, const std::string& world);

/// Whether the caller may see a world with that seed, or a realm, which then becomes the world and
/// the seed that it stands for.
/// @param access  null: there are no realms
/// Errors: kPermissionDenied, whether there is such a world or realm or not; kInvalidArgument for a
///   realm beside a world or a seed; kNotFound for a realm that there is not.
[[nodiscard]] Result<void> resolve(const access::LiveAccess* access, const access::Caller* caller,
                                   v1::WorldRef& world, std::string_view path = "world");

/// @param viewers  Explore streams that the caller has, this one included
/// Errors: kResourceExhausted.
[[nodiscard]] Result<void> check_viewers(const access::Caller* caller, std::size_t viewers);

}  // namespace terrane::rpc
