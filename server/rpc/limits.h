#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace terrane::rpc {

/// What one call may ask for and hold. A request past a limit is refused; holding is bounded by waiting.
struct Limits {
  std::size_t max_chunks_per_request = 1024;  // after removing repeats
  std::size_t max_points_per_request = 65536;
  std::uint32_t max_locate_radius = 65536;            // blocks
  std::size_t max_message_bytes = 4u << 20;           // of any message, either way
  std::size_t max_chunks_request_bytes = 256u << 10;  // of a GetChunk or GetChunks request: ten times 1,024 far-away coordinates
  std::size_t max_metadata_bytes = 16u << 10;
  std::size_t max_calls_per_connection = 1024;  // further ones wait in the client
};

/// How GetChunks paces itself.
struct StreamPace {
  std::size_t max_in_flight = 64;             // chunks asked of the pipeline and not yet answered
  std::size_t max_unsent_bytes = 256u << 10;  // encoded chunks that wait for the reader, those in flight reckoned in
  std::size_t batch_bytes = 64u << 10;        // a batch is closed once it holds this much
  std::size_t batch_chunks = 32;              // or this many
  std::chrono::milliseconds linger{5};        // or the batch before it left this long ago (twice that if no other chunk comes)
};

}  // namespace terrane::rpc
