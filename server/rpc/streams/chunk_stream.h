#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "pipeline/chunk_pipeline.h"
#include "rpc/checks/request_check.h"
#include "rpc/message_cost.h"
#include "rpc/pace.h"
#include "rpc/server_call.h"
#include "terrane/mutex.h"

namespace terrane::rpc {

/// One GetChunks: keeps a window of chunks in flight in the pipeline, and writes those that are
/// ready in batches, one write at a time. Finishes only when the pipeline owes it nothing more.
class ChunkStream final : public ServerCall<ChunkStream> {
 public:
  /// Starts a call. Blocks: no.
  static void start(IncomingCall incoming, pipeline::ChunkPipeline& pipeline, StreamPace pace,
                    AreaQuery query, std::shared_ptr<MessageCost> message_cost);

 private:
  using Clock = std::chrono::steady_clock;

  struct Answer {          // small, as many are moved at each write
    std::size_t rank = 0;  // place in query_.coords
    codec::EncodedChunk chunk;
    std::unique_ptr<const Error> failure = nullptr;  // where there is no chunk
  };
  // what to do next, outside of the lock: each of these may call back
  struct Step {
    std::vector<std::size_t> ranks;  // to ask for
    bool write = false;
    std::optional<Clock::duration> look_again;  // after this while
    bool wake = false;                          // the alarm, before its time
    bool stop = false;                          // what is in flight
    std::optional<grpc::Status> finish;
    std::chrono::nanoseconds unpaid{0};  // of what gRPC has done
  };

  friend ServerCall;

  ChunkStream(IncomingCall incoming, pipeline::ChunkPipeline& pipeline, StreamPace pace,
              AreaQuery query, std::shared_ptr<MessageCost> message_cost);

  void advance();
  void wait_for_more(Clock::duration time);
  void next_step(Step& step) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void decide(Step& step) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void do_step(Step step) ABSL_LOCKS_EXCLUDED(mutex_);
  void fail_for_memory() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool worth_a_write(Clock::time_point now) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::size_t room() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::vector<std::size_t> take_ranks() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void request(std::vector<std::size_t> ranks);
  [[nodiscard]] Answer answer_of(std::size_t rank, Result<codec::EncodedChunk> chunk);
  void take_in_found(std::vector<Answer> found);
  grpc::ByteBuffer take_batch() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  grpc::Status last_status() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void deliver(std::size_t rank, Result<codec::EncodedChunk> chunk);
  void take_in(Answer answer) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void tell_unsent() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void give_up();

  void OnWriteDone(bool ok) override;
  void OnCancel() override;

  pipeline::ChunkPipeline& pipeline_;
  const StreamPace pace_;
  const AreaQuery query_;
  const schedule::Source source_;
  std::stop_source stop_;

  Mutex mutex_;
  Dues dues_ ABSL_GUARDED_BY(mutex_);
  /// The first chunk not yet asked for.
  std::size_t next_rank_ ABSL_GUARDED_BY(mutex_) = 0;
  /// Ranks that were refused, and are asked for once more.
  std::vector<std::size_t> again_ ABSL_GUARDED_BY(mutex_);
  /// Less than the pace's where the server is overloaded.
  std::size_t max_in_flight_ ABSL_GUARDED_BY(mutex_);
  /// In a row, with nothing in flight.
  int refusals_ ABSL_GUARDED_BY(mutex_) = 0;
  /// Not before, if nothing is in flight.
  Clock::time_point ask_at_ ABSL_GUARDED_BY(mutex_);
  /// Asked for and not yet answered.
  std::size_t in_flight_ ABSL_GUARDED_BY(mutex_) = 0;
  /// Answered and not yet written.
  std::vector<Answer> ready_ ABSL_GUARDED_BY(mutex_);
  /// Of ready_ and of the write in flight.
  std::size_t unsent_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  /// Of these, what the metrics have been told of.
  std::size_t told_unsent_ ABSL_GUARDED_BY(mutex_) = 0;
  /// Of the write in flight.
  std::size_t written_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  /// Seen so far, bytes: what one in flight may become.
  std::size_t largest_chunk_ ABSL_GUARDED_BY(mutex_);
  /// A thread is in pipeline_.request.
  bool asking_ ABSL_GUARDED_BY(mutex_) = false;
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool alarm_set_ ABSL_GUARDED_BY(mutex_) = false;
  /// Start of the latest write.
  Clock::time_point written_at_ ABSL_GUARDED_BY(mutex_);
  /// Cancelled, past its deadline, or the connection broke.
  bool gave_up_ ABSL_GUARDED_BY(mutex_) = false;
  /// Something of it has met the end of memory: it gives up.
  bool no_memory_ ABSL_GUARDED_BY(mutex_) = false;
  /// What is in flight is to be stopped, outside of the lock.
  bool stop_due_ ABSL_GUARDED_BY(mutex_) = false;
  /// Some chunk was refused.
  bool overloaded_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  grpc::ByteBuffer wire_;  // of the write in flight: changes only while there is none
  grpc::Alarm alarm_;
};

}  // namespace terrane::rpc
