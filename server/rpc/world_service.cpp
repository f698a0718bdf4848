#include "rpc/world_service.h"

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "rpc/checks/parse.h"
#include "rpc/checks/request_check.h"
#include "rpc/server_call.h"
#include "rpc/status.h"
#include "rpc/streams/chunk_stream.h"
#include "rpc/unary/chunk_call.h"
#include "rpc/unary/locate_call.h"
#include "rpc/unary/point_call.h"
#include "rpc/unary/structure_call.h"
#include "rpc/world_messages.h"

namespace terrane::rpc {
namespace {

using grpc::ByteBuffer;
using ByteStream = grpc::ServerWriteReactor<ByteBuffer>;
using ByteConversation = grpc::ServerBidiReactor<ByteBuffer, ByteBuffer>;
using LocateStream = grpc::ServerWriteReactor<v1::LocateResponse>;

/// A call that ends before it begins.
template <typename Reactor>
Reactor* end_call(grpc::CallbackServerContext& context, const CallRecord& record,
                  const grpc::Status& status) {
  record.end(status.error_code());
  if constexpr (std::is_same_v<Reactor, grpc::ServerUnaryReactor>) {
    // gRPC runs the reactions of its own reactor at once, and hands those of others to another
    // thread.
    auto* const reactor = context.DefaultReactor();
    reactor->Finish(status);
    return reactor;
  } else {
    return new RefusedCall<Reactor>(status);
  }
}

}  // namespace

WorldService::WorldService(Backend backend, Limits limits, StreamPace pace,
                           const ExplorePace& explore_pace, CallTracker& calls)
    : backend_(std::move(backend)),
      limits_(limits),
      pace_(pace),
      calls_(calls),
      metrics_(std::make_shared<const CallMetrics>(backend_.metrics)),
      viewers_{backend_.worlds, backend_.pipeline, backend_.workers,
               alarms_,         explore_pace,      limits.max_chunks_request_bytes} {}

schedule::Source WorldService::source_of(const grpc::CallbackServerContext& context) const {
  if (!backend_.clients.trusts_proxies()) return backend_.clients.source_of(context.peer());
  const auto found = context.client_metadata().find("x-forwarded-for");
  if (found == context.client_metadata().end()) return backend_.clients.source_of(context.peer());
  return backend_.clients.source_of(context.peer(), {found->second.data(), found->second.size()});
}

template <typename Reactor, typename Check, typename Start>
Reactor* WorldService::serve(grpc::CallbackServerContext& context, Method method,
                             const Check& check, const Start& start) {
  IncomingCall incoming{calls_.enter(), CallRecord(metrics_, method), context, source_of(context)};
  if (!incoming.pass)
    return end_call<Reactor>(context, incoming.record, refuse(context, draining()));
  auto query = check(*backend_.worlds.now());
  if (!query)
    return end_call<Reactor>(context, incoming.record, refuse(context, std::move(query).error()));
  return start(std::move(incoming), *std::move(query));
}

grpc::ServerUnaryReactor* WorldService::ListWorlds(grpc::CallbackServerContext* context,
                                                   const v1::ListWorldsRequest*,
                                                   v1::ListWorldsResponse* response) {
  const CallRecord record(metrics_, Method::kListWorlds);
  const auto worlds = backend_.worlds.now();
  for (const auto& [name, world] : *worlds) *response->add_worlds() = describe(*world);
  *response->mutable_limits() = describe(limits_);
  return end_call<grpc::ServerUnaryReactor>(*context, record, grpc::Status::OK);
}

grpc::ServerUnaryReactor* WorldService::GetWorld(grpc::CallbackServerContext* context,
                                                 const v1::GetWorldRequest* request,
                                                 v1::GetWorldResponse* response) {
  const CallRecord record(metrics_, Method::kGetWorld);
  const auto world = find_world(request->name(), *backend_.worlds.now());
  if (!world) {
    return end_call<grpc::ServerUnaryReactor>(*context, record, refuse(*context, world.error()));
  }
  *response->mutable_world() = describe(**world);
  *response->mutable_limits() = describe(limits_);
  if (request->with_compiled_world()) {
    const std::vector<std::byte>& bytes = (*world)->compiled;
    response->set_compiled_world(bytes.data(), bytes.size());
  }
  return end_call<grpc::ServerUnaryReactor>(*context, record, grpc::Status::OK);
}

grpc::ServerUnaryReactor* WorldService::GetChunk(grpc::CallbackServerContext* context,
                                                 const ByteBuffer* request, ByteBuffer* response) {
  return serve<grpc::ServerUnaryReactor>(
      *context, Method::kGetChunk,
      [&](const worlds::WorldCatalog& worlds) {
        return parse<v1::GetChunkRequest>(*request, limits_.max_chunks_request_bytes)
            .and_then([&](const v1::GetChunkRequest& parsed) { return check(parsed, worlds); });
      },
      [&](IncomingCall incoming, ChunkQuery query) {
        return ChunkCall::start(std::move(incoming), *response, backend_.pipeline, backend_.workers,
                                std::move(query));
      });
}

grpc::ServerWriteReactor<ByteBuffer>* WorldService::GetChunks(grpc::CallbackServerContext* context,
                                                              const ByteBuffer* request) {
  return serve<ByteStream>(
      *context, Method::kGetChunks,
      [&](const worlds::WorldCatalog& worlds) {
        return parse<v1::GetChunksRequest>(*request, limits_.max_chunks_request_bytes)
            .and_then(
                [&](const v1::GetChunksRequest& parsed) { return check(parsed, worlds, limits_); });
      },
      [&](IncomingCall incoming, AreaQuery query) {
        return ChunkStream::start(std::move(incoming), backend_.pipeline, pace_, std::move(query));
      });
}

grpc::ServerBidiReactor<ByteBuffer, ByteBuffer>* WorldService::Explore(
    grpc::CallbackServerContext* context) {
  IncomingCall incoming{calls_.enter(), CallRecord(metrics_, Method::kExplore), *context,
                        source_of(*context)};
  if (!incoming.pass) {
    return end_call<ByteConversation>(*context, incoming.record, refuse(*context, draining()));
  }
  if (auto room = viewers_.check_room(); !room) {
    return end_call<ByteConversation>(*context, incoming.record,
                                      refuse(*context, std::move(room).error()));
  }
  return ExploreStream::start(std::move(incoming), viewers_);
}

void WorldService::send_viewers_away() { viewers_.send_away(); }

grpc::ServerUnaryReactor* WorldService::SamplePoints(grpc::CallbackServerContext* context,
                                                     const v1::SamplePointsRequest* request,
                                                     v1::SamplePointsResponse* response) {
  return serve<grpc::ServerUnaryReactor>(
      *context, Method::kSamplePoints,
      [&](const worlds::WorldCatalog& worlds) { return check(*request, worlds, limits_); },
      [&](IncomingCall incoming, PointQuery query) {
        return PointCall::start(std::move(incoming), *response, backend_.workers,
                                backend_.terrain.sample, std::move(query));
      });
}

grpc::ServerWriteReactor<v1::LocateResponse>* WorldService::Locate(
    grpc::CallbackServerContext* context, const v1::LocateRequest* request) {
  return serve<LocateStream>(
      *context, Method::kLocate,
      [&](const worlds::WorldCatalog& worlds) { return check(*request, worlds, limits_); },
      [&](IncomingCall incoming, LocateQuery query) {
        return LocateCall::start(std::move(incoming), backend_.workers, backend_.terrain,
                                 std::move(query));
      });
}

grpc::ServerUnaryReactor* WorldService::GetStructure(grpc::CallbackServerContext* context,
                                                     const v1::GetStructureRequest* request,
                                                     v1::GetStructureResponse* response) {
  return serve<grpc::ServerUnaryReactor>(
      *context, Method::kGetStructure,
      [&](const worlds::WorldCatalog& worlds) { return check(*request, worlds); },
      [&](IncomingCall incoming, StructureQuery query) {
        return StructureCall::start(std::move(incoming), *response, backend_.workers,
                                    backend_.terrain, std::move(query));
      });
}

}  // namespace terrane::rpc
