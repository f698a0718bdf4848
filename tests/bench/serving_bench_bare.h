#pragma once

#include <cstddef>
#include <vector>

namespace terrane::bench {

/// What serving would cost if there were nothing but gRPC: GetChunks streams ready-made messages of
/// the given sizes, GetChunk answers with the first of `unary_bytes` bytes. Raw buffers, callback
/// API, bytes never copied by us. Says where it listens, and serves until it is killed.
/// @param stream_bytes  size of each message of a stream, in order
int serve_bare(const std::vector<std::size_t>& stream_bytes, std::size_t unary_bytes);

}  // namespace terrane::bench
