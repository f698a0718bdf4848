#pragma once

#include <grpcpp/grpcpp.h>

#include "terrane/result.h"

namespace terrane::rpc {

/// The status a client sees for an error.
[[nodiscard]] grpc::Status to_status(const Error& error);

/// What a call is told that comes, or is open, while the server stops.
[[nodiscard]] Error draining();

/// What a call is told whose work the queue did not take.
[[nodiscard]] Error overloaded();

/// Tells an overloaded server's client when to come back: `grpc-retry-pushback-ms`, 50 to 2,000,
/// jittered so that those refused together do not return together. Call before Finish.
void add_pushback(grpc::CallbackServerContext& context);

/// What a call gets that ends with `error`: the status, with pushback where the table in the proto
/// promises it.
[[nodiscard]] grpc::Status refuse(grpc::CallbackServerContext& context, const Error& error);

}  // namespace terrane::rpc
