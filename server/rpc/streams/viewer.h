#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <stop_token>
#include <string>
#include <vector>

#include "codec/chunk_codec.h"
#include "explore/send_window.h"
#include "explore/view.h"
#include "rpc/checks/explore_check.h"
#include "rpc/pace.h"
#include "rpc/streams/tile_list.h"
#include "schedule/worker_pool.h"

namespace terrane::rpc {

/// One viewer of Explore: which chunks to ask the pipeline for and which to send when. Decides and
/// keeps account; does no work itself, knows neither gRPC nor clocks. Threads: one at a time.
class Viewer {
 public:
  using Clock = std::chrono::steady_clock;

  /// A chunk to be asked for.
  struct Ask {
    std::uint64_t id = 0;
    Tile tile;
    schedule::Priority priority = schedule::Priority::kView;
    std::stop_token stop;
    std::optional<std::uint32_t> made = {};  // it is to be judged: the hash of the client's own
  };
  /// What was moved away from: to be stopped, where that may call back.
  using Stops = std::vector<std::stop_source>;

  struct Batch {
    std::string wire;        // a serialised ExploreResponse
    std::size_t chunks = 0;  // in it
    std::size_t bytes = 0;   // of these
    // where one of them is underfoot: how long ago the move came since which it was lacking
    std::optional<Clock::duration> waited_underfoot = {};
  };

  /// @param max_request_bytes  of one message of the client: the welcome says so
  /// @param seed  for waits that differ among viewers
  Viewer(const ExploreQuery& query, const ExplorePace& pace, std::size_t max_request_bytes,
         std::uint32_t seed, Clock::time_point now);

  /// The viewer is elsewhere. @param number  of the Move that says so
  [[nodiscard]] Stops move(const Pose& pose, std::uint64_t number, Clock::time_point now);
  /// Deals with a part of a list, half a millisecond's worth at most.
  /// Errors: those of explore::check_blocks.
  Result<Stops> take_slice(TileList& list);
  /// The client has made a chunk itself: it is to be asked for, and sent where it is another one.
  /// Of those that wait to be asked for, the latest few are judged.
  void judge(const MadeChunk& made);
  /// Whether the client makes the chunks.
  [[nodiscard]] bool judges() const { return judges_; }
  /// Whether it has not been given what it is over, and wants that.
  [[nodiscard]] bool lacks_underfoot() const;
  /// Whether so much has gone out of range that the client is to be told before it moves again.
  [[nodiscard]] bool has_much_to_tell() const { return left_.size() > kMaxLeft; }
  /// Errors: kInvalidArgument for a batch that was never sent.
  Result<void> acknowledge(const v1::Ack& message, Clock::time_point now);

  /// Whether a place is out of view: of what is on its way, nothing is of use there.
  [[nodiscard]] bool is_jump(const Pose& pose) const { return !view_.may_reach(pose); }

  /// What to ask for now, at most `max`: each is owed an answer().
  [[nodiscard]] std::vector<Ask> asks(Clock::time_point now, std::size_t max = 64);
  /// How urgent it is to look at asks(); nothing where there is no room for any now.
  [[nodiscard]] std::optional<schedule::Priority> wants_turn(Clock::time_point now) const;
  /// There was no turn for that: not before a while.
  void put_off(Clock::time_point now);
  /// The chunk underfoot, when it has been asked for as less urgent than it is now.
  [[nodiscard]] std::optional<Tile> more_urgent();
  /// @param chunk  null: as the client has made it
  void answer(std::uint64_t id, Result<codec::EncodedChunk> chunk, Clock::time_point now);
  /// Nothing more is wanted: all that was asked for.
  [[nodiscard]] Stops stop_all();

  void go_away(std::chrono::milliseconds resume_after);
  void change_world(std::optional<WorldFingerprint> now);

  /// Keeps chunks back while all viewers together have too much on their way, or this one is about
  /// to be elsewhere; other news go out.
  void hold_chunks(bool hold) { held_ = hold; }

  /// Whether a batch is to be sent now, though it may be empty: a sign of life.
  [[nodiscard]] bool worth_a_write(Clock::time_point now) const;
  [[nodiscard]] Batch take_batch(Clock::time_point now);

  /// When to look again at worth_a_write() and asks(), should nothing happen before.
  [[nodiscard]] Clock::time_point look_again_at(Clock::time_point now) const;
  /// kDeadlineExceeded when the client has owed an acknowledgement for too long.
  [[nodiscard]] Result<void> check_acknowledged(Clock::time_point now) const;

  [[nodiscard]] std::size_t outstanding() const { return window_.outstanding(); }
  [[nodiscard]] std::size_t unsent() const { return ready_bytes_; }
  [[nodiscard]] std::size_t asked() const { return asked_.size(); }
  /// Bytes of memory that this holds beside itself, chunks that others hold too among them.
  [[nodiscard]] std::size_t bytes() const;
  /// Chunks that have come in vain, the viewer having moved on; from the beginning.
  [[nodiscard]] std::uint64_t wasted() const { return wasted_; }

 private:
  struct Asked {
    std::uint64_t id = 0;
    Tile tile;
    schedule::Priority priority = schedule::Priority::kView;
    std::stop_source stop;
  };
  struct Ready {
    double urgency = 0;
    Tile tile;
    codec::EncodedChunk chunk;
  };

  // squares of 8 x 8 tiles out of range that the client has not been told of
  static constexpr std::size_t kMaxLeft = 4096;

  void take_rows(TileList& list, const explore::TileBlock& block, std::size_t& budget,
                 Stops& stops);
  void drop(const Tile& tile, Stops& stops);
  void rank_ready();
  void note_underfoot();
  void note_lacking(Clock::time_point now);
  void refused(Clock::time_point now);
  [[nodiscard]] Tile underfoot() const;
  [[nodiscard]] schedule::Priority priority_of(const Tile& tile) const;
  [[nodiscard]] std::size_t room_to_ask() const;
  [[nodiscard]] std::vector<Ask> asks_to_judge(std::size_t max);
  [[nodiscard]] bool may_send_chunks() const;
  [[nodiscard]] bool has_news() const;
  [[nodiscard]] Clock::time_point left_until() const;
  [[nodiscard]] Clock::time_point silent_until() const;
  void add_chunks(Batch& batch, Clock::time_point now);
  void add_out_of_range();

  const ExplorePace pace_;
  const int chunk_size_;
  const bool judges_;
  std::deque<MadeChunk> made_;  // to be asked for
  explore::View view_;
  explore::SendWindow window_;
  Pose pose_;
  std::minstd_rand random_;

  std::vector<Asked> asked_;
  std::vector<Ready> ready_;  // the most urgent last
  std::size_t ready_bytes_ = 0;
  Clock::time_point ready_since_;  // when the first of these came
  std::uint64_t next_id_ = 1, wasted_ = 0;
  // how many chunks may be asked for or ready: fewer where the server is overloaded
  std::size_t depth_;
  double typical_bytes_ = 4080;  // of a chunk lately; at first, one page of the cache's file
  int put_off_ = 0;              // times in a row
  int turns_put_off_ = 0;        // the same, while it hurries
  Clock::time_point turn_at_;    // a turn is not wanted before, not even where it hurries
  Clock::time_point ask_at_;     // not before, but for
  // ... one chunk: the one underfoot after a jump, which nobody refuses lightly
  bool hurries_ = false;
  std::optional<Clock::time_point> lacking_since_;  // since when there is no chunk underfoot
  v1::ExploreResponse news_;                        // besides chunks and failures
  std::string failures_;                            // that the client has not been told, serialised
  bool held_ = false;
  std::deque<explore::Octet> left_;  // out of range, which the client has not been told
  Clock::time_point left_at_;        // when the first of these left
  std::uint64_t move_ = 0, batch_ = 0;
  bool jumped_ = false;  // which the client has not been told
  Clock::time_point written_at_;
};

}  // namespace terrane::rpc
