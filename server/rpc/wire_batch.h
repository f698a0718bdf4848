#pragma once

#include <grpcpp/grpcpp.h>

#include <cstddef>
#include <vector>

#include "codec/chunk_codec.h"
#include "terrane/coord.h"
#include "terrane/result.h"

namespace terrane::rpc {

/// A serialised GetChunksResponse under way: chunks are shared with whoever else holds them, not copied. One chunk alone makes a
/// GetChunkResponse as well.
class WireBatch {
 public:
  void add(ChunkCoord coord, codec::EncodedChunk chunk);
  void add(ChunkCoord coord, const Error& error);

  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] grpc::ByteBuffer buffer() const { return {slices_.data(), slices_.size()}; }

 private:
  std::vector<grpc::Slice> slices_;
  std::size_t bytes_ = 0;
};

}  // namespace terrane::rpc
