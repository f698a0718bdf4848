#pragma once

#include <string>

#include "terrane/result.h"

namespace terrane::rpc {

/// `address` (HOST:PORT) with another port.
[[nodiscard]] std::string with_port(const std::string& address, int port);

/// Why nothing can listen on `address`, which has just failed: gRPC does not tell, so it is tried
/// once more by hand. kUnavailable.
[[nodiscard]] Error why_not_listening(const std::string& address);

}  // namespace terrane::rpc
