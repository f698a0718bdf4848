#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "explore/view_range.h"
#include "explore_messages.h"
#include "held_chunks.h"
#include "jump_timing.h"
#include "reconnect_timing.h"
#include "terrane/explorer.h"

namespace terrane::client {

/// The client's side of Explore: poses and bytes of the server in; bytes for the server and news
/// for the game out. Knows what the viewer has, what to say next, and when to open a stream anew.
/// No I/O, no threads, no clock: time and chance are the caller's. tests/golden/explore holds
/// conversations that it, and every other client, replays byte for byte. Threads: one at a time.
class ExploreClient {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  using Milliseconds = std::chrono::milliseconds;

  /// @param options  as Client::explore has checked them
  /// @param makes_chunks  the viewer makes its chunks itself, of the world that the options pin,
  ///                      and the server judges some; until one is another than the server's
  explicit ExploreClient(ExploreOptions options, bool makes_chunks = false);

  // The game's side.

  /// Errors: those of Explorer::move.
  [[nodiscard]] Result<void> move(const Pose& pose, TimePoint now);
  [[nodiscard]] bool has_pose() const { return move_number_ > 0; }
  [[nodiscard]] std::shared_ptr<const Chunk> chunk(const Tile& tile) const {
    return chunks_.find(tile);
  }
  [[nodiscard]] ExploreStats stats() const;
  [[nodiscard]] bool has_news() const;
  [[nodiscard]] ExploreNews take_news();

  /// Whether the viewer makes its chunks itself, and may go on.
  [[nodiscard]] bool makes_chunks() const {
    return makes_chunks_ && state() != ExploreState::kEnded;
  }
  /// Whether there is room for one that is to be judged; a newer one takes an older one's place.
  [[nodiscard]] bool wants_made() const { return makes_chunks() && !made_; }
  void made(const Tile& tile, std::uint32_t hash) { made_ = {tile, hash}; }

  // The connection's side.

  /// Whether to open a stream now.
  [[nodiscard]] bool is_stream_due(TimePoint now) const {
    return has_pose() && reconnect_timing_.is_due(now);
  }
  /// region_at() where the viewer is. As has_pose().
  [[nodiscard]] std::string region() const;
  /// Whether that stream is to wait for the connection rather than fail at once.
  [[nodiscard]] bool waits_for_connection() const { return reconnect_timing_.has_failed(); }

  /// A stream is opened: its first message will say all over again.
  void open_stream();

  /// What the first message of each stream says of who this is; empty: nothing, where the host's
  /// connection says it.
  void set_token(std::string token) { token_ = std::move(token); }

  /// The ExploreRequest to send now; none: nothing. One is to be sent before the next is asked for.
  [[nodiscard]] std::optional<std::string> next_message(TimePoint now);

  /// A chunk that came and that the viewer does not have: it is to be decoded and handed back.
  struct ReceivedChunk {
    Tile tile;
    std::string_view encoded;  // a part of the message
    int size = 0;              // samples along one edge, as the server said at first
  };

  /// Takes in an ExploreResponse. Each of the chunks that it returns is owed an arrive() or a
  /// fail_chunk(), and the message then a finish_message(), before the next message is taken in.
  /// Errors: kDataLoss for what no server sends, kFailedPrecondition for another world than before;
  /// the stream is to be ended then, and there will be no other.
  [[nodiscard]] Result<std::vector<ReceivedChunk>> receive(std::string_view bytes, TimePoint now);

  /// @param took  what it took to decode the chunk; 0: it was not
  void arrive(ArrivedChunk arrived, std::chrono::nanoseconds took, TimePoint now);
  void fail_chunk(FailedChunk failed);
  void finish_message() { finished_ = received_; }

  /// Whether the stream is to be closed: the server waits for that, or another one is needed.
  [[nodiscard]] bool is_ending() const { return ending_; }

  /// The stream has ended. For some errors that is final.
  /// @param pushback  how long the server asks to wait; negative: do not come back
  /// @param jitter    random number in [0, 1)
  void end_stream(Error error, std::optional<Milliseconds> pushback, TimePoint now, double jitter);

  /// Whether the server has been silent for so long, `silence()`, that it must be gone.
  [[nodiscard]] bool is_overdue(TimePoint now) const { return reconnect_timing_.is_overdue(now); }
  [[nodiscard]] Milliseconds silence() const { return reconnect_timing_.silence(); }

  /// When to ask is_stream_due() and is_overdue() again though nothing has happened; none: no need.
  [[nodiscard]] std::optional<TimePoint> next_look() const;

  [[nodiscard]] ExploreState state() const { return reconnect_timing_.state(); }

 private:
  // in explore_hello.cpp: what the server is told that the viewer has
  [[nodiscard]] std::string hello();
  [[nodiscard]] std::vector<explore::TileBlock> take_untold();
  [[nodiscard]] Result<std::vector<ReceivedChunk>> take_in(const ResponseMessage& response,
                                                           TimePoint now);
  [[nodiscard]] Result<void> check_order(const ResponseMessage& response) const;
  [[nodiscard]] Result<void> receive_welcome(const WelcomeMessage& welcome);
  [[nodiscard]] Result<void> receive_out_of_range(const ResponseMessage& response);
  [[nodiscard]] Result<void> receive_failures(const ResponseMessage& response);
  [[nodiscard]] Result<std::vector<ReceivedChunk>> receive_chunks(const ResponseMessage& response);
  [[nodiscard]] Result<Tile> check_tile(const WireTile& tile, const char* did) const;
  [[nodiscard]] std::optional<std::string> next_made(TimePoint now);
  [[nodiscard]] Result<void> check_room(std::size_t coming) const;
  [[nodiscard]] bool was_welcomed() const { return range_.chunk_size() > 0; }
  [[nodiscard]] bool owes_ack() const {
    return finished_ > acknowledged_ && chunks_.waiting() <= options_.max_waiting;
  }

  ExploreOptions options_;
  std::string token_;
  explore::ViewRange range_;
  HeldChunks chunks_;
  ReconnectTiming reconnect_timing_;
  std::vector<FailedChunk> failed_;
  bool world_changed_ = false;
  bool ending_ = false;  // of this stream
  ExploreState told_state_ = ExploreState::kConnecting;
  std::optional<Error> told_error_;
  ExploreStats stats_;
  JumpTiming jump_timing_;
  double decode_ns_ = 0;  // a chunk, lately

  bool makes_chunks_;
  std::optional<std::pair<Tile, std::uint32_t>> made_;  // what the server is to judge next
  TimePoint made_at_ = TimePoint::min();                // not before
  std::optional<Tile> difference_;                      // that the game has not been told of

  std::uint64_t move_number_ = 0;
  bool move_due_ = false;
  std::set<Tile> untold_;  // what is held and the server does not know of

  // Of the stream that is under way:
  bool said_hello_ = false;
  bool welcomed_ = false;
  bool last_was_move_ = false;
  std::uint64_t received_ = 0;      // batch
  std::uint64_t finished_ = 0;      // batch
  std::uint64_t acknowledged_ = 0;  // batch
};

}  // namespace terrane::client
