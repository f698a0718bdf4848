#include "rpc/world_service.h"

#include <algorithm>
#include <cstddef>
#include <new>
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
#include "terrane/result_macros.h"

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

/// What there is no memory for is refused: an exception would become a call of a method that nobody
/// has.
/// @param serve  Reactor*(); what it throws it throws before anything of the call lives
template <typename Reactor, typename Serve>
Reactor* guarded(grpc::CallbackServerContext& context, const CallRecord& record,
                 const Serve& serve) {
  try {
    return serve();
  } catch (const std::bad_alloc&) {
    return end_call<Reactor>(context, record, refuse(context, schedule::out_of_memory()));
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
      call_memory_(MemoryAccounts::create(limits.max_call_memory)),
      viewers_{backend_.worlds, backend_.pipeline, backend_.workers,
               alarms_,         explore_pace,      limits.max_chunks_request_bytes} {
  backend_.metrics.at_scrape([memory = call_memory_](ops::Scrape& scrape) {
    scrape.gauge("terrane_call_memory_bytes",
                 "Bytes of memory that SamplePoints calls hold, as reckoned.",
                 static_cast<double>(memory->bytes()));
  });
}

schedule::Source WorldService::source_of(const grpc::CallbackServerContext& context) const {
  if (!backend_.clients.trusts_proxies()) return backend_.clients.source_of(context.peer());
  const auto found = context.client_metadata().find("x-forwarded-for");
  if (found == context.client_metadata().end()) return backend_.clients.source_of(context.peer());
  return backend_.clients.source_of(context.peer(), {found->second.data(), found->second.size()});
}

template <typename Reactor, typename Check, typename Start>
Reactor* WorldService::serve(grpc::CallbackServerContext& context, Method method,
                             const Check& check, const Start& start) {
  const CallRecord record(metrics_, method);
  return guarded<Reactor>(context, record, [&]() -> Reactor* {
    IncomingCall incoming{calls_.enter(), record, context, source_of(context)};
    if (!incoming.pass) return end_call<Reactor>(context, record, refuse(context, draining()));
    auto query = check(*backend_.worlds.now());
    if (!query) return end_call<Reactor>(context, record, refuse(context, query.error()));
    return start(std::move(incoming), *std::move(query));
  });
}

grpc::ServerUnaryReactor* WorldService::ListWorlds(grpc::CallbackServerContext* context,
                                                   const v1::ListWorldsRequest*,
                                                   v1::ListWorldsResponse* response) {
  const CallRecord record(metrics_, Method::kListWorlds);
  return guarded<grpc::ServerUnaryReactor>(*context, record, [&] {
    const auto worlds = backend_.worlds.now();
    for (const auto& [name, world] : *worlds) *response->add_worlds() = describe(*world);
    *response->mutable_limits() = describe(limits_);
    return end_call<grpc::ServerUnaryReactor>(*context, record, grpc::Status::OK);
  });
}

grpc::ServerUnaryReactor* WorldService::GetWorld(grpc::CallbackServerContext* context,
                                                 const v1::GetWorldRequest* request,
                                                 v1::GetWorldResponse* response) {
  const CallRecord record(metrics_, Method::kGetWorld);
  return guarded<grpc::ServerUnaryReactor>(*context, record, [&] {
    const auto world = find_world(request->name(), *backend_.worlds.now());
    if (!world)
      return end_call<grpc::ServerUnaryReactor>(*context, record, refuse(*context, world.error()));
    *response->mutable_world() = describe(**world);
    *response->mutable_limits() = describe(limits_);
    if (request->with_compiled_world()) {
      const std::vector<std::byte>& bytes = (*world)->compiled;
      response->set_compiled_world(bytes.data(), bytes.size());
    }
    return end_call<grpc::ServerUnaryReactor>(*context, record, grpc::Status::OK);
  });
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
  const CallRecord record(metrics_, Method::kExplore);
  return guarded<ByteConversation>(*context, record, [&]() -> ByteConversation* {
    IncomingCall incoming{calls_.enter(), record, *context, source_of(*context)};
    if (!incoming.pass)
      return end_call<ByteConversation>(*context, record, refuse(*context, draining()));
    if (const auto room = viewers_.check_room(incoming.source.client); !room)
      return end_call<ByteConversation>(*context, record, refuse(*context, room.error()));
    return ExploreStream::start(std::move(incoming), viewers_);
  });
}

Result<MemoryAccounts::Hold> WorldService::take_memory(const grpc::CallbackServerContext& context,
                                                       std::size_t request_bytes) {
  // Before it is read, which takes milliseconds of a thread that serves everybody. Few points take
  // less than this; more than that are refused for their number.
  constexpr std::size_t kShortPoint = 6;
  const std::size_t points = std::min(request_bytes / kShortPoint, limits_.max_points_per_request);
  auto memory =
      call_memory_->take(source_of(context).client,
                         request_bytes + points * PointCall::kBytesPerPoint, "SamplePoints calls");
  if (!memory) {
    const bool is_client = memory.error().reason == ErrorReason::kClientMemoryFull;
    (is_client ? metrics_->refused_for_client_memory : metrics_->refused_for_call_memory).add();
  }
  return memory;
}

void WorldService::send_viewers_away() { viewers_.send_away(); }

grpc::ServerUnaryReactor* WorldService::SamplePoints(grpc::CallbackServerContext* context,
                                                     const ByteBuffer* request,
                                                     ByteBuffer* response) {
  MemoryAccounts::Hold memory;
  return serve<grpc::ServerUnaryReactor>(
      *context, Method::kSamplePoints,
      [&](const worlds::WorldCatalog& worlds) -> Result<PointQuery> {
        TERRANE_ASSIGN_OR_RETURN(memory, take_memory(*context, request->Length()));
        TERRANE_ASSIGN_OR_RETURN(
            const auto parsed, parse<v1::SamplePointsRequest>(*request, limits_.max_message_bytes));
        TERRANE_ASSIGN_OR_RETURN(PointQuery query, check(parsed, worlds, limits_));
        const std::size_t needed =
            request->Length() + query.points.size() * PointCall::kBytesPerPoint;
        memory.change(static_cast<std::ptrdiff_t>(needed) -
                      static_cast<std::ptrdiff_t>(memory.bytes()));
        return query;
      },
      [&](IncomingCall incoming, PointQuery query) {
        return PointCall::start(std::move(incoming), *response, backend_.workers,
                                backend_.terrain.sample, std::move(query), std::move(memory));
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
