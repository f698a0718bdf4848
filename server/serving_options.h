#pragma once

#include "config/config.h"
#include "net/connection_limits.h"
#include "net/port_state.h"
#include "rpc/connection_policy.h"
#include "rpc/limits.h"
#include "rpc/pace.h"

/// What the configuration says of how the gRPC port serves.
namespace terrane {

/// Streams may hold a quarter of what memory there is.
[[nodiscard]] rpc::ExplorePace explore_pace(const config::Config& config);

/// @param limits  as they were planned. @param ports  outlive the server
[[nodiscard]] rpc::ConnectionPolicy connection_policy(const config::Config& config,
                                                      const net::ConnectionLimits& limits,
                                                      net::PortStates& ports);

/// SamplePoints may hold an eighth of the memory, but some of the largest must have room.
[[nodiscard]] rpc::Limits rpc_limits(const config::Config& config);

}  // namespace terrane
