#pragma once

#include <cstddef>

#include "rpc/pace.h"
#include "terrane/v1/explore.pb.h"
#include "worldgen/world.h"

namespace terrane::rpc {

/// The first message of an Explore stream: the world, and every limit that the client has to keep,
/// that of the view distance among them.
/// @param max_request_bytes  of one message of the client
/// Threads: any. Blocks: no.
[[nodiscard]] v1::Welcome make_welcome(const worldgen::World& world, const ExplorePace& pace,
                                       std::size_t max_request_bytes);

}  // namespace terrane::rpc
