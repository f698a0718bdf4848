#pragma once

#include <chrono>
#include <memory>

#include "terrane/explorer.h"

namespace terrane {

/// An Explorer, whatever carries its bytes: functions as the Explorer's. Threads: one at a time,
/// but for those of the carrier.
class Explorer::Impl {
 public:
  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  virtual ~Impl() = default;

  virtual Result<void> move(const Pose& pose) = 0;
  [[nodiscard]] virtual ExploreNews poll() = 0;
  virtual bool wait(std::chrono::milliseconds timeout) = 0;
  [[nodiscard]] virtual std::shared_ptr<const Chunk> chunk(const Tile& tile) const = 0;
  [[nodiscard]] virtual ExploreStats stats() const = 0;

  /// Before the destructor, last. @return false if this may not be destroyed
  [[nodiscard]] virtual bool close() = 0;
};

}  // namespace terrane
