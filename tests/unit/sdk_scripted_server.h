#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "codec/chunk_codec.h"
#include "terrane/v1/world_service.grpc.pb.h"

namespace terrane::testing {

/// A chunk whose heights tell where it belongs.
inline Chunk example_chunk(ChunkCoord coord, Lod lod = 0) {
  Chunk chunk;
  chunk.coord = coord;
  chunk.lod = lod;
  chunk.size = 16;
  chunk.height_q4.assign(256, static_cast<std::int32_t>(coord.x * 1000 + coord.y));
  chunk.temperature_d.assign(256, 150);
  chunk.humidity_d.assign(256, 500);
  chunk.biome.assign(256, 1);
  return chunk;
}

inline void fill(v1::Chunk& message, ChunkCoord coord, Lod lod = 0) {
  message.mutable_coord()->set_x(coord.x);
  message.mutable_coord()->set_y(coord.y);
  message.set_encoded(codec::encode(example_chunk(coord, lod)));
  message.set_lod(lod);
}

/// A gRPC server on a free loopback port that answers as the test says: a real server in everything
/// but its decisions.
class ScriptedServer final : public v1::WorldService::Service {
 public:
  using ChunksWriter = grpc::ServerWriter<v1::GetChunksResponse>;
  using LocateWriter = grpc::ServerWriter<v1::LocateResponse>;
  using ExploreStream = grpc::ServerReaderWriter<v1::ExploreResponse, v1::ExploreRequest>;

  explicit ScriptedServer(const std::string& address = "127.0.0.1:0") {
    int port = 0;
    grpc::ServerBuilder builder;
    builder.AddListeningPort(address, grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
    address_ = "127.0.0.1:" + std::to_string(port);
  }
  ~ScriptedServer() override {
    server_->Shutdown(std::chrono::system_clock::now() + std::chrono::seconds(2));
  }

  [[nodiscard]] const std::string& address() const { return address_; }

  /// What it says of its health, if grpc::EnableDefaultHealthCheckService() was called before.
  void set_serving(bool serving) { server_->GetHealthCheckService()->SetServingStatus(serving); }

  // What the calls do; to be set before they are made.
  std::function<grpc::Status(grpc::ServerContext&, const v1::GetChunkRequest&,
                             v1::GetChunkResponse&)>
      get_chunk;
  std::function<grpc::Status(grpc::ServerContext&, const v1::GetChunksRequest&, ChunksWriter&)>
      get_chunks;
  std::function<grpc::Status(grpc::ServerContext&, const v1::SamplePointsRequest&,
                             v1::SamplePointsResponse&)>
      sample_points;
  std::function<grpc::Status(grpc::ServerContext&, const v1::LocateRequest&, LocateWriter&)> locate;
  std::function<grpc::Status(const v1::GetStructureRequest&, v1::GetStructureResponse&)>
      get_structure;
  std::function<grpc::Status(grpc::ServerContext&, ExploreStream&)> explore;
  std::uint32_t max_points = 65536;

  grpc::Status ListWorlds(grpc::ServerContext*, const v1::ListWorldsRequest*,
                          v1::ListWorldsResponse* response) override {
    for (const char* name : {"zebra", "classic"}) describe(*response->add_worlds(), name);
    response->mutable_limits()->set_max_chunks_per_request(1024);
    response->mutable_limits()->set_max_points_per_request(max_points);
    response->mutable_limits()->set_max_chunk_coordinate(1 << 20);
    response->mutable_limits()->set_max_message_bytes(3000000);
    response->mutable_limits()->set_max_locate_radius(5000);
    response->mutable_limits()->set_max_request_bytes(200000);
    response->mutable_limits()->set_max_calls_per_connection(100);
    response->mutable_limits()->set_max_metadata_bytes(16000);
    return grpc::Status::OK;
  }
  grpc::Status GetWorld(grpc::ServerContext*, const v1::GetWorldRequest* request,
                        v1::GetWorldResponse* response) override {
    describe(*response->mutable_world(), request->name());
    return grpc::Status::OK;
  }
  grpc::Status GetChunk(grpc::ServerContext* context, const v1::GetChunkRequest* request,
                        v1::GetChunkResponse* response) override {
    return get_chunk(*context, *request, *response);
  }
  grpc::Status GetChunks(grpc::ServerContext* context, const v1::GetChunksRequest* request,
                         ChunksWriter* writer) override {
    return get_chunks(*context, *request, *writer);
  }
  grpc::Status SamplePoints(grpc::ServerContext* context, const v1::SamplePointsRequest* request,
                            v1::SamplePointsResponse* response) override {
    return sample_points(*context, *request, *response);
  }
  grpc::Status Locate(grpc::ServerContext* context, const v1::LocateRequest* request,
                      LocateWriter* writer) override {
    return locate(*context, *request, *writer);
  }
  grpc::Status GetStructure(grpc::ServerContext*, const v1::GetStructureRequest* request,
                            v1::GetStructureResponse* response) override {
    return get_structure(*request, *response);
  }
  grpc::Status Explore(grpc::ServerContext* context, ExploreStream* stream) override {
    return explore(*context, *stream);
  }

 private:
  static void describe(v1::World& world, const std::string& name) {
    world.set_name(name);
    world.set_fingerprint(7);
    world.set_chunk_size(16);
    world.add_placement_kinds()->set_name("oak");
    v1::StructureKindInfo& ruin = *world.add_structure_kinds();
    ruin.set_name("ruin");
    ruin.set_storey(48);
    v1::PieceInfo& hall = *ruin.add_pieces();
    hall.set_name("hall");
    hall.set_width(5);
    hall.set_depth(4);
    hall.set_levels(1);
    v1::DoorInfo& door = *hall.add_doors();
    door.set_side(v1::DOOR_SIDE_MAX_X);
    door.set_at(2);
  }

  std::string address_;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace terrane::testing
