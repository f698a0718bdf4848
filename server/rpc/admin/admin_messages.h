#pragma once

#include <vector>

#include "admin/operations.h"
#include "terrane/v1/admin.pb.h"
#include "worlds/world_catalog.h"

/// What AdminService tells. Pure functions.
namespace terrane::rpc {

[[nodiscard]] v1::PregenerateResponse to_message(const admin::PregenerationProgress& progress);

/// @param viewers  Explore streams that are open
[[nodiscard]] v1::GetServerStatsResponse describe(const admin::Operations& operations,
                                                  std::uint64_t viewers);

/// Worlds by the names of now, the one with most bytes first.
[[nodiscard]] v1::GetCacheStatsResponse describe(std::vector<admin::WorldContents> contents,
                                                 const worlds::WorldCatalog& worlds);

}  // namespace terrane::rpc
