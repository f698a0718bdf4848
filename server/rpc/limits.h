#pragma once

#include <cstddef>
#include <cstdint>

namespace terrane::rpc {

/// Bytes of a call that gRPC takes in before anybody reads them: some hundred Moves, as a viewer is
/// where they say it is only once all of them have been read. A message that is being read always
/// comes as a whole, and takes one round trip more where it is longer.
inline constexpr std::size_t kUnreadBytes = std::size_t{4} << 10;

/// What any call holds, in bytes: what gRPC keeps of it, and what it takes in that nobody has read.
inline constexpr std::size_t kBytesPerCall = kUnreadBytes + (std::size_t{16} << 10);

/// What one call may ask for; of Explore also terrane/explore_limits.h. A request past a limit is
/// refused. How fast what was asked for is made and sent, and how long a slow client is waited for,
/// is pace.h.
struct Limits {
  std::size_t max_chunks_per_request = 1024;  // after removing repeats
  std::size_t max_points_per_request = 65536;
  std::uint32_t max_locate_radius = 65536;   // blocks
  std::size_t max_message_bytes = 4u << 20;  // of any message, either way
  // of a GetChunk or GetChunks request: ten times 1,024 far-away coordinates
  std::size_t max_chunks_request_bytes = 256u << 10;
  std::size_t max_metadata_bytes = 16u << 10;
  std::size_t max_calls_per_connection = 1024;  // further ones wait in the client
  // bytes that all calls but Explore may hold in memory from their beginning to their end; one
  // client's may have half. Past it they are refused.
  std::size_t max_call_memory = std::size_t{256} << 20;
};

}  // namespace terrane::rpc
