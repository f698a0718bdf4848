#include "net/connection_limits.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace terrane::net {
namespace {

// A server without connections has 21 descriptors open (adr/0015); the rest is for files that
// come and go, such as world files.
constexpr std::uint64_t kReserve = 64;
constexpr std::uint64_t kUnknownDescriptors = 1024;  // the usual limit
constexpr std::uint64_t kMostHttp = 1024;
constexpr std::uint64_t kFewest = 16;  // below that nothing can be promised
// What an idle connection was seen to take in this process, rounded up (adr/0015).
constexpr std::uint64_t kBytesPerConnection = 32 << 10;
constexpr std::uint64_t kBytesPerEncrypted = 96 << 10;  // on either port (adr/0021)
constexpr std::uint64_t kMemoryShare = 8, kHttpMemoryShare = 32;
constexpr std::uint64_t kClientShare = 4;

}  // namespace

ConnectionPlan plan_connections(const WantedConnections& wanted, std::uint64_t descriptors,
                                std::uint64_t memory_bytes) {
  const std::uint64_t known = descriptors == 0 ? kUnknownDescriptors : descriptors;
  const std::uint64_t each = wanted.encrypted ? kBytesPerEncrypted : kBytesPerConnection;
  ConnectionPlan plan;
  plan.http.total = std::clamp<std::uint64_t>(known / 8, kFewest, kMostHttp);
  if (memory_bytes > 0 && wanted.encrypted) {
    plan.http.total = std::min<std::uint64_t>(
        plan.http.total, std::max(memory_bytes / kHttpMemoryShare / each, kFewest));
  }
  plan.http.per_client = std::max<std::uint64_t>(plan.http.total / 2, 1);
  const std::uint64_t taken = kReserve + plan.http.total;
  const std::uint64_t room = std::max(known > taken ? known - taken : 0, kFewest);
  if (wanted.total == 0) {
    plan.grpc.total = room;
    if (memory_bytes > 0) {
      plan.grpc.total =
          std::min<std::uint64_t>(room, std::max(memory_bytes / kMemoryShare / each, kFewest));
    }
  } else {
    plan.grpc.total = std::min<std::uint64_t>(wanted.total, room);
  }
  plan.grpc.per_client = wanted.per_client == 0
                             ? std::max<std::uint64_t>(plan.grpc.total / kClientShare, 1)
                             : std::min(wanted.per_client, plan.grpc.total);
  if (known < taken + kFewest) {
    plan.warning = fmt::format(
        "{} descriptors are too few to be safe: the server may fail to accept connections; allow "
        "at least 1024 (ulimit -n)",
        known);
  } else if (wanted.total > room) {
    plan.warning = fmt::format(
        "--max-connections {} does not fit into {} descriptors, of which {} are kept for files and "
        "the HTTP port: it is {} now; allow more descriptors (ulimit -n)",
        wanted.total, known, taken, room);
  }
  return plan;
}

}  // namespace terrane::net
