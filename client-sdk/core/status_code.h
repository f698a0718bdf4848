#pragma once

#include "terrane/result.h"

namespace terrane::client {

/// A gRPC status code as an ErrorCode; codes that Terrane does not use count as kInternal. Pure.
[[nodiscard]] constexpr ErrorCode to_code(int status_code) {
  const auto code = static_cast<ErrorCode>(status_code);
  return status_code > 0 && status_code <= 16 && to_string(code) != "UNKNOWN"
             ? code
             : ErrorCode::kInternal;
}

}  // namespace terrane::client
