#include "rpc/chunk_call.h"

#include <utility>

#include "rpc/chunk_wire.h"
#include "rpc/status.h"

namespace terrane::rpc {

ChunkCall::ChunkCall(CallGate::Pass pass, grpc::CallbackServerContext& context, grpc::ByteBuffer& response)
    : pass_(std::move(pass)), context_(context), response_(response) {}

grpc::ServerUnaryReactor* ChunkCall::start(CallGate::Pass pass, grpc::CallbackServerContext& context, grpc::ByteBuffer& response,
                                           pipeline::ChunkPipeline& pipeline, ChunkQuery query) {
  const std::shared_ptr<ChunkCall> call(new ChunkCall(std::move(pass), context, response));
  call->self_ = call;
  pipeline::ChunkRequest request{query.world, query.seed, query.coord, query.lod, schedule::Priority::kPlayerWaits};
  pipeline.request(
      {std::move(request)}, call->stop_.get_token(),
      [call, query = std::move(query)](std::size_t, const Result<codec::EncodedChunk>& chunk) { call->answer(query, chunk); });
  return call.get();
}

void ChunkCall::answer(const ChunkQuery& query, const Result<codec::EncodedChunk>& chunk) {
  if (!chunk) return Finish(refuse(context_, chunk.error()));
  std::string wire;
  if (query.layers == kAllLayers) {
    wire.reserve((*chunk)->size() + kMaxChunkFraming);
    append_chunk(wire, query.coord, **chunk);
  } else {
    const auto cut = codec::select_layers(**chunk, query.layers);
    if (!cut) return Finish(to_status(cut.error()));
    append_chunk(wire, query.coord, *cut);
  }
  response_ = to_buffer(std::move(wire));
  Finish(grpc::Status::OK);
}

void ChunkCall::OnCancel() { stop_.request_stop(); }  // the pipeline then delivers, and that finishes the call

void ChunkCall::OnDone() {
  pass_.reset();  // here: a thread that has just delivered may keep the rest a moment longer
  self_.reset();
}

}  // namespace terrane::rpc
