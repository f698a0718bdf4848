#pragma once

#include <string>

#include "terrane/result.h"

/// What a status says to programs beside its code and text: a serialised google.rpc.Status, which
/// gRPC sends as the trailer `grpc-status-details-bin`. Pure functions.
namespace terrane::status {

/// An ErrorInfo (reason, the domain "terrane", and as metadata the field, its value and the limit,
/// as far as there are any), a BadRequest where a field is named, and a RetryInfo where it is known
/// when to ask again. Empty for an error without a reason.
/// @param status_code  of gRPC, that of the call
[[nodiscard]] std::string details_of(const Error& error, int status_code);

/// Takes over into `error` what they say: reason, field, value, limit and when to ask again.
/// @param details  bytes that are none, and reasons of other domains or later versions, are left
///   out
void add_details(const std::string& details, Error& error);

}  // namespace terrane::status
