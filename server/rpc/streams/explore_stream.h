#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "pipeline/chunk_pipeline.h"
#include "rpc/limits.h"
#include "rpc/server_call.h"
#include "rpc/streams/viewer.h"
#include "schedule/alarm_clock.h"
#include "terrane/mutex.h"
#include "worlds/live_catalog.h"

namespace terrane::rpc {

class ExploreStream;

/// What all Explore streams of a server share. Outlives them. Thread-safe.
class ExploreHub {
 public:
  /// @param max_request_bytes  of one message from a client
  ExploreHub(const worlds::LiveCatalog& worlds, pipeline::ChunkPipeline& pipeline,
             schedule::AlarmClock& alarms, const ExplorePace& pace, std::size_t max_request_bytes);

  /// Tells all streams, and those that still come, that the server is about to stop: each says so
  /// to its client and ends.
  void send_away();

 private:
  friend class ExploreStream;
  const worlds::LiveCatalog& worlds_;
  pipeline::ChunkPipeline& pipeline_;
  schedule::AlarmClock& alarms_;
  const ExplorePace pace_;
  const std::size_t max_request_bytes_;
  std::atomic<std::size_t> outstanding_ = 0;  // bytes on their way to viewers

  Mutex mutex_;
  bool closing_ ABSL_GUARDED_BY(mutex_) = false;
  // and some that are over
  std::vector<std::weak_ptr<ExploreStream>> streams_ ABSL_GUARDED_BY(mutex_);
};

/// One Explore: reads what the client says, has the Viewer decide, asks the pipeline chunk by
/// chunk, and writes batches, one write at a time. Finishes only when the pipeline owes it nothing
/// more.
class ExploreStream final
    : public ServerCall<ExploreStream,
                        grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>> {
 public:
  /// Starts a call. Blocks: no. @return the reactor for gRPC
  static grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* start(IncomingCall incoming,
                                                                            ExploreHub& hub);

  /// The server is about to stop. Threads: any.
  void send_away() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  using Clock = Viewer::Clock;

  struct Step {  // what to do next, outside of the lock: each of these may call back
    std::shared_ptr<const ExploreQuery> query;  // of what is asked for
    Viewer::Stops stops;
    std::vector<Viewer::Ask> asks;
    std::optional<Tile> raise;
    bool write = false;
    std::optional<grpc::Status> cut_off;
    bool read = false;
    std::optional<grpc::Status> finish;
  };

  friend ServerCall;

  ExploreStream(IncomingCall incoming, ExploreHub& hub);

  void advance() ABSL_LOCKS_EXCLUDED(mutex_);
  Step next_step() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void start_write(Clock::time_point now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void end_if_slow(Step& step, Clock::time_point now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void look_again(Clock::time_point now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void set_alarm(Clock::time_point at) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void account() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void do_step(Step step) ABSL_LOCKS_EXCLUDED(mutex_);
  Result<void> on_request() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Result<void> on_hello(const v1::Hello& hello) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Result<void> on_move(const v1::Move& move) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void look_at_world() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void ask(const std::shared_ptr<const ExploreQuery>& query, const Viewer::Ask& ask);
  [[nodiscard]] pipeline::ChunkRequest request_for(const ExploreQuery& query, const Tile& tile,
                                                   schedule::Priority priority) const;
  void deliver(std::uint64_t id, Result<codec::EncodedChunk> chunk) ABSL_LOCKS_EXCLUDED(mutex_);
  void end(const grpc::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void give_up() ABSL_LOCKS_EXCLUDED(mutex_);

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;

  ExploreHub& hub_;
  const schedule::Source source_;
  grpc::ByteBuffer read_, written_;

  Mutex mutex_;
  // from Hello on; never changes then, so that asks for its chunks need no lock
  std::shared_ptr<const ExploreQuery> query_ ABSL_GUARDED_BY(mutex_);
  std::optional<Viewer> viewer_ ABSL_GUARDED_BY(mutex_);
  // to be stopped outside of the lock
  Viewer::Stops stops_ ABSL_GUARDED_BY(mutex_);
  // asked of the pipeline and not yet answered
  std::size_t in_flight_ ABSL_GUARDED_BY(mutex_) = 0;
  // a thread does a step that calls back
  bool busy_ ABSL_GUARDED_BY(mutex_) = false;
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  // the next message of the client
  bool read_due_ ABSL_GUARDED_BY(mutex_) = false;
  // start of the latest write, or of the stream
  Clock::time_point written_at_ ABSL_GUARDED_BY(mutex_);
  // that are set, each earlier than the one before it: a few
  std::vector<Clock::time_point> alarms_ ABSL_GUARDED_BY(mutex_);
  // why, where a write is stuck
  std::optional<grpc::Status> cut_off_ ABSL_GUARDED_BY(mutex_);
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  // once nothing is on its way
  std::optional<grpc::Status> ending_ ABSL_GUARDED_BY(mutex_);
  // the world of this name now, as the client knows; 0: none
  WorldFingerprint offered_ ABSL_GUARDED_BY(mutex_) = 0;
  // as told to the hub and the metrics
  std::size_t counted_outstanding_ ABSL_GUARDED_BY(mutex_) = 0;
  std::size_t counted_unsent_ ABSL_GUARDED_BY(mutex_) = 0;
  std::uint64_t counted_wasted_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace terrane::rpc
