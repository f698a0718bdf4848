#pragma once

#include <memory>
#include <optional>

#include "local_viewer.h"
#include "lock.h"
#include "streamed_viewer.h"

namespace terrane::core {

/// The land around one viewer, made in this process, and judged by a server: about once a second
/// one chunk of it. Once one is another than the server's, the land is streamed, and what was made
/// here stays until it is replaced or left behind. Threads: any, as of its two parts.
class JudgedViewer {
 public:
  using TimePoint = StreamedViewer::TimePoint;

  /// @param options  as check() accepts them, decoded; the world's fingerprint is pinned
  /// @param clock    as of LocalViewer
  JudgedViewer(std::shared_ptr<const worldgen::World> world, ExploreOptions options,
               LocalViewer::Clock clock = nullptr);

  [[nodiscard]] StreamedViewer& stream() { return stream_; }
  [[nodiscard]] const StreamedViewer& stream() const { return stream_; }

  /// Errors: those of Explorer::move.
  [[nodiscard]] Result<void> move(const Pose& pose, TimePoint now);

  /// Makes the chunk that is needed most, and has one judged. @return false if there is none to be
  /// made now
  bool work();

  /// Threads: one at a time, as has_news() is.
  [[nodiscard]] ExploreNews take_news();
  [[nodiscard]] bool has_news() const;
  /// The server's, where it has sent one.
  [[nodiscard]] std::shared_ptr<const Chunk> chunk(const Tile& tile) const;
  [[nodiscard]] ExploreStats stats() const;

 private:
  [[nodiscard]] std::shared_ptr<const Chunk> to_be_judged();

  LocalViewer local_;
  StreamedViewer stream_;
  Mutex mutex_;
  std::optional<ExploreNews> news_;       // of the stream, while there is no memory for the others
  std::optional<Tile> judged_underfoot_;  // guarded by mutex_: which was the last
};

}  // namespace terrane::core
