#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/explore/controls.h"
#include "cli/explore/seen_chunks.h"
#include "cli/explore/view.h"
#include "cli/session.h"
#include "cli/terminal/screen.h"
#include "terrane/explorer.h"

namespace terrane::cli {

/// One way through a world: keys and time come in, screens come out, and the land comes from an
/// Explorer, one for each level of detail and size of window. Threads: one at a time.
class ExploreTrip {
 public:
  /// @param session   outlives this
  /// @param controls  with a style that the world has, and a level of detail
  /// @param depth     of the screens' colours
  ExploreTrip(const Session& session, ExploreControls controls, ColorDepth depth);

  void press(const Key& key);

  /// Walks on for some time, and takes in what the server has sent for a window of this size.
  /// Blocks: no. Errors: why the server ended it.
  Result<void> step(double seconds, int columns, int rows);

  /// What is to be seen, of the size that the last step was told.
  [[nodiscard]] Screen screen();

  /// Waits until the server has sent something, or the time is over. Blocks: for that long.
  void wait(std::chrono::milliseconds timeout);

  /// Whether all the land in the window is there.
  [[nodiscard]] bool complete() const;
  [[nodiscard]] bool over() const { return controls_.quit; }

 private:
  Result<void> aim();
  Result<void> take_in();
  void redraw();
  [[nodiscard]] ExploreStatus status() const;
  [[nodiscard]] SampleRectangle window() const;

  /// What the picture of the land depends on.
  struct Drawn {
    SampleRectangle window;
    Lod lod = 0;
    MapStyle style = MapStyle::kRelief;
    bool grid = false;
    std::size_t arrived = 0;  // chunks
    friend bool operator==(const Drawn&, const Drawn&) = default;
  };

  const Session& session_;
  const ColorDepth depth_;
  ExploreControls controls_;
  SeenChunks seen_;
  int columns_ = 0, rows_ = 0;
  std::vector<int> view_distances_;
  std::optional<Explorer> explorer_;
  std::string connection_ = "connecting";
  bool connected_ = false;
  std::size_t arrived_ = 0;  // chunks in all
  double first_ms_ = 0;
  double rate_s_ = 0;  // for how long `rate_chunks_` have been counted
  std::size_t rate_chunks_ = 0;
  double chunks_per_s_ = 0;
  Drawn drawn_;
  Picture map_;
  Exposure exposure_;
  bool settled_ = false;  // whether the exposure is that of this place
};

}  // namespace terrane::cli
