#pragma once

#include <cstdint>
#include <optional>

namespace terrane::net {

/// What has come on a connection since it began.
struct SocketTraffic {
  std::uint32_t segments = 0;  // of TCP that had any data; from 2^32 on again from 0
  std::uint64_t bytes = 0;
  std::uint64_t unread = 0;  // of these
};

/// @return nullopt where the descriptor is no connection of TCP, or the system does not count that
///   (Linux before 4.6). Thread-safe.
[[nodiscard]] std::optional<SocketTraffic> traffic_of(int descriptor);

/// Bytes of a TCP connection that have come and been read, so far; 0 where the system does not say.
/// Thread-safe.
[[nodiscard]] std::uint64_t bytes_taken_in(int descriptor);

}  // namespace terrane::net
