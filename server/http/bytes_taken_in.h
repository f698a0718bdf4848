#pragma once

#include <cstdint>

namespace terrane::http {

/// Bytes of a TCP connection that have come and been read, so far; 0 where the system does not say.
[[nodiscard]] std::uint64_t bytes_taken_in(int descriptor);

}  // namespace terrane::http
