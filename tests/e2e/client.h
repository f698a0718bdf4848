#pragma once

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "terrane/chunk.h"
#include "terrane/coord.h"
#include "terrane/v1/world_service.grpc.pb.h"

namespace terrane::e2e {

inline constexpr const char* kWorld = "classic";
inline constexpr std::uint64_t kSeed = 20'240'229;

/// A context whose call can't hang a test.
std::unique_ptr<grpc::ClientContext> bounded();

v1::WorldRef world_ref(const std::string& world = kWorld, std::uint64_t seed = kSeed);
v1::ChunkCoord message(ChunkCoord coord);
v1::GetChunkRequest chunk_request(ChunkCoord coord, std::uint32_t lod = 0);
v1::GetChunksRequest rectangle_request(ChunkCoord from, ChunkCoord to);

/// What a GetChunks stream yielded.
struct Streamed {
  grpc::Status status;
  std::vector<v1::GetChunksResponse> batches;

  /// Encoded bytes by place; fails the test when a place was answered twice or with a failure.
  [[nodiscard]] std::map<ChunkCoord, std::string> chunks() const;
};

/// A connection to one server, over plain generated stubs.
class Client {
 public:
  explicit Client(const std::string& address, const grpc::ChannelArguments& arguments = {});

  /// From now on its Explore streams are WebSockets of this HTTP port.
  void explore_over(const std::string& http_address) { web_socket_ = http_address; }
  [[nodiscard]] const std::string& web_socket() const { return web_socket_; }

  v1::WorldService::Stub& stub() { return *stub_; }
  grpc::GenericStub& generic() { return generic_; }

  /// The chunk's encoded bytes; fails the test on any other status than OK.
  std::string chunk(const v1::GetChunkRequest& request);

  /// The status of a GetChunk.
  grpc::Status chunk_status(const v1::GetChunkRequest& request);

  Streamed chunks(const v1::GetChunksRequest& request);

  /// Any unary method, in bytes.
  grpc::Status call(const std::string& method, const std::string& request, std::string& response);

 private:
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::WorldService::Stub> stub_;
  grpc::GenericStub generic_;
  std::string web_socket_;
};

/// Decodes what a server sent; fails the test when it does not decode.
Chunk decoded(const std::string& encoded, ChunkCoord coord, LayerMask layers = kAllLayers);

std::string to_string(const grpc::ByteBuffer& buffer);
grpc::ByteBuffer to_buffer(const std::string& bytes);

}  // namespace terrane::e2e
