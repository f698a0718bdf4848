#include "rpc/chunk_call.h"

#include <utility>

#include "rpc/status.h"
#include "rpc/wire_batch.h"

namespace terrane::rpc {

ChunkCall::ChunkCall(CallGate::Pass pass, CallRecord record, const CallMetrics& metrics, grpc::CallbackServerContext& context,
                     grpc::ByteBuffer& response)
    : pass_(std::move(pass)), record_(record), metrics_(metrics), context_(context), response_(response) {}

grpc::ServerUnaryReactor* ChunkCall::start(CallGate::Pass pass, CallRecord record, const CallMetrics& metrics,
                                           grpc::CallbackServerContext& context, grpc::ByteBuffer& response,
                                           pipeline::ChunkPipeline& pipeline, ChunkQuery query) {
  const std::shared_ptr<ChunkCall> call(new ChunkCall(std::move(pass), record, metrics, context, response));
  call->self_ = call;
  pipeline::ChunkRequest request{query.world, query.seed, query.coord, query.lod, schedule::Priority::kPlayerWaits};
  pipeline.request(
      {std::move(request)}, call->stop_.get_token(),
      [call, query = std::move(query)](std::size_t, const Result<codec::EncodedChunk>& chunk) { call->answer(query, chunk); });
  return call.get();
}

void ChunkCall::answer(const ChunkQuery& query, const Result<codec::EncodedChunk>& chunk) {
  if (!chunk) return finish(refuse(context_, chunk.error()));
  codec::EncodedChunk encoded = *chunk;
  if (query.layers != kAllLayers) {
    auto cut = codec::select_layers(**chunk, query.layers);
    if (!cut) return finish(to_status(cut.error()));
    encoded = std::make_shared<const std::string>(*std::move(cut));
  }
  metrics_.sent_chunks.add();
  metrics_.sent_bytes.add(encoded->size());
  WireBatch wire;
  wire.add(query.coord, std::move(encoded));
  response_ = wire.buffer();
  finish(grpc::Status::OK);
}

void ChunkCall::finish(const grpc::Status& status) {
  record_.end(status.error_code());
  Finish(status);
}

void ChunkCall::OnCancel() { stop_.request_stop(); }  // the pipeline then delivers, and that finishes the call

void ChunkCall::OnDone() {
  pass_.reset();  // here: a thread that has just delivered may keep the rest a moment longer
  self_.reset();
}

}  // namespace terrane::rpc
