#pragma once

#include <cstddef>
#include <vector>

namespace terrane::bench {

/// What serving would cost if there were nothing but gRPC: GetChunks streams ready-made messages of
/// the given sizes, GetChunk answers with the first of `unary_bytes` bytes. Raw buffers, callback
/// API, bytes never copied by us. Says where it listens, and serves until it is killed.
/// @param streams  sizes of each square's messages, in order; further squares begin anew
int serve_bare(const std::vector<std::vector<std::size_t>>& streams, std::size_t unary_bytes);

}  // namespace terrane::bench
