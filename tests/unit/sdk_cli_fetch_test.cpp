#include <gtest/gtest.h>

#include "cli/fetch.h"
#include "cli/terminal/progress.h"

namespace terrane::cli {
namespace {

/// The chunks of all parts, one after the other, each part in row order.
std::vector<ChunkCoord> row_order_of_parts(const ChunkRectangle& area, std::uint64_t max_chunks) {
  std::vector<ChunkCoord> coords;
  while (coords.size() < *count_chunks(area)) {
    const ChunkRectangle part = part_of(area, coords.size(), max_chunks);
    EXPECT_LE(*count_chunks(part), max_chunks);
    for (std::int64_t y = part.first.y; y <= part.last.y; ++y) {
      for (std::int64_t x = part.first.x; x <= part.last.x; ++x) coords.push_back({x, y});
    }
  }
  return coords;
}

TEST(cli_fetch, parts_cover_a_rectangle_once_in_row_order) {
  for (const ChunkRectangle& area :
       {ChunkRectangle{{-3, -2}, {4, 9}}, ChunkRectangle{{0, 0}, {0, 0}},
        ChunkRectangle{{-7, 5}, {-7, 40}}, ChunkRectangle{{-20, 0}, {20, 2}}}) {
    std::vector<ChunkCoord> expected;
    for (std::int64_t y = area.first.y; y <= area.last.y; ++y) {
      for (std::int64_t x = area.first.x; x <= area.last.x; ++x) expected.push_back({x, y});
    }
    for (const std::uint64_t max_chunks : {1u, 7u, 8u, 16u, 1024u})
      EXPECT_EQ(row_order_of_parts(area, max_chunks), expected) << max_chunks;
  }
}

TEST(cli_fetch, rectangles_that_make_no_sense_are_refused) {
  const std::int64_t edge = max_chunk_coord(0);
  EXPECT_FALSE(count_chunks({{1, 0}, {0, 0}}));
  EXPECT_FALSE(count_chunks({{0, 1}, {0, 0}}));
  EXPECT_FALSE(count_chunks({{-edge - 1, 0}, {0, 0}}));
  EXPECT_FALSE(count_chunks({{-edge, -edge}, {edge, edge}})) << "far too many";
  EXPECT_EQ(count_chunks({{edge, -edge}, {edge, -edge}}), 1u);
}

TEST(cli_fetch, the_progress_line_tells_rate_and_time_left) {
  EXPECT_EQ(progress_line(250, 1000, 2.0),
            "[#####...............] 25 %  250 of 1000, 125/s, 6 s left");
  EXPECT_EQ(progress_line(0, 10, 0.0), "[....................] 0 %  0 of 10");
}

}  // namespace
}  // namespace terrane::cli
