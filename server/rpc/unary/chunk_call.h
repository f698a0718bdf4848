#pragma once

#include <grpcpp/grpcpp.h>

#include <stop_token>

#include "pipeline/chunk_pipeline.h"
#include "rpc/checks/request_check.h"
#include "rpc/server_call.h"
#include "schedule/worker_pool.h"

namespace terrane::rpc {

/// One GetChunk: asks the pipeline, and answers with the chunk's bytes as they are. A chunk in
/// memory is answered at once, without an object of this class.
class ChunkCall final : public ServerCall<ChunkCall, grpc::ServerUnaryReactor> {
 public:
  /// Starts a call. Blocks: no. @return the reactor for gRPC
  static grpc::ServerUnaryReactor* start(IncomingCall incoming, grpc::ByteBuffer& response,
                                         pipeline::ChunkPipeline& pipeline,
                                         schedule::WorkerPool& workers, ChunkQuery query);

 private:
  friend ServerCall;

  ChunkCall(IncomingCall incoming, grpc::ByteBuffer& response);

  [[nodiscard]] bool refuse_in_turn(schedule::WorkerPool& workers, const Error& error);
  void answer(const ChunkQuery& query, const Result<codec::EncodedChunk>& chunk);
  void OnCancel() override;

  grpc::ByteBuffer& response_;
  std::stop_source stop_;
};

}  // namespace terrane::rpc
