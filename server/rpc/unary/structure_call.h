#pragma once

#include "rpc/checks/request_check.h"
#include "rpc/server_call.h"
#include "rpc/terrain_queries.h"
#include "schedule/worker_pool.h"

namespace terrane::rpc {

/// One GetStructure: one job of the worker pool, which keeps it alive too.
class StructureCall final : public ServerCall<StructureCall> {
 public:
  /// Starts a call. Blocks: no.
  static void start(IncomingCall incoming, schedule::WorkerPool& workers, TerrainQueries terrain,
                    StructureQuery query);

 private:
  friend ServerCall;

  StructureCall(IncomingCall incoming, TerrainQueries terrain, StructureQuery query);

  void run_job();
  void OnCancel() override;

  const TerrainQueries terrain_;  // a copy: the job may outlive the service
  const StructureQuery query_;
};

}  // namespace terrane::rpc
