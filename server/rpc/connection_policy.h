#pragma once

#include <atomic>
#include <chrono>

#include "net/connection_limits.h"
#include "net/port_state.h"

namespace terrane::rpc {

/// How many connections the gRPC port holds, and how long one may last, at most a day. Times of
/// zero: as long as gRPC has it, which is for ever but for the handshake.
struct ConnectionPolicy {
  net::ConnectionLimits limits;
  std::chrono::seconds handshake{20};  // to say what HTTP/2 and TLS want said first
  std::chrono::seconds idle{300};      // without a call
  std::chrono::seconds age{0};         // then the client is asked to connect anew
  std::chrono::seconds age_grace{60};  // that calls may go on for after that
  bool proxy_protocol = false;         // trusted proxies say for whom they connect
  /// Where the port says whether it accepts; outlives the server. May be null.
  std::atomic<net::Accepting>* state = nullptr;
};

}  // namespace terrane::rpc
