#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "explore/view.h"
#include "held_chunks.h"
#include "lock.h"
#include "terrane/explorer.h"
#include "worldgen/world.h"

namespace terrane::core {

/// The land around one viewer, made in this process: what an Explore stream's two sides do
/// together, without a server. Threads: any; each is held up for moments only, but for work().
class LocalViewer {
 public:
  /// @param options  as client::check() accepts them
  LocalViewer(std::shared_ptr<const worldgen::World> world, ExploreOptions options);

  /// Errors: those of Explorer::move.
  [[nodiscard]] Result<void> move(const Pose& pose);

  /// Makes the chunk that is needed most. @return false if there is none to be made now
  bool work();

  [[nodiscard]] ExploreNews take_news();
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
  [[nodiscard]] std::optional<Tile> next();
  void finish(const Tile& tile, std::shared_ptr<const Chunk> chunk);

  const std::shared_ptr<const worldgen::World> world_;
  const ExploreOptions options_;

  mutable Mutex mutex_;
  explore::View view_;        // guarded by mutex_, and so are the others
  explore::ViewRange range_;  // what is in view of the same pose
  client::HeldChunks chunks_;
  bool has_pose_ = false;
  bool is_behind_ = false;  // a move has not been able to drop all that it left behind
  bool is_stopped_ = false;
  std::optional<Tile> newest_;
};

}  // namespace terrane::core
