#pragma once

#include <map>
#include <memory>
#include <string>

#include "rpc/limits.h"
#include "terrane/mutex.h"
#include "worlds/world_catalog.h"

namespace terrane::http {

/// What the pages of each world hold, made once for as long as the world is on offer: with
/// thousands of places that takes ten milliseconds, and viewers ask twice a second. Thread-safe.
class WorldPages {
 public:
  explicit WorldPages(const rpc::Limits& limits) : limits_(limits) {}

  /// A GetWorldResponse as JSON. Blocks: while another one is being made.
  [[nodiscard]] std::shared_ptr<const std::string> json(const worlds::WorldPtr& world);
  /// The same as bytes, with the compiled world and without limits. Blocks: as json().
  [[nodiscard]] std::shared_ptr<const std::string> file(const worlds::WorldPtr& world);

 private:
  struct Known {
    std::weak_ptr<const worldgen::World> world;
    std::shared_ptr<const std::string> json, file;  // null: not asked for yet
  };

  [[nodiscard]] Known& known(const worlds::WorldPtr& world) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const rpc::Limits limits_;
  Mutex mutex_;
  std::map<const worldgen::World*, Known> known_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace terrane::http
