#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <stop_token>
#include <utility>

#include "pipeline/chunk_pipeline.h"
#include "rpc/checks/request_check.h"
#include "rpc/message_cost.h"
#include "rpc/server_call.h"
#include "schedule/worker_pool.h"

namespace terrane::rpc {

/// One GetChunk: asks the pipeline, and answers with the chunk's bytes as they are. A chunk in
/// memory is answered at once, without an object of this class.
class ChunkCall final : public ServerCall<ChunkCall> {
 public:
  /// Starts a call. Blocks: no.
  static void start(IncomingCall incoming, pipeline::ChunkPipeline& pipeline,
                    schedule::WorkerPool& workers, ChunkQuery query,
                    std::shared_ptr<const MessageCost> message_cost);

 private:
  friend ServerCall;

  ChunkCall(IncomingCall incoming, std::shared_ptr<const MessageCost> message_cost)
      : ServerCall(std::move(incoming)), message_cost_(std::move(message_cost)) {}

  [[nodiscard]] bool refuse_in_turn(schedule::WorkerPool& workers, const Error& error);
  void answer(const ChunkQuery& query, const Result<codec::EncodedChunk>& chunk);
  void OnCancel() override;

  const std::shared_ptr<const MessageCost> message_cost_;
  std::stop_source stop_;
};

}  // namespace terrane::rpc
