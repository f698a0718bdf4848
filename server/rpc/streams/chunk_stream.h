#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "pipeline/chunk_pipeline.h"
#include "rpc/call_gate.h"
#include "rpc/call_metrics.h"
#include "rpc/checks/request_check.h"
#include "rpc/limits.h"

namespace terrane::rpc {

/// One GetChunks: keeps a window of chunks in flight in the pipeline, and writes those that are
/// ready in batches, one write at a time. Keeps itself alive until gRPC is done with it, and
/// finishes only when the pipeline owes it nothing more.
class ChunkStream final : public grpc::ServerWriteReactor<grpc::ByteBuffer>,
                          public std::enable_shared_from_this<ChunkStream> {
 public:
  /// Starts a call. Blocks: no. @return the reactor for gRPC
  static grpc::ServerWriteReactor<grpc::ByteBuffer>* start(CallGate::Pass pass, CallRecord record,
                                                           grpc::CallbackServerContext& context,
                                                           pipeline::ChunkPipeline& pipeline,
                                                           StreamPace pace, AreaQuery query);

 private:
  using Clock = std::chrono::steady_clock;

  struct Answer {
    std::size_t rank = 0;  // place in query_.coords
    Result<codec::EncodedChunk> chunk;
  };
  // what to do next, outside of the lock: each of these may call back
  struct Step {
    std::vector<std::size_t> ranks;  // to ask for
    bool write = false;
    std::optional<Clock::duration> look_again;  // after this while
    bool wake = false;                          // the alarm, before its time
    std::optional<grpc::Status> finish;
  };

  ChunkStream(CallGate::Pass pass, CallRecord record, grpc::CallbackServerContext& context,
              pipeline::ChunkPipeline& pipeline, StreamPace pace, AreaQuery query);

  void advance();
  void wait_for_more(Clock::duration time);
  Step next_step();                                 // needs mutex_
  bool worth_a_write(Clock::time_point now) const;  // needs mutex_
  std::size_t room() const;                         // needs mutex_
  std::vector<std::size_t> take_ranks();            // needs mutex_
  void request(std::vector<std::size_t> ranks);
  grpc::ByteBuffer take_batch();  // needs mutex_
  grpc::Status last_status();     // needs mutex_
  void deliver(std::size_t rank, Result<codec::EncodedChunk> chunk);
  void give_up();

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

  CallGate::Pass pass_;
  const CallRecord record_;
  grpc::CallbackServerContext& context_;
  pipeline::ChunkPipeline& pipeline_;
  const StreamPace pace_;
  const AreaQuery query_;
  const schedule::Source source_;
  std::stop_source stop_;
  std::shared_ptr<ChunkStream> self_;  // until OnDone

  std::mutex mutex_;
  std::size_t next_rank_ = 0;       // first chunk not yet asked for
  std::vector<std::size_t> again_;  // ranks that were refused, and are asked for once more
  std::size_t most_in_flight_;      // less than the pace's where the server is overloaded
  int refusals_ = 0;                // in a row, with nothing in flight
  Clock::time_point ask_at_;        // not before, if nothing is in flight
  std::size_t in_flight_ = 0;       // asked for and not yet answered
  std::vector<Answer> ready_;       // answered and not yet written
  std::size_t unsent_bytes_ = 0;    // of ready_ and of the write in flight
  std::size_t written_bytes_ = 0;   // of the write in flight
  std::size_t largest_chunk_;       // seen so far, bytes: what one in flight may become
  bool asking_ = false;             // a thread is in pipeline_.request
  bool writing_ = false;
  bool alarm_set_ = false;
  Clock::time_point written_at_;  // start of the latest write
  bool gave_up_ = false;          // cancelled, past its deadline, or the connection broke
  bool overloaded_ = false;       // some chunk was refused
  bool finished_ = false;
  grpc::ByteBuffer wire_;  // of the write in flight
  grpc::Alarm alarm_;
};

}  // namespace terrane::rpc
