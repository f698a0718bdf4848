#pragma once

#include <grpcpp/grpcpp.h>

#include <cstdint>
#include <span>
#include <string>

#include "rpc/call_metrics.h"
#include "rpc/checks/place_check.h"
#include "terrane/coord.h"

/// Calls of one request as those who speak HTTP have them: what a URL says becomes a request, and
/// the last message of the answer proto3's JSON. What is asked for is checked where the call is
/// served. Pure functions.
namespace terrane::rpc {

struct JsonQuery {
  Method method;
  grpc::ByteBuffer request;
};

/// Which variant a query is about: one that has been found, or a realm.
struct QueriedVariant {
  FoundVariant found;
  std::string realm;  // in its place, where it is not empty
};

[[nodiscard]] JsonQuery points_query(const QueriedVariant& of, std::span<const BlockPos> points);

/// @param target  "biome" or "structure"
/// @param radius  blocks; 0: as far as may be
[[nodiscard]] JsonQuery locate_query(const QueriedVariant& of, const std::string& target,
                                     const std::string& name, BlockPos origin,
                                     std::uint32_t radius);

[[nodiscard]] JsonQuery structure_query(const QueriedVariant& of, BlockPos anchor);

/// @param message  of the method's responses, the last one
[[nodiscard]] std::string response_json(Method method, const grpc::ByteBuffer& message);

}  // namespace terrane::rpc
