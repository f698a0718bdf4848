#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "access/caller.h"
#include "terrane/result.h"
#include "terrane/v1/chunk.pb.h"

/// What callers may do. Pure functions. A caller that is null may do everything.
namespace terrane::rpc {

/// Errors: kPermissionDenied.
[[nodiscard]] Result<void> check_may_read(const access::Caller& caller);

/// Whether there is such a world or not: nobody learns that who may not see it.
/// @param path  what the field is called in the request
/// Errors: kPermissionDenied.
[[nodiscard]] Result<void> check_may_see(const access::Caller* caller, const std::string& world,
                                         std::string_view path = "name");

/// The same of a world and a seed.
[[nodiscard]] Result<void> check_may_see(const access::Caller* caller, const v1::WorldRef& world,
                                         std::string_view path = "world");

/// @param viewers  Explore streams that the caller has, this one included
/// Errors: kResourceExhausted.
[[nodiscard]] Result<void> check_viewers(const access::Caller* caller, std::size_t viewers);

}  // namespace terrane::rpc
