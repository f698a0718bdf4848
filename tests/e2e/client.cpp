#include "e2e/client.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>

#include "codec/chunk_codec.h"

namespace terrane::e2e {

std::unique_ptr<grpc::ClientContext> bounded() {
  auto context = std::make_unique<grpc::ClientContext>();
  context->set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
  return context;
}

v1::WorldRef world_ref(const std::string& world, std::uint64_t seed) {
  v1::WorldRef ref;
  ref.set_name(world);
  ref.set_seed(seed);
  return ref;
}

v1::ChunkCoord message(ChunkCoord coord) {
  v1::ChunkCoord result;
  result.set_x(coord.x);
  result.set_y(coord.y);
  return result;
}

v1::GetChunkRequest chunk_request(ChunkCoord coord, std::uint32_t lod) {
  v1::GetChunkRequest request;
  *request.mutable_world() = world_ref();
  *request.mutable_coord() = message(coord);
  request.set_lod(lod);
  return request;
}

v1::GetChunksRequest rectangle_request(ChunkCoord from, ChunkCoord to) {
  v1::GetChunksRequest request;
  *request.mutable_world() = world_ref();
  *request.mutable_rectangle()->mutable_first() = message(from);
  *request.mutable_rectangle()->mutable_last() = message(to);
  return request;
}

std::map<ChunkCoord, std::string> Streamed::chunks() const {
  std::map<ChunkCoord, std::string> result;
  for (const auto& batch : batches) {
    for (const auto& failure : batch.failures()) ADD_FAILURE() << failure.ShortDebugString();
    for (const auto& chunk : batch.chunks()) {
      const bool first =
          result.emplace(ChunkCoord{chunk.coord().x(), chunk.coord().y()}, chunk.encoded()).second;
      EXPECT_TRUE(first) << "answered twice: " << chunk.coord().ShortDebugString();
    }
  }
  return result;
}

Client::Client(const std::string& address, const grpc::ChannelArguments& arguments)
    : channel_(grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments)),
      stub_(v1::WorldService::NewStub(channel_)),
      generic_(channel_) {}

std::string Client::chunk(const v1::GetChunkRequest& request) {
  v1::GetChunkResponse response;
  const grpc::Status status = stub_->GetChunk(bounded().get(), request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.chunk().coord().x(), request.coord().x());
  EXPECT_EQ(response.chunk().coord().y(), request.coord().y());
  return response.chunk().encoded();
}

grpc::Status Client::chunk_status(const v1::GetChunkRequest& request) {
  v1::GetChunkResponse response;
  return stub_->GetChunk(bounded().get(), request, &response);
}

Streamed Client::chunks(const v1::GetChunksRequest& request) {
  const auto context = bounded();
  const auto reader = stub_->GetChunks(context.get(), request);
  Streamed result;
  for (v1::GetChunksResponse batch; reader->Read(&batch);) result.batches.push_back(batch);
  result.status = reader->Finish();
  return result;
}

grpc::Status Client::call(const std::string& method, const std::string& request,
                          std::string& response) {
  const auto context = bounded();
  const grpc::ByteBuffer sent = to_buffer(request);
  grpc::ByteBuffer received;
  std::promise<grpc::Status> ended;
  generic_.UnaryCall(context.get(), method, grpc::StubOptions(), &sent, &received,
                     [&](const grpc::Status& status) { ended.set_value(status); });
  const grpc::Status status = ended.get_future().get();
  if (status.ok()) response = to_string(received);
  return status;
}

Chunk decoded(const std::string& encoded, ChunkCoord coord, LayerMask layers) {
  auto chunk = codec::decode(encoded, coord, layers);
  EXPECT_TRUE(chunk.has_value()) << chunk.error().message;
  return chunk ? *chunk : Chunk{};
}

std::string to_string(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  EXPECT_TRUE(buffer.Dump(&slices).ok());
  std::string bytes;
  for (const grpc::Slice& slice : slices)
    bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  return bytes;
}

grpc::ByteBuffer to_buffer(const std::string& bytes) {
  const grpc::Slice slice(bytes);
  return {&slice, 1};
}

}  // namespace terrane::e2e
