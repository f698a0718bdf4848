#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "cli/map/drawing.h"
#include "terrane/chunk.h"
#include "terrane/coord.h"
#include "terrane/world.h"

namespace terrane::cli {

/// Chunks of all levels of detail that a viewer has met, as many as memory is allowed for; the
/// nearest stay. Threads: one at a time.
class SeenChunks {
 public:
  /// @param world  outlives this
  explicit SeenChunks(const World& world);

  /// @param viewer  what is far from here makes room
  void add(const Tile& tile, std::shared_ptr<const Chunk> chunk, BlockPos viewer);

  /// A rectangle of samples, drawn from what is there: of this level of detail, else of finer ones,
  /// else of coarser ones.
  [[nodiscard]] MapGrid grid(const SampleRectangle& area, Lod lod, MapStyle style) const;

  /// How many chunks of a level of detail a rectangle of its samples touches, and how many of these
  /// are there.
  struct Count {
    std::size_t present = 0;
    std::size_t wanted = 0;
    friend bool operator==(const Count&, const Count&) = default;
  };
  [[nodiscard]] Count count(const SampleRectangle& area, Lod lod) const;

  /// What is known of a block: its sample in the finest chunk there is, or the nearest sample
  /// before it.
  struct GroundSample {
    std::uint8_t biome = 0;
    std::int32_t height_q4 = 0;
    std::int32_t water_q4 = kNoWater;
  };
  [[nodiscard]] std::optional<GroundSample> ground(BlockPos block) const;

 private:
  void make_room(BlockPos viewer);

  const World& world_;
  const std::size_t max_chunks_;
  std::map<Tile, std::shared_ptr<const Chunk>> chunks_;
};

/// How far an Explorer has to see so that a window is filled with chunks of `lod`, within two rings
/// of coarser ones: what ExploreOptions::view_distances wants.
/// @param width, height  of the window in samples, the viewer in its middle
[[nodiscard]] std::vector<int> view_distances(int width, int height, Lod lod, const World& world);

}  // namespace terrane::cli
