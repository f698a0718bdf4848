#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "pipeline/chunk_pipeline.h"
#include "rpc/call_tracker.h"
#include "rpc/call_metrics.h"
#include "rpc/limits.h"
#include "rpc/streams/viewer.h"
#include "schedule/alarm_clock.h"
#include "worlds/live_catalog.h"

namespace terrane::rpc {

class ExploreStream;

/// What all Explore streams of a server share. Outlives them. Thread-safe.
class ExploreRoom {
 public:
  /// @param max_request_bytes  of one message from a client
  ExploreRoom(const worlds::LiveCatalog& worlds, pipeline::ChunkPipeline& pipeline,
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
  std::atomic<std::uint64_t> next_viewer_ = 1;

  std::mutex mutex_;
  bool closing_ = false;
  std::vector<std::weak_ptr<ExploreStream>> streams_;  // and some that are over
};

/// One Explore: reads what the client says, has the Viewer decide, asks the pipeline chunk by
/// chunk, and writes batches, one write at a time. Keeps itself alive until gRPC is done with it,
/// and finishes only when the pipeline owes it nothing more.
class ExploreStream final : public grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>,
                            public std::enable_shared_from_this<ExploreStream> {
 public:
  /// Starts a call. Blocks: no. @return the reactor for gRPC
  static grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* start(
      CallTracker::Pass pass, CallRecord record, grpc::CallbackServerContext& context,
      ExploreRoom& room);

  /// The server is about to stop. Threads: any.
  void send_away();

 private:
  using Clock = Viewer::Clock;

  struct Step {  // what to do next, outside of the lock: each of these may call back
    Viewer::Stops stops;
    std::vector<Viewer::Ask> asks;
    std::optional<Tile> raise;
    bool write = false;
    bool cut_off = false;
    bool read = false;
    std::optional<grpc::Status> finish;
  };

  ExploreStream(CallTracker::Pass pass, CallRecord record, grpc::CallbackServerContext& context,
                ExploreRoom& room);

  void advance();
  Step next_step();                                           // needs mutex_
  void start_write(Clock::time_point now);                    // needs mutex_
  void look_for_slowness(Step& step, Clock::time_point now);  // needs mutex_
  void set_alarm(Clock::time_point at);                       // needs mutex_
  void account();                                             // needs mutex_
  void do_step(Step step);
  Result<void> heed(const v1::ExploreRequest& request);  // needs mutex_
  Result<void> greet(const v1::Hello& hello);            // needs mutex_
  Result<void> place(const v1::Move& move);              // needs mutex_
  void look_at_world();                                  // needs mutex_
  void ask(const Viewer::Ask& ask);
  [[nodiscard]] pipeline::ChunkRequest request_for(const Tile& tile,
                                                   schedule::Priority priority) const;
  void deliver(std::uint64_t id, Result<codec::EncodedChunk> chunk);
  void end(const grpc::Status& status);  // needs mutex_
  void give_up();

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

  CallTracker::Pass pass_;
  const CallRecord record_;
  grpc::CallbackServerContext& context_;
  ExploreRoom& room_;
  const schedule::Source source_;
  std::shared_ptr<ExploreStream> self_;  // until OnDone
  grpc::ByteBuffer read_, written_;

  std::mutex mutex_;
  std::optional<ExploreQuery> query_;  // from Hello on
  std::optional<Viewer> viewer_;
  Viewer::Stops stops_;        // to be stopped outside of the lock
  std::size_t in_flight_ = 0;  // asked of the pipeline and not yet answered
  bool busy_ = false;          // a thread does a step that calls back
  bool writing_ = false;
  bool read_due_ = false;         // the next message of the client
  Clock::time_point written_at_;  // start of the latest write, or of the stream
  // that are set, each earlier than the one before it: a few
  std::vector<Clock::time_point> alarms_;
  bool cut_off_ = false;
  bool finished_ = false;
  std::optional<grpc::Status> ending_;  // once nothing is on its way
  // the world of this name now, as the client knows; 0: none
  WorldFingerprint offered_ = 0;
  std::size_t counted_outstanding_ = 0, counted_unsent_ = 0;  // as told to the room and the metrics
  std::uint64_t counted_wasted_ = 0;
};

}  // namespace terrane::rpc
