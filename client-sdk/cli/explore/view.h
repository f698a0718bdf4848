#pragma once

#include <chrono>
#include <string>

#include "cli/explore/controls.h"
#include "cli/explore/seen_chunks.h"
#include "cli/map/drawing.h"
#include "cli/terminal/screen.h"
#include "terrane/explorer.h"
#include "terrane/world.h"

/// What somebody sees who explores a world: pure functions from values to cells.
namespace terrane::cli {

/// Rows of text below the map, in a window of so many rows.
[[nodiscard]] int status_rows(int rows);

/// The samples that a window of so many cells shows, two a cell, one above the other: the block
/// `middle` is in the upper half of the cell in the middle.
[[nodiscard]] SampleRectangle window_samples(int columns, int rows, BlockPos middle, Lod lod);

/// The samples of `window` and those around it whose chunks are needed to draw it.
[[nodiscard]] SampleRectangle with_apron(const SampleRectangle& window);

/// How much slopes are exaggerated: follows the land slowly, so that light and shade do not jump
/// while somebody walks.
class Exposure {
 public:
  /// @param wanted  MapGrid::exaggeration
  /// @param anew    another place altogether, or another level of detail: no need to be slow
  double follow(double wanted, bool anew);

 private:
  double now_ = 1;
};

/// The land in a window: what is not there yet is hatched.
/// @param grid    of with_apron(window)
/// @param border  samples between the borders of chunks that are drawn; 0: none
[[nodiscard]] Picture draw_window(const MapGrid& grid, const SampleRectangle& window,
                                  double exaggeration, int border,
                                  ColorDepth depth = ColorDepth::kTrue);

/// What the lines below the map say.
struct ExploreStatus {
  BlockPos block;
  std::string biome;   // under the viewer's feet; empty: not known yet
  std::string height;  // the same
  std::string pace;    // "walking 30 blocks/s"
  Lod lod = 0;
  std::string_view style;
  SeenChunks::Count chunks;
  double chunks_per_s = 0;
  double first_ms = 0;  // from the last jump to the chunk underfoot; 0: not known
  std::string connection;
  bool connected = false;
};

/// The words about the ground: "12.5 above the sea".
[[nodiscard]] std::string height_words(const SeenChunks::GroundSample& ground, const World& world);

/// All of the window.
/// @param map  two pixels a cell: columns x 2 (rows - status_rows(rows))
[[nodiscard]] Screen draw_screen(int columns, int rows, const Picture& map,
                                 const ExploreControls& controls, const ExploreStatus& status);

}  // namespace terrane::cli
