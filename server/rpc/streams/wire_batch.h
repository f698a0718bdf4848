#pragma once

#include <grpcpp/grpcpp.h>

#include <cstddef>
#include <string>

#include "terrane/coord.h"
#include "terrane/result.h"

namespace terrane::rpc {

/// Hands a serialised message to gRPC without copying it.
[[nodiscard]] grpc::ByteBuffer to_buffer(std::string wire);

/// A serialised GetChunksResponse under way, in one piece: to copy a chunk costs less than gRPC
/// takes for a piece of its own. One chunk alone makes a GetChunkResponse as well.
class WireBatch {
 public:
  /// @param bytes  about what will be added
  explicit WireBatch(std::size_t bytes);

  void add(ChunkCoord coord, const std::string& encoded);
  void add(ChunkCoord coord, const Error& error);

  [[nodiscard]] std::size_t bytes() const { return wire_.size(); }

  /// All of it; nothing is left.
  [[nodiscard]] grpc::ByteBuffer take();

 private:
  std::string wire_;
};

}  // namespace terrane::rpc
