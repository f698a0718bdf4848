#include "rpc/world_service.h"

#include <utility>

#include "rpc/checks/parse.h"
#include "rpc/checks/request_check.h"
#include "rpc/status.h"
#include "rpc/streams/chunk_stream.h"
#include "rpc/unary/chunk_call.h"
#include "rpc/unary/locate_call.h"
#include "rpc/unary/point_call.h"
#include "rpc/unary/structure_call.h"
#include "rpc/world_messages.h"

namespace terrane::rpc {
namespace {

grpc::ServerUnaryReactor* end_call(grpc::CallbackServerContext& context, const CallRecord& record,
                                   const grpc::Status& status) {
  record.end(status.error_code());
  auto* const reactor = context.DefaultReactor();
  reactor->Finish(status);
  return reactor;
}

grpc::ServerUnaryReactor* refuse_call(grpc::CallbackServerContext& context,
                                      const CallRecord& record, const Error& error) {
  return end_call(context, record, refuse(context, error));
}

/// A stream that ends before it begins.
template <typename Reactor>
class Refused final : public Reactor {
 public:
  Refused(const CallRecord& record, const grpc::Status& status) {
    record.end(status.error_code());
    this->Finish(status);
  }

 private:
  void OnDone() override { delete this; }
};

}  // namespace

WorldService::WorldService(Backend backend, Limits limits, StreamPace pace,
                           const ExplorePace& explore_pace, CallGate& gate)
    : backend_(std::move(backend)),
      limits_(limits),
      pace_(pace),
      gate_(gate),
      metrics_(std::make_shared<const CallMetrics>(backend_.metrics)),
      viewers_{backend_.worlds, backend_.pipeline, alarms_, explore_pace,
               limits.max_chunks_request_bytes} {}

grpc::ServerUnaryReactor* WorldService::ListWorlds(grpc::CallbackServerContext* context,
                                                   const v1::ListWorldsRequest*,
                                                   v1::ListWorldsResponse* response) {
  const CallRecord record(metrics_, Method::kListWorlds);
  const auto worlds = backend_.worlds.now();
  for (const auto& [name, world] : *worlds) *response->add_worlds() = describe(*world);
  *response->mutable_limits() = describe(limits_);
  return end_call(*context, record, grpc::Status::OK);
}

grpc::ServerUnaryReactor* WorldService::GetWorld(grpc::CallbackServerContext* context,
                                                 const v1::GetWorldRequest* request,
                                                 v1::GetWorldResponse* response) {
  const CallRecord record(metrics_, Method::kGetWorld);
  const auto world = find_world(request->name(), *backend_.worlds.now());
  if (!world) return refuse_call(*context, record, world.error());
  *response->mutable_world() = describe(**world);
  *response->mutable_limits() = describe(limits_);
  return end_call(*context, record, grpc::Status::OK);
}

grpc::ServerUnaryReactor* WorldService::GetChunk(grpc::CallbackServerContext* context,
                                                 const grpc::ByteBuffer* request,
                                                 grpc::ByteBuffer* response) {
  const CallRecord record(metrics_, Method::kGetChunk);
  auto pass = gate_.enter();
  if (!pass) return refuse_call(*context, record, draining());
  auto query = parse<v1::GetChunkRequest>(*request, limits_.max_chunks_request_bytes)
                   .and_then([&](const v1::GetChunkRequest& parsed) {
                     return check(parsed, *backend_.worlds.now());
                   });
  if (!query) return refuse_call(*context, record, query.error());
  return ChunkCall::start(std::move(pass), record, *context, *response, backend_.pipeline,
                          std::move(*query));
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* WorldService::GetChunks(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request) {
  const CallRecord record(metrics_, Method::kGetChunks);
  auto pass = gate_.enter();
  if (!pass)
    return new Refused<grpc::ServerWriteReactor<grpc::ByteBuffer>>(record,
                                                                   refuse(*context, draining()));
  auto query = parse<v1::GetChunksRequest>(*request, limits_.max_chunks_request_bytes)
                   .and_then([&](const v1::GetChunksRequest& parsed) {
                     return check(parsed, *backend_.worlds.now(), limits_);
                   });
  if (!query)
    return new Refused<grpc::ServerWriteReactor<grpc::ByteBuffer>>(record,
                                                                   refuse(*context, query.error()));
  return ChunkStream::start(std::move(pass), record, *context, backend_.pipeline, pace_,
                            std::move(*query));
}

grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* WorldService::Explore(
    grpc::CallbackServerContext* context) {
  CallRecord record(metrics_, Method::kExplore);
  auto pass = gate_.enter();
  if (!pass) {
    return new Refused<grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>>(
        record, refuse(*context, draining()));
  }
  return ExploreStream::start(std::move(pass), std::move(record), *context, viewers_);
}

void WorldService::send_viewers_away() { viewers_.send_away(); }

grpc::ServerUnaryReactor* WorldService::SamplePoints(grpc::CallbackServerContext* context,
                                                     const v1::SamplePointsRequest* request,
                                                     v1::SamplePointsResponse* response) {
  const CallRecord record(metrics_, Method::kSamplePoints);
  auto pass = gate_.enter();
  if (!pass) return refuse_call(*context, record, draining());
  auto query = check(*request, *backend_.worlds.now(), limits_);
  if (!query) return refuse_call(*context, record, query.error());
  return PointCall::start(std::move(pass), record, *context, *response, backend_.workers,
                          backend_.land.sample, std::move(*query));
}

grpc::ServerWriteReactor<v1::LocateResponse>* WorldService::Locate(
    grpc::CallbackServerContext* context, const v1::LocateRequest* request) {
  const CallRecord record(metrics_, Method::kLocate);
  auto pass = gate_.enter();
  if (!pass)
    return new Refused<grpc::ServerWriteReactor<v1::LocateResponse>>(record,
                                                                     refuse(*context, draining()));
  auto query = check(*request, *backend_.worlds.now(), limits_);
  if (!query)
    return new Refused<grpc::ServerWriteReactor<v1::LocateResponse>>(
        record, refuse(*context, query.error()));
  return LocateCall::start(std::move(pass), record, *context, backend_.workers, backend_.land,
                           std::move(*query));
}

grpc::ServerUnaryReactor* WorldService::GetStructure(grpc::CallbackServerContext* context,
                                                     const v1::GetStructureRequest* request,
                                                     v1::GetStructureResponse* response) {
  const CallRecord record(metrics_, Method::kGetStructure);
  auto pass = gate_.enter();
  if (!pass) return refuse_call(*context, record, draining());
  auto query = check(*request, *backend_.worlds.now());
  if (!query) return refuse_call(*context, record, query.error());
  return StructureCall::start(std::move(pass), record, *context, *response, backend_.workers,
                              backend_.land, std::move(*query));
}

}  // namespace terrane::rpc
