#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "held_chunks.h"
#include "sight.h"
#include "terrane/explorer.h"
#include "terrane/v1/explore.pb.h"

namespace terrane::client {

/// What is known of one Explorer: where the viewer is, what it has, what to say to the server next,
/// what to tell the game. No gRPC, no threads, no clock: time is the caller's. What comes from the
/// server is checked; after an error the stream is not to be used any more. Threads: one at a time.
class ExploreBook {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  /// @param options  as Client::explore has checked them
  explicit ExploreBook(ExploreOptions options);

  // The game's side.

  /// Errors: those of Explorer::move.
  [[nodiscard]] Result<void> move(const Pose& pose, TimePoint now);
  [[nodiscard]] bool has_pose() const { return move_number_ > 0; }
  [[nodiscard]] std::shared_ptr<const Chunk> chunk(const Tile& tile) const {
    return chunks_.find(tile);
  }
  [[nodiscard]] ExploreStats stats() const;  // all but reconnects
  [[nodiscard]] bool has_news() const;
  void tell(ExploreNews& news);  // all but its state

  // The stream's side.

  /// A new stream: its first message will say all over again.
  void begin_stream();

  /// What to say now; none: nothing. One is to be sent before the next is asked for.
  [[nodiscard]] std::optional<v1::ExploreRequest> next_message();
  [[nodiscard]] bool said_hello() const { return said_hello_; }

  /// Takes in all of a response but its chunks. Errors: kDataLoss for what no server sends,
  /// kFailedPrecondition for another world than before.
  [[nodiscard]] Result<void> receive(const v1::ExploreResponse& response);

  /// Takes note of a chunk that came. Errors: kDataLoss.
  /// @return the tile if it is worth decoding; none: the viewer has it
  [[nodiscard]] Result<std::optional<Tile>> expect(const v1::Chunk& chunk);

  /// What became of it. @param took  0: not decoded
  void arrive(ArrivedChunk arrived, std::chrono::nanoseconds took, TimePoint now);
  void fail_chunk(FailedChunk failed);

  /// All chunks of a batch have been dealt with.
  void finish_batch(std::uint64_t batch) { finished_ = batch; }

  /// Whether some stream was answered: later ones pin its fingerprint.
  [[nodiscard]] bool was_welcomed() const { return sight_.chunk_size() > 0; }

 private:
  [[nodiscard]] v1::ExploreRequest hello();
  [[nodiscard]] v1::Move move_message();
  [[nodiscard]] Result<void> receive_welcome(const v1::ExploreResponse& response);
  [[nodiscard]] Result<void> receive_out_of_range(const v1::ExploreResponse& response);
  [[nodiscard]] Result<void> receive_failures(const v1::ExploreResponse& response);
  [[nodiscard]] Result<void> check_room() const;
  void note_jump(const std::optional<Tile>& from, TimePoint now);
  void note_underfoot(TimePoint now);
  [[nodiscard]] bool owes_ack() const {
    return finished_ > acknowledged_ && chunks_.waiting() <= options_.most_waiting;
  }

  ExploreOptions options_;
  Sight sight_;
  HeldChunks chunks_;
  std::vector<FailedChunk> failed_;
  bool world_changed_ = false;
  ExploreStats stats_;
  std::optional<TimePoint> jumped_;  // while the chunk underfoot has not come
  double decode_ns_ = 0;             // a chunk, lately

  std::uint64_t move_number_ = 0;
  bool move_due_ = false;
  std::set<Tile> have_;  // what the next Move says that the viewer has

  // Of the stream that is under way:
  bool said_hello_ = false;
  bool welcomed_ = false;
  bool last_was_move_ = false;
  std::uint64_t received_ = 0;      // batch
  std::uint64_t finished_ = 0;      // batch
  std::uint64_t acknowledged_ = 0;  // batch
};

}  // namespace terrane::client
