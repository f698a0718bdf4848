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
};

}  // namespace terrane::core
