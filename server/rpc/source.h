#pragma once

#include <grpcpp/grpcpp.h>

#include <functional>
#include <string>

#include "schedule/worker_pool.h"

namespace terrane::rpc {

/// Whose work a call is: its connection's. Behind a proxy that is the proxy's connection.
[[nodiscard]] inline schedule::Source source_of(const grpc::CallbackServerContext& context,
                                                std::uint64_t viewer = 0) {
  return {std::hash<std::string>{}(context.peer()) | 1, viewer};
}

}  // namespace terrane::rpc
