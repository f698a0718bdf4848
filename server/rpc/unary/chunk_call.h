#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <stop_token>

#include "pipeline/chunk_pipeline.h"
#include "rpc/call_gate.h"
#include "rpc/call_metrics.h"
#include "rpc/checks/request_check.h"

namespace terrane::rpc {

/// One GetChunk: asks the pipeline, and answers with the chunk's bytes as they are. A chunk in
/// memory is answered at once; else this keeps itself alive until gRPC is done with it.
class ChunkCall final : public grpc::ServerUnaryReactor,
                        public std::enable_shared_from_this<ChunkCall> {
 public:
  /// Starts a call. Blocks: no. @return the reactor for gRPC
  static grpc::ServerUnaryReactor* start(CallGate::Pass pass, CallRecord record,
                                         grpc::CallbackServerContext& context,
                                         grpc::ByteBuffer& response,
                                         pipeline::ChunkPipeline& pipeline, ChunkQuery query);

 private:
  ChunkCall(CallGate::Pass pass, CallRecord record, grpc::CallbackServerContext& context,
            grpc::ByteBuffer& response);

  void finish(const grpc::Status& status);
  void OnCancel() override;
  void OnDone() override;

  CallGate::Pass pass_;
  const CallRecord record_;
  grpc::CallbackServerContext& context_;
  grpc::ByteBuffer& response_;
  std::stop_source stop_;
  std::shared_ptr<ChunkCall> self_;  // until OnDone
};

}  // namespace terrane::rpc
