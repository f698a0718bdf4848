#pragma once

#include <chrono>
#include <cstddef>

#include "net/connection_limits.h"

namespace terrane::http {

/// What one client may take. A connection past a limit is answered where it can be, and closed.
struct Limits {
  net::ConnectionLimits connections{.total = 1024, .per_client = 512};
  std::size_t max_header_bytes = 8u << 10;  // of a request; bodies are not taken at all
  std::chrono::milliseconds idle{60'000};   // from one request to the first byte of the next
  // from its first byte to the end of its header, however slowly it comes
  std::chrono::milliseconds request{10'000};
  std::chrono::milliseconds answer{30'000};  // to take a whole answer
  std::chrono::milliseconds linger{1'000};   // for a client that was refused to read why
};

}  // namespace terrane::http
