#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "rpc/limits.h"
#include "terrane/mutex.h"
#include "worlds/live_catalog.h"
#include "worlds/world_catalog.h"

namespace terrane::http {

/// What a page holds, and what tells whether it has changed: to hash megabytes takes milliseconds.
struct WorldPage {
  explicit WorldPage(std::string text);

  std::shared_ptr<const std::string> body;
  std::string etag;  // quoted
};

/// What the pages of each world hold, made once for as long as the world is on offer: with
/// thousands of places that takes ten milliseconds, and viewers ask twice a second. So is the list
/// of all. Thread-safe.
class WorldPages {
 public:
  explicit WorldPages(const rpc::Limits& limits) : limits_(limits) {}

  /// A ListWorldsResponse as JSON, of worlds that anybody may know of. Blocks: as json().
  [[nodiscard]] WorldPage list(const worlds::LiveCatalog::Snapshot& worlds);
  /// A GetWorldResponse as JSON. Blocks: while another one is being made.
  [[nodiscard]] WorldPage json(const worlds::WorldPtr& world);
  /// The same as bytes, with the compiled world and without limits. Blocks: as json().
  [[nodiscard]] WorldPage file(const worlds::WorldPtr& world);

 private:
  struct Known {
    std::weak_ptr<const worldgen::World> world;
    std::optional<WorldPage> json, file;  // none: not asked for yet
  };

  [[nodiscard]] Known& known(const worlds::WorldPtr& world) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const rpc::Limits limits_;
  Mutex mutex_;
  std::weak_ptr<const worlds::WorldCatalog> listed_ ABSL_GUARDED_BY(mutex_);
  std::optional<WorldPage> list_ ABSL_GUARDED_BY(mutex_);  // of those
  std::map<const worldgen::World*, Known> known_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace terrane::http
