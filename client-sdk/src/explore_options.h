#pragma once

#include "terrane/explorer.h"
#include "terrane/result.h"

namespace terrane::client {

/// Errors: kInvalidArgument names the option, its value and the limit.
[[nodiscard]] Result<void> check(const ExploreOptions& options);

}  // namespace terrane::client
