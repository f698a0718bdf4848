#pragma once

#include <string>
#include <string_view>

#include "terrane/result.h"

namespace terrane::client {

/// ClientOptions::address as gRPC names it. Pure; threads: any.
/// Errors: kInvalidArgument says which part of a list is not right.
[[nodiscard]] Result<std::string> grpc_target(std::string_view address);

}  // namespace terrane::client
