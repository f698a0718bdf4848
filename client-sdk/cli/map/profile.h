#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/map/drawing.h"
#include "terrane/chunk.h"
#include "terrane/world.h"

/// The land seen from the side: samples along a row of blocks, as text or as a picture. Pure
/// functions.
namespace terrane::cli {

/// At most `count` blocks along +x, evenly spread, the first and the last among them; every block
/// where that is fewer.
/// @param from, to  x of the first and the last block, from <= to and within the limits of blocks
/// @param count     at least 2
[[nodiscard]] std::vector<BlockPos> profile_blocks(std::int64_t from, std::int64_t to,
                                                   std::int64_t y, int count);

/// Heights that a plot shows, 1/16 block: all of the ground and water, and some more above and
/// below.
struct HeightSpan {
  std::int64_t low_q4 = 0, high_q4 = 0;  // high is greater
};

/// The lowest ground and the highest ground or water. @param samples  not empty
[[nodiscard]] HeightSpan extremes_of(const World& world, const std::vector<PointSample>& samples);

/// What a picture of them spans: a little more. @param samples  not empty
[[nodiscard]] HeightSpan span_of(const World& world, const std::vector<PointSample>& samples);

/// One character a sample: '#' ground, '~' water, ' ' air. Heights, in blocks, stand before the
/// first row, the last, and the one of the sea's surface; below are the first and the last x.
/// @param samples  not empty, one a column
/// @param rows     at least 2
[[nodiscard]] std::string plot_profile(const World& world, const std::vector<PointSample>& samples,
                                       std::int64_t from, std::int64_t to, int rows);

/// Characters before each row of plot_profile.
inline constexpr int kProfileMargin = 9;

/// One pixel a sample across; the ground in its biome's colour, darker below.
/// @param samples  not empty
/// @param height   pixels, at least 2
[[nodiscard]] Picture draw_profile(const World& world, const std::vector<PointSample>& samples,
                                   int height);

}  // namespace terrane::cli
