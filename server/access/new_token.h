#pragma once

#include <string>
#include <string_view>

#include "terrane/result.h"

namespace terrane::access {

/// A fresh token of 256 random bits, and its entry for the access file: lines for people.
/// Errors: kInvalidArgument for a name that can't be one; kInternal without random numbers.
[[nodiscard]] Result<std::string> describe_new_token(std::string_view name);

}  // namespace terrane::access
