#include "rpc/chunk_wire.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "terrane/v1/world_service.pb.h"

namespace terrane::rpc {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedOutputStream;

static_assert(+v1::GetChunksResponse::kChunksFieldNumber ==
                  +v1::GetChunkResponse::kChunkFieldNumber,
              "the bytes of one chunk serve both responses");
static_assert(+v1::GetChunksResponse::kChunksFieldNumber ==
                      +v1::ExploreResponse::kChunksFieldNumber &&
                  +v1::GetChunksResponse::kFailuresFieldNumber ==
                      +v1::ExploreResponse::kFailuresFieldNumber,
              "and those of several chunks");

std::uint8_t* write_prefix(std::uint8_t* at, int field, std::size_t length) {
  at = CodedOutputStream::WriteVarint32ToArray(
      WireFormatLite::MakeTag(field, WireFormatLite::WIRETYPE_LENGTH_DELIMITED), at);
  return CodedOutputStream::WriteVarint32ToArray(static_cast<std::uint32_t>(length), at);
}

// all fields here have numbers below 16: a tag of one byte
std::size_t prefix_size(std::size_t length) {
  return 1 + CodedOutputStream::VarintSize32(static_cast<std::uint32_t>(length));
}

std::size_t coordinate_size(std::int64_t value) {
  return value == 0 ? 0 : 1 + WireFormatLite::SInt64Size(value);
}

std::uint8_t* write_coordinate(int field, std::int64_t value, std::uint8_t* at) {
  return value == 0 ? at : WireFormatLite::WriteSInt64ToArray(field, value, at);
}

}  // namespace

void append_chunk(std::string& wire, ChunkCoord coord, std::string_view encoded, Lod lod) {
  const std::size_t coord_size = coordinate_size(coord.x) + coordinate_size(coord.y);
  const std::size_t chunk_size = prefix_size(coord_size) + coord_size + (lod == 0 ? 0 : 2) +
                                 prefix_size(encoded.size()) + encoded.size();

  std::array<std::uint8_t, kMaxChunkFraming> framing;
  std::uint8_t* at =
      write_prefix(framing.data(), v1::GetChunksResponse::kChunksFieldNumber, chunk_size);
  at = write_prefix(at, v1::Chunk::kCoordFieldNumber, coord_size);
  at = write_coordinate(v1::ChunkCoord::kXFieldNumber, coord.x, at);
  at = write_coordinate(v1::ChunkCoord::kYFieldNumber, coord.y, at);
  if (lod != 0) at = WireFormatLite::WriteUInt32ToArray(v1::Chunk::kLodFieldNumber, lod, at);
  at = write_prefix(at, v1::Chunk::kEncodedFieldNumber, encoded.size());
  wire.append(reinterpret_cast<const char*>(framing.data()),
              static_cast<std::size_t>(at - framing.data()));
  wire.append(encoded);
}

void append_failure(std::string& wire, ChunkCoord coord, const Error& error, Lod lod) {
  v1::GetChunksResponse response;
  v1::ChunkFailure& failure = *response.add_failures();
  failure.mutable_coord()->set_x(coord.x);
  failure.mutable_coord()->set_y(coord.y);
  failure.set_code(static_cast<int>(error.code));
  failure.set_message(error.message);
  failure.set_lod(lod);
  response.AppendToString(&wire);
}

Result<codec::EncodedChunk> with_layers(codec::EncodedChunk chunk, LayerMask layers) {
  if (layers == kAllLayers) return chunk;
  return codec::select_layers(*chunk, layers)
      .map([](std::string cut) { return std::make_shared<const std::string>(std::move(cut)); })
      .map_error([](Error error) {
        if (error.code == ErrorCode::kDataLoss) error.reason = ErrorReason::kChunkDamaged;
        return error;
      });
}

}  // namespace terrane::rpc
