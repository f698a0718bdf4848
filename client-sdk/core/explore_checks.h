#pragma once

#include <vector>

#include "explore/view_range.h"
#include "terrane/explorer.h"
#include "terrane/result.h"

/// What a game may ask for. Pure functions; threads: any; they block on nothing.
namespace terrane::client {

/// Errors: kInvalidArgument names the option, its value and the limit.
[[nodiscard]] Result<void> check(const ExploreOptions& options);

/// Errors: those of Explorer::move.
/// @param chunk_size  of the world: samples along one edge
[[nodiscard]] Result<void> check(const Pose& pose, int chunk_size);

/// @param options  ExploreOptions::view_distances as check() accepts them
[[nodiscard]] explore::ViewDistances to_distances(const std::vector<int>& options);

}  // namespace terrane::client
