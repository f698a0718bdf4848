#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "explore/view.h"
#include "held_chunks.h"
#include "jump_timing.h"
#include "lock.h"
#include "terrane/explorer.h"
#include "terrane/result.h"
#include "worldgen/world.h"

namespace terrane::core {

/// What may be wanted of land that is made here, of which the world's name counts for nothing.
/// Errors: kInvalidArgument names the option, its value and the limit; kFailedPrecondition when
/// another world is pinned.
[[nodiscard]] Result<void> check(const ExploreOptions& options, const worldgen::World& world);

/// The land around one viewer, made in this process: what an Explore stream's two sides do
/// together, without a server. Threads: any; each is held up for moments only, but for work().
class LocalViewer {
 public:
  using TimePoint = client::JumpTiming::TimePoint;
  /// What tells the time of move(), which this library does not ask for by itself.
  using Clock = TimePoint (*)();

  /// @param options  as check() accepts them
  /// @param clock    null: stats() tell of no times
  LocalViewer(std::shared_ptr<const worldgen::World> world, ExploreOptions options,
              Clock clock = nullptr);

  /// Returns at once: work() follows. Errors: those of Explorer::move.
  [[nodiscard]] Result<void> move(const Pose& pose, TimePoint now);

  /// Follows the viewer, and makes the chunk that is needed most.
  /// @return false if there is none to be made now
  bool work();

  [[nodiscard]] ExploreNews take_news();
  [[nodiscard]] bool has_news() const;
  [[nodiscard]] std::shared_ptr<const Chunk> chunk(const Tile& tile) const;
  [[nodiscard]] ExploreStats stats() const;
  /// Adds what has arrived and what is out of range.
  void add_news(ExploreNews& news);

  /// The chunk of the finest level that holds the viewer; null: it has not been made.
  [[nodiscard]] std::shared_ptr<const Chunk> underfoot() const;
  /// The chunk made last; null: that was taken before, or has left.
  [[nodiscard]] std::shared_ptr<const Chunk> take_newest();

  /// Makes no more, and tells of no more; what it has told of is out of range as before.
  void stop();
  /// It has not made this one: it was replaced.
  void forget(const Tile& tile);

 private:
  struct Move {
    Pose pose;
    TimePoint now;
  };
  [[nodiscard]] std::optional<Tile> next();
  void follow();
  void follow(const Move& move);
  [[nodiscard]] ArrivedChunk make(const Tile& tile) const;
  void finish(ArrivedChunk made);

  const std::shared_ptr<const worldgen::World> world_;
  const ExploreOptions options_;
  const Clock clock_;

  Mutex move_mutex_;          // for moments only: the game's frame waits for it
  std::optional<Move> move_;  // guarded by it: the latest, while nobody has followed it
  mutable Mutex mutex_;       // may be had with move_mutex_ after it
  explore::View view_;        // guarded by mutex_, and so are the others
  explore::ViewRange range_;  // what is in view of the same pose
  client::HeldChunks chunks_;
  bool has_pose_ = false;
  bool is_behind_ = false;  // a move has not been followed to its end
  bool is_stopped_ = false;
  std::optional<Tile> newest_;
  client::JumpTiming jump_timing_;
  ExploreStats stats_;
};

}  // namespace terrane::core
