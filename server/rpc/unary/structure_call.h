#pragma once

#include <grpcpp/grpcpp.h>

#include "rpc/checks/request_check.h"
#include "rpc/server_call.h"
#include "rpc/terrain_queries.h"
#include "schedule/worker_pool.h"
#include "terrane/v1/world_service.pb.h"

namespace terrane::rpc {

/// One GetStructure: one job of the worker pool, which keeps it alive too.
class StructureCall final : public ServerCall<StructureCall, grpc::ServerUnaryReactor> {
 public:
  /// Starts a call. Blocks: no. @return the reactor for gRPC
  static grpc::ServerUnaryReactor* start(IncomingCall incoming, v1::GetStructureResponse& response,
                                         schedule::WorkerPool& workers, TerrainQueries terrain,
                                         StructureQuery query);

 private:
  friend ServerCall;

  StructureCall(IncomingCall incoming, v1::GetStructureResponse& response, TerrainQueries terrain,
                StructureQuery query);

  void run_job();
  void OnCancel() override;

  v1::GetStructureResponse& response_;
  const TerrainQueries terrain_;  // a copy: the job may outlive the service
  const StructureQuery query_;
};

}  // namespace terrane::rpc
