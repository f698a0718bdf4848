#pragma once

#include <string>

#include "terrane/result.h"

namespace terrane::client {

/// Takes over into `error` what a status says to programs beside its code and text: reason, field,
/// value, limit and when to ask again.
/// @param details  the trailer `grpc-status-details-bin`, a serialised google.rpc.Status; bytes
///   that are none, and reasons of other domains or later versions, are left out
void add_details(const std::string& details, Error& error);

}  // namespace terrane::client
