#include "rpc/wire_batch.h"

#include <memory>
#include <string>
#include <utility>

#include "rpc/chunk_wire.h"

namespace terrane::rpc {
namespace {

/// The chunk's bytes; gRPC gives its share of them up when they are sent.
grpc::Slice share(codec::EncodedChunk chunk) {
  char* const bytes = const_cast<char*>(chunk->data());  // gRPC's type; it only reads
  const std::size_t size = chunk->size();
  auto owned = std::make_unique<codec::EncodedChunk>(std::move(chunk));
  return {bytes, size, [](void* owner) { delete static_cast<codec::EncodedChunk*>(owner); }, owned.release()};
}

}  // namespace

void WireBatch::add(ChunkCoord coord, codec::EncodedChunk chunk) {
  slices_.emplace_back(chunk_framing(coord, chunk->size()));
  bytes_ += slices_.back().size() + chunk->size();
  slices_.push_back(share(std::move(chunk)));
}

void WireBatch::add(ChunkCoord coord, const Error& error) {
  std::string failure;
  append_failure(failure, coord, error);
  slices_.emplace_back(failure);
  bytes_ += failure.size();
}

}  // namespace terrane::rpc
