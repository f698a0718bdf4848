#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <exception>

#include "terrane/result.h"

namespace terrane::rpc {

class Call;

// Without memory for their texts these give the code alone, and never throw: whoever is owed an end
// gets one.

/// The status a client sees for an error: code and text, and for programs the details of
/// status/status_details.h.
[[nodiscard]] grpc::Status to_status(const Error& error) noexcept;

/// The error that a status was made from, as far as it says.
[[nodiscard]] Error to_error(const grpc::Status& ended);

/// What a call is told that comes, or is open, while the server stops.
[[nodiscard]] Error draining();

/// A call of somebody who has not said who it is.
[[nodiscard]] Error certificate_missing();

/// Of a stream that has gone on for as long as its caller's token lasts.
[[nodiscard]] Error token_expired();

/// When an overloaded server's client is to come back: in 50 to 2,000 ms, jittered so that those
/// refused together do not return together.
[[nodiscard]] std::chrono::milliseconds some_pushback();

/// What a call gets that ends with `error`: the status, with pushback where the table in the proto
/// promises it (`grpc-retry-pushback-ms`). Before its end.
[[nodiscard]] grpc::Status refuse(Call& call, const Error& error) noexcept;

/// What a call is told whose work threw: kResourceExhausted for std::bad_alloc, else kInternal.
/// @param work  that failed: "sampling"
[[nodiscard]] Error error_of(const std::exception& failure, const char* work) noexcept;

}  // namespace terrane::rpc
