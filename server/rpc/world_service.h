#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>

#include "rpc/backend.h"
#include "rpc/call_metrics.h"
#include "rpc/call_tracker.h"
#include "rpc/limits.h"
#include "rpc/memory_accounts.h"
#include "rpc/pace.h"
#include "rpc/streams/explore_stream.h"
#include "terrane/v1/world_service.grpc.pb.h"

namespace terrane::rpc {

/// The calls that pass chunks take and give raw buffers, so that cached bytes never go through a
/// message.
using WorldServiceBase = v1::WorldService::WithCallbackMethod_ListWorlds<
    v1::WorldService::WithCallbackMethod_GetWorld<v1::WorldService::WithRawCallbackMethod_GetChunk<
        v1::WorldService::WithRawCallbackMethod_GetChunks<
            v1::WorldService::WithRawCallbackMethod_Explore<
                v1::WorldService::WithRawCallbackMethod_SamplePoints<
                    v1::WorldService::WithCallbackMethod_Locate<
                        v1::WorldService::WithCallbackMethod_GetStructure<
                            v1::WorldService::Service>>>>>>>>;

/// terrane.v1.WorldService. Runs on gRPC's threads, where it checks requests and nothing more: no
/// disk, no generation, no waiting.
class WorldService final : public WorldServiceBase {
 public:
  /// @param calls  counts all calls that take time; once closed, such calls get UNAVAILABLE
  WorldService(Backend backend, Limits limits, StreamPace pace, const ExplorePace& explore_pace,
               CallTracker& calls);

  /// Ends all Explore streams, now and from now on, with GoAway.
  void send_viewers_away();

  grpc::ServerUnaryReactor* ListWorlds(grpc::CallbackServerContext* context,
                                       const v1::ListWorldsRequest* request,
                                       v1::ListWorldsResponse* response) override;
  grpc::ServerUnaryReactor* GetWorld(grpc::CallbackServerContext* context,
                                     const v1::GetWorldRequest* request,
                                     v1::GetWorldResponse* response) override;
  grpc::ServerUnaryReactor* GetChunk(grpc::CallbackServerContext* context,
                                     const grpc::ByteBuffer* request,
                                     grpc::ByteBuffer* response) override;
  grpc::ServerWriteReactor<grpc::ByteBuffer>* GetChunks(grpc::CallbackServerContext* context,
                                                        const grpc::ByteBuffer* request) override;
  grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* Explore(
      grpc::CallbackServerContext* context) override;
  grpc::ServerUnaryReactor* SamplePoints(grpc::CallbackServerContext* context,
                                         const grpc::ByteBuffer* request,
                                         grpc::ByteBuffer* response) override;
  grpc::ServerWriteReactor<v1::LocateResponse>* Locate(grpc::CallbackServerContext* context,
                                                       const v1::LocateRequest* request) override;
  grpc::ServerUnaryReactor* GetStructure(grpc::CallbackServerContext* context,
                                         const v1::GetStructureRequest* request,
                                         v1::GetStructureResponse* response) override;

 private:
  [[nodiscard]] schedule::Source source_of(const grpc::CallbackServerContext& context) const;
  /// What a call of so many bytes may hold until it ends. Errors: kResourceExhausted.
  [[nodiscard]] Result<MemoryAccounts::Hold> take_memory(const grpc::CallbackServerContext& context,
                                                         std::size_t request_bytes);
  /// Lets a call in, checks its request and starts it, or refuses it: also where there is no memory
  /// for it.
  /// @param check  Result<Query>(const worlds::WorldCatalog&)
  /// @param start  Reactor*(IncomingCall, Query)
  template <typename Reactor, typename Check, typename Start>
  Reactor* serve(grpc::CallbackServerContext& context, Method method, const Check& check,
                 const Start& start);

  const Backend backend_;
  const Limits limits_;
  const StreamPace pace_;
  CallTracker& calls_;
  const std::shared_ptr<const CallMetrics> metrics_;
  const std::shared_ptr<MemoryAccounts> call_memory_;  // of SamplePoints
  ExploreHub viewers_;
  schedule::AlarmClock alarms_;  // last: what it calls is there until it has ended
};

}  // namespace terrane::rpc
