#pragma once

#include <chrono>
#include <string>

#include "terrane/result.h"

namespace terrane::rpc {

/// Asks the server at an address for its health, by grpc.health.v1: what a container's health check
/// calls. Encrypted or not: both are tried, and whoever answers is believed.
/// @param address  HOST:PORT as a server listens on it; an address that means "every interface" is
///   asked on loopback Errors: kUnavailable saying why not: not reachable in time, or not SERVING.
///   Blocks up to `timeout`.
[[nodiscard]] Result<void> check_health(const std::string& address,
                                        std::chrono::milliseconds timeout);

}  // namespace terrane::rpc
