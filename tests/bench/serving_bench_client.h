#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "terrane/v1/world_service.grpc.pb.h"

/// A client that throws payloads away: what it receives is counted and never looked at. The same
/// code for both servers.
namespace terrane::bench {

inline constexpr std::size_t kSquareEdge = 32;
// the most that one GetChunks may ask for
inline constexpr std::size_t kChunksPerCall = kSquareEdge * kSquareEdge;
inline constexpr std::size_t kMostStreams = 16;  // at a time

/// The text of a file that a variable names; empty without one.
[[nodiscard]] std::string file_of(const char* variable);

/// The `index`-th of a row of squares of kChunksPerCall chunks.
[[nodiscard]] v1::GetChunksRequest square_request(const std::string& world, std::uint64_t seed,
                                                  std::size_t index);

/// The `index`-th chunk of those squares, counted row by row over all of them.
[[nodiscard]] v1::GetChunkRequest chunk_request(const std::string& world, std::uint64_t seed,
                                                std::size_t index);

struct Throughput {
  std::size_t calls = 0;
  std::size_t messages = 0;
  std::size_t bytes = 0;
  double seconds = 0;
};

/// Runs as many streams side by side as there are requests, each on a connection of its own; each
/// sends its request again and again until `time` is over, and once at least. Blocks until the last
/// has ended. Throws std::runtime_error when a call fails.
[[nodiscard]] Throughput stream(const std::string& address,
                                const std::vector<v1::GetChunksRequest>& requests,
                                std::chrono::duration<double> time);

/// One stream's messages.
[[nodiscard]] std::vector<std::string> collect(const std::string& address,
                                               const v1::GetChunksRequest& request);

/// Microseconds that each GetChunk took, with `in_flight` of them at any time on one connection,
/// until `time` is over.
[[nodiscard]] std::vector<double> unary_latencies(const std::string& address,
                                                  const std::vector<v1::GetChunkRequest>& requests,
                                                  std::size_t in_flight,
                                                  std::chrono::duration<double> time);

/// A connection for single requests with pauses in between.
class IdleClient {
 public:
  explicit IdleClient(const std::string& address);

  /// Microseconds of one GetChunk. This side waits in a poll of its own, so what is slow is the
  /// server.
  [[nodiscard]] double ask(const v1::GetChunkRequest& request);

 private:
  std::unique_ptr<v1::WorldService::Stub> stub_;
};

}  // namespace terrane::bench
