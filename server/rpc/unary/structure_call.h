#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <memory>

#include "rpc/call_gate.h"
#include "rpc/call_metrics.h"
#include "rpc/checks/request_check.h"
#include "rpc/land.h"
#include "schedule/worker_pool.h"
#include "terrane/v1/world_service.pb.h"

namespace terrane::rpc {

/// One GetStructure: one job of the worker pool. Keeps itself alive until gRPC and the job are done
/// with it.
class StructureCall final : public grpc::ServerUnaryReactor,
                            public std::enable_shared_from_this<StructureCall> {
 public:
  /// Starts a call. Blocks: no. @return the reactor for gRPC
  static grpc::ServerUnaryReactor* start(CallGate::Pass pass, CallRecord record,
                                         grpc::CallbackServerContext& context,
                                         v1::GetStructureResponse& response,
                                         schedule::WorkerPool& workers, Land land,
                                         StructureQuery query);

 private:
  StructureCall(CallGate::Pass pass, CallRecord record, grpc::CallbackServerContext& context,
                v1::GetStructureResponse& response, Land land, StructureQuery query);

  void run_job();
  void end(const grpc::Status& status);
  void OnCancel() override;
  void OnDone() override;

  CallGate::Pass pass_;
  const CallRecord record_;
  grpc::CallbackServerContext& context_;
  v1::GetStructureResponse& response_;
  const Land land_;  // a copy: the job may outlive the service
  const StructureQuery query_;
  std::atomic<bool> ended_ = false;
  std::shared_ptr<StructureCall> self_;  // until OnDone
};

}  // namespace terrane::rpc
