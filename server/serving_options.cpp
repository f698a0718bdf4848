#include "serving_options.h"

#include <algorithm>
#include <cstddef>

namespace terrane {

rpc::ExplorePace explore_pace(const config::Config& config) {
  rpc::ExplorePace pace{.slow_client = config.slow_client};
  if (config.memory_limit != 0)
    pace.max_stream_memory = std::min(pace.max_stream_memory, std::size_t{config.memory_limit / 4});
  return pace;
}

rpc::ConnectionPolicy connection_policy(const config::Config& config,
                                        const net::ConnectionLimits& limits,
                                        net::PortStates& ports) {
  return {.limits = limits,
          .handshake = config.handshake_timeout,
          .idle = config.idle_timeout,
          .age = config.connection_age,
          .age_grace = config.connection_age_grace,
          .proxy_protocol = config.proxy_protocol,
          .state = &ports.grpc};
}

rpc::Limits rpc_limits(const config::Config& config) {
  constexpr std::size_t kLeast = std::size_t{16} << 20;
  rpc::Limits limits;
  if (config.memory_limit != 0) {
    limits.max_call_memory =
        std::clamp(std::size_t{config.memory_limit / 8}, kLeast, limits.max_call_memory);
  }
  return limits;
}

}  // namespace terrane
