#pragma once

#include <chrono>
#include <cstddef>

/// How fast the server makes and sends, how much it holds before it waits, and how long it waits
/// for a slow client.
namespace terrane::rpc {

/// How long work may be expected to wait for a worker; what would wait longer is refused, and asked
/// for again later.
inline constexpr std::chrono::milliseconds kPatience{250};

/// How GetChunks paces itself.
struct StreamPace {
  std::size_t max_in_flight = 64;  // chunks asked of the pipeline and not yet answered
  // encoded chunks that wait for the reader, those in flight reckoned in
  std::size_t max_unsent_bytes = 256u << 10;
  std::size_t batch_bytes = 64u << 10;  // a batch is closed once it holds this much
  std::size_t batch_chunks = 32;        // or this many
  // or the batch before it left this long ago (twice that if no other chunk comes)
  std::chrono::milliseconds linger{15};
};

/// How Explore paces itself, beside the send window.
struct ExplorePace {
  // chunks of one viewer, asked of the pipeline or ready to be sent
  std::size_t max_in_flight = 64;
  // also where the window is narrow: workers are to have something to do
  std::size_t min_in_flight = 8;
  // a batch is closed once it holds this many, or its share of the window
  std::size_t batch_chunks = 16;
  std::chrono::milliseconds linger{2};        // or its first chunk has waited this long
  std::chrono::milliseconds heartbeat{5000};  // longest silence of the server
  // longest wait for a Hello, for an acknowledgement, or for a write to be taken: terraned sets it
  // by --slow-client (config/config.h)
  std::chrono::milliseconds slow_client{30000};
  std::size_t max_outstanding = std::size_t{1} << 30;  // bytes on their way to all viewers
  // Moves are looked at no more often than this; of those that come meanwhile the latest counts
  std::chrono::milliseconds min_move_interval{10};
  // bytes of one viewer's chunks that wait to be sent: past it no more are asked for
  std::size_t max_unsent_per_viewer = 512u << 10;
  // bytes that all streams may hold in memory; one client's may have half. Past it no stream is let
  // in but of a client that holds less than a 64th, and of the client that holds most the one that
  // does is closed
  std::size_t max_stream_memory = std::size_t{512} << 20;
};

}  // namespace terrane::rpc
