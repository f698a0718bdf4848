#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace terrane::net {

/// How many connections a port holds at once; further ones are closed as soon as they are accepted.
struct ConnectionLimits {
  std::size_t total = 1024;
  /// Of one client. Nobody may have more than are still free, either, so that few clients can't
  /// take all: n greedy ones leave an (n + 1)th part.
  std::size_t per_client = 256;
};

/// What the operator asked for; 0 where the system decides.
struct WantedConnections {
  std::size_t total = 0;
  std::size_t per_client = 0;
  bool encrypted = false;  // which takes memory for each
};

/// The limits of both ports, and what is to be said of them.
struct ConnectionPlan {
  ConnectionLimits grpc;
  ConnectionLimits http;
  std::string warning;  // empty when all is well
};

/// Shares the descriptors out, so that they don't run out in normal life: some for the cache, the
/// log and the machinery, an eighth for the HTTP port, the rest for the gRPC port, unless its idle
/// connections alone would then take more than an eighth of the memory; encrypted ones of the HTTP
/// port take a 32nd at most.
/// @param descriptors   that the process may have open at once; 0: unknown
/// @param memory_bytes  that the process may use; 0: unknown
/// Pure.
[[nodiscard]] ConnectionPlan plan_connections(const WantedConnections& wanted,
                                              std::uint64_t descriptors,
                                              std::uint64_t memory_bytes);

}  // namespace terrane::net
