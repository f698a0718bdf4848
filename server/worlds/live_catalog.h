#pragma once

#include <memory>
#include <utility>

#include "terrane/mutex.h"
#include "worlds/world_catalog.h"

namespace terrane::worlds {

/// The worlds on offer now: an immutable catalogue that can be exchanged while requests run. Who
/// works with one keeps it, and the worlds in it, for as long as it likes. Thread-safe; no call
/// blocks for longer than it takes to copy a pointer.
class LiveCatalog {
 public:
  using Snapshot = std::shared_ptr<const WorldCatalog>;

  explicit LiveCatalog(WorldCatalog worlds)
      : worlds_(std::make_shared<const WorldCatalog>(std::move(worlds))) {}

  /// Never null.
  [[nodiscard]] Snapshot now() const {
    const MutexLock lock(mutex_);
    return worlds_;
  }

  /// From here on now() gives these.
  void exchange(WorldCatalog worlds) {
    auto next = std::make_shared<const WorldCatalog>(std::move(worlds));
    const MutexLock lock(mutex_);
    worlds_.swap(next);  // what was there is freed outside of the lock
  }

 private:
  mutable Mutex mutex_;
  Snapshot worlds_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace terrane::worlds
