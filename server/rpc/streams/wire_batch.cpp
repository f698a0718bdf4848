#include "rpc/streams/wire_batch.h"

#include <memory>
#include <utility>

#include "rpc/chunk_wire.h"

namespace terrane::rpc {

grpc::ByteBuffer to_buffer(std::string wire) {
  auto owned = std::make_unique<std::string>(std::move(wire));
  char* const bytes = owned->data();
  const std::size_t size = owned->size();
  const grpc::Slice slice(
      bytes, size, [](void* owner) { delete static_cast<std::string*>(owner); }, owned.release());
  return {&slice, 1};
}

WireBatch::WireBatch(std::size_t bytes) { wire_.reserve(bytes); }

void WireBatch::add(ChunkCoord coord, const std::string& encoded) {
  append_chunk(wire_, coord, encoded);
}

void WireBatch::add(ChunkCoord coord, const Error& error) { append_failure(wire_, coord, error); }

grpc::ByteBuffer WireBatch::take() { return to_buffer(std::move(wire_)); }

}  // namespace terrane::rpc
