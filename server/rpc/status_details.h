#pragma once

#include <string>

#include "terrane/result.h"

namespace terrane::rpc {

/// What a status says to programs: a serialised google.rpc.Status with an ErrorInfo (reason, the
/// domain "terrane", and as metadata the field, its value and the limit, as far as there are any),
/// a BadRequest where a field is named, and a RetryInfo where it is known when to ask again. gRPC
/// sends it as the trailer `grpc-status-details-bin`. Empty for an error without a reason.
/// @param status_code  of gRPC, that of the call
[[nodiscard]] std::string details_of(const Error& error, int status_code);

}  // namespace terrane::rpc
