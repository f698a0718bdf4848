#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rpc/memory_accounts.h"
#include "rpc/message_cost.h"
#include "rpc/server_call.h"
#include "rpc/streams/explore_hub.h"
#include "rpc/streams/tile_list.h"
#include "rpc/streams/viewer.h"
#include "terrane/mutex.h"

namespace terrane::rpc {

/// One Explore: reads what the client says, has the Viewer decide, asks the pipeline chunk by
/// chunk, and writes batches, one write at a time. Finishes only when the pipeline owes it nothing
/// more.
///
/// gRPC's threads serve everybody, so their callbacks only note what has come. An Ack is dealt with
/// at once (microseconds); a Hello, Move, Forget or whatever is long waits for a *plan*: a job of
/// the worker pool, in the viewer's turn and on its account. No more often than
/// ExplorePace::min_move_interval; of several Moves that wait for one the latest says where the
/// viewer is. While one waits that leaves all that is in view, no chunk is sent: acknowledgements
/// that pass it would make room for more and more of the old place. While a plan is queued or runs
/// nothing is read, so a client that says more than the server has time for waits. An alarm asks
/// for no chunks, as ranking them is long: where some are to be asked for, it has the viewer wait
/// for a *turn*, which is a job in the same way.
class ExploreStream final : public ServerCall<ExploreStream> {
 public:
  /// Starts a call. Blocks: no.
  static void start(IncomingCall incoming, ExploreHub& hub);

  /// The server is about to stop. Threads: any.
  void send_away() ABSL_LOCKS_EXCLUDED(mutex_);

  /// Its client's streams, or all together, hold too much, and this one the most of it.
  /// Threads: any.
  void close_for_memory(Error why) ABSL_LOCKS_EXCLUDED(mutex_);

  /// Bytes that it holds, as last reckoned. Threads: any.
  [[nodiscard]] std::size_t memory() const { return counted_memory_; }
  [[nodiscard]] std::uint64_t client() const { return source_.client; }
  /// close_for_memory() has come, and what it holds is about to be free. Threads: any.
  [[nodiscard]] bool is_closing() const { return is_closing_; }

 private:
  using Clock = Viewer::Clock;
  // bytes of a message that is parsed where it is read; longer ones are left to a plan
  static constexpr std::size_t kSmallMessage = 512;

  struct Step {  // what to do next, outside of the lock: each of these may call back
    std::shared_ptr<const ExploreQuery> query;  // of what is asked for
    Viewer::Stops stops;
    std::vector<Viewer::Ask> asks;
    std::optional<Tile> raise;
    bool write = false;
    std::optional<grpc::Status> cut_off;
    std::optional<schedule::Priority> plan, turn;
    bool read = false;
    std::optional<grpc::Status> finish;
  };

  friend ServerCall;

  ExploreStream(IncomingCall incoming, ExploreHub& hub);

  /// Who looks whether there is something to do: what has come from the client or from the
  /// pipeline, or a job in the viewer's turn; or an alarm, and what is left is not of a turn.
  enum class Look : std::uint8_t { kMayAsk, kMayNotAsk };

  void advance(Look look = Look::kMayAsk) ABSL_LOCKS_EXCLUDED(mutex_);
  void next_step(Step& step, Look look) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void decide(Step& step, Look look) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void end_for_memory() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void ask_all(const Step& step) ABSL_LOCKS_EXCLUDED(mutex_);
  void start_write(Clock::time_point now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void settle() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void end_if_slow(Step& step, Clock::time_point now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void look_again(Clock::time_point now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void set_alarm(Clock::time_point at) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void account() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void do_step(Step step) ABSL_LOCKS_EXCLUDED(mutex_);
  void cut_off(Step& step, CutOff reason, Error error) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Result<void> note_request() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Result<void> check_order(const v1::ExploreRequest& request) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void notice_jump(const v1::ExploreRequest& request) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  [[nodiscard]] bool has_plans() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  [[nodiscard]] bool wants_plan() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  [[nodiscard]] bool may_read() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void plan_if_due(Step& step, Clock::time_point now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void submit_plan(schedule::Priority priority) ABSL_LOCKS_EXCLUDED(mutex_);
  void put_off_plan() ABSL_LOCKS_EXCLUDED(mutex_);
  void submit_turn(schedule::Priority priority) ABSL_LOCKS_EXCLUDED(mutex_);
  void put_off_turn() ABSL_LOCKS_EXCLUDED(mutex_);
  [[nodiscard]] bool submit(schedule::Priority priority, void (ExploreStream::*run)(),
                            void (ExploreStream::*put_off)(), std::chrono::nanoseconds patience)
      ABSL_LOCKS_EXCLUDED(mutex_);
  void take_turn() ABSL_LOCKS_EXCLUDED(mutex_);
  void plan() ABSL_LOCKS_EXCLUDED(mutex_);
  void plan_now() ABSL_LOCKS_EXCLUDED(mutex_);
  void ask_less_if_behind() ABSL_LOCKS_EXCLUDED(mutex_);
  Result<void> take_in(std::vector<v1::ExploreRequest> messages)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Result<void> on_hello(v1::Hello& hello) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Result<void> take_list() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void add_stops(Viewer::Stops stops) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void end_as_client_did(Clock::time_point now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  [[nodiscard]] std::size_t bytes() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void look_at_caller() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void look_at_world() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  pipeline::ChunkPipeline::SingleRequest request_of(
      const std::shared_ptr<const ExploreQuery>& query, const Viewer::Ask& ask);
  [[nodiscard]] pipeline::ChunkRequest request_for(const ExploreQuery& query, const Tile& tile,
                                                   schedule::Priority priority) const;
  [[nodiscard]] Result<codec::EncodedChunk> judged(codec::EncodedChunk chunk,
                                                   const Viewer::Ask& ask) const;
  void deliver(std::uint64_t id, Result<codec::EncodedChunk> chunk) ABSL_LOCKS_EXCLUDED(mutex_);
  // says nothing more to the client: it has gone, or was cut off
  [[nodiscard]] static bool is_mute(const grpc::Status& end);
  void end_for(const Error& why) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void end(const grpc::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void give_up() ABSL_LOCKS_EXCLUDED(mutex_);

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;

  ExploreHub& hub_;
  const schedule::Source source_;
  const Clock::time_point expires_;
  grpc::ByteBuffer read_, written_;
  std::atomic<std::size_t> counted_memory_ = 0;  // as told to the hub and the metrics
  std::atomic<bool> is_closing_ = false;

  Mutex mutex_;
  MemoryAccounts::Hold memory_ ABSL_GUARDED_BY(mutex_);
  Dues dues_ ABSL_GUARDED_BY(mutex_);
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
  bool is_settled_ ABSL_GUARDED_BY(mutex_) = false;
  // the next message of the client
  bool read_due_ ABSL_GUARDED_BY(mutex_) = false;
  // what waits for a plan: messages in order, a long one after them, lists of tiles under way
  std::vector<v1::ExploreRequest> inbox_ ABSL_GUARDED_BY(mutex_);
  std::optional<grpc::ByteBuffer> long_message_ ABSL_GUARDED_BY(mutex_);
  std::deque<TileList> lists_ ABSL_GUARDED_BY(mutex_);
  // a plan is queued or runs
  bool planning_ ABSL_GUARDED_BY(mutex_) = false;
  Clock::time_point plan_at_ ABSL_GUARDED_BY(mutex_);  // not before
  // a Move waits that leaves all that is in view
  bool jumps_ ABSL_GUARDED_BY(mutex_) = false;
  int plans_put_off_ ABSL_GUARDED_BY(mutex_) = 0;  // in a row
  // a turn is queued or begins
  bool turn_queued_ ABSL_GUARDED_BY(mutex_) = false;
  // the client says no more, or nothing more can be heard of it
  std::optional<Clock::time_point> read_ended_ ABSL_GUARDED_BY(mutex_);
  // start of the latest write, or of the stream
  Clock::time_point written_at_ ABSL_GUARDED_BY(mutex_);
  // that are set, each earlier than the one before it: a few
  std::vector<Clock::time_point> alarms_ ABSL_GUARDED_BY(mutex_);
  // why, where a write is stuck
  std::optional<grpc::Status> passed_status_ ABSL_GUARDED_BY(mutex_);
  // the same, to be told outside of the lock
  std::optional<grpc::Status> cut_off_due_ ABSL_GUARDED_BY(mutex_);
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  // something of it has met the end of memory: it ends, and takes no more
  bool no_memory_ ABSL_GUARDED_BY(mutex_) = false;
  // once nothing is on its way
  std::optional<grpc::Status> ending_ ABSL_GUARDED_BY(mutex_);
  // under which the caller was looked at last
  std::uint64_t known_generation_ ABSL_GUARDED_BY(mutex_);
  // the world of this name now, as the client knows; 0: none
  WorldFingerprint offered_ ABSL_GUARDED_BY(mutex_) = 0;
  // as told to the hub and the metrics
  std::size_t counted_outstanding_ ABSL_GUARDED_BY(mutex_) = 0;
  std::size_t counted_unsent_ ABSL_GUARDED_BY(mutex_) = 0;
  std::uint64_t counted_wasted_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace terrane::rpc
