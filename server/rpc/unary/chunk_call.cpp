#include "rpc/unary/chunk_call.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "rpc/chunk_wire.h"
#include "rpc/pace.h"
#include "rpc/status.h"
#include "rpc/streams/wire_batch.h"
#include "terrane/result_macros.h"

namespace terrane::rpc {
namespace {

/// Errors: kDataLoss when layers can't be cut out, because the chunk is damaged.
Result<grpc::ByteBuffer> response_for(const ChunkQuery& query, codec::EncodedChunk chunk,
                                      const Call& call) {
  TERRANE_ASSIGN_OR_RETURN(const auto encoded, with_layers(std::move(chunk), query.layers));
  call.record().metrics().sent(call.source().weight, 1, encoded->size());
  WireBatch wire(encoded->size() + kMaxChunkFraming);
  wire.add(query.coord, *encoded);
  return wire.take();
}

// the viewer, as it were, of a connection's refusals: no stream lives at this address
constexpr std::uint64_t kRefusals = 1;

/// What is wanted by a deadline is better refused at once than dropped when that has come.
std::chrono::nanoseconds patience_of(std::chrono::system_clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(
      deadline - std::chrono::system_clock::now());
  return std::min<std::chrono::nanoseconds>(left, kPatience);
}

}  // namespace

void ChunkCall::start(IncomingCall incoming, pipeline::ChunkPipeline& pipeline,
                      schedule::WorkerPool& workers, ChunkQuery query,
                      std::shared_ptr<const MessageCost> message_cost) {
  pipeline::ChunkRequest request{query.world, query.seed, query.coord, query.lod,
                                 schedule::Priority::kPlayerWaits};
  if (const codec::EncodedChunk chunk = pipeline.find_in_memory(request)) {
    auto response = response_for(query, chunk, incoming.call);
    if (!response) return incoming.call.finish(to_status(response.error()));
    return incoming.call.answer(*std::move(response));
  }
  request.source = incoming.call.source();
  request.patience = patience_of(incoming.call.deadline());
  const auto call = create(std::move(incoming), std::move(message_cost));
  try {
    pipeline.request({std::move(request)}, call->stop_.get_token(),
                     [call, query = std::move(query), &workers](
                         std::size_t, const Result<codec::EncodedChunk>& chunk) {
                       if (chunk || !call->refuse_in_turn(workers, chunk.error()))
                         call->answer(query, chunk);
                     });
  } catch (const std::bad_alloc& failure) {  // before the pipeline has it: then it owes an answer
    call->finish(refuse(call->call(), error_of(failure, "asking")));
  }
}

/// A refusal costs gRPC nearly as much as an answer, and a client that does not wait after one can
/// have thousands a second: so it takes a turn of the client's, too.
/// @return false where it is to be answered at once
bool ChunkCall::refuse_in_turn(schedule::WorkerPool& workers, const Error& error) {
  if (error.code != ErrorCode::kResourceExhausted) return false;
  try {
    const auto answer = [call = shared_from_this(), error] {
      call->finish(refuse(call->call(), error));
    };
    const auto in_turn = [answer, cost = message_cost_] {
      schedule::WorkerPool::charge(cost->of_call());
      answer();
    };
    schedule::Source refusals = source();
    refusals.viewer = kRefusals;
    const auto queued =
        workers.submit(schedule::Priority::kPlayerWaits,
                       {in_turn, [answer](const schedule::Refused&) { answer(); }}, refusals);
    return queued.has_value();
  } catch (const std::bad_alloc&) {
    return false;
  }
}

void ChunkCall::answer(const ChunkQuery& query, const Result<codec::EncodedChunk>& chunk) {
  try {
    if (!chunk) return finish(refuse(call(), chunk.error()));
    schedule::WorkerPool::charge(message_cost_->of_call(), source());
    auto response = response_for(query, *chunk, call());
    if (!response) return finish(to_status(response.error()));
    answer_with(*std::move(response));
  } catch (const std::bad_alloc& failure) {
    finish(refuse(call(), error_of(failure, "answering")));
  }
}

// the pipeline then delivers, and that finishes the call
void ChunkCall::OnCancel() { stop_.request_stop(); }

}  // namespace terrane::rpc
