#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "admin/area_order.h"

namespace terrane::admin {
namespace {

TEST(AreaOrder, has_every_chunk_of_every_level_once) {
  const ChunkArea area{{-70, -3}, {33, 66}};
  const AreaOrder order(area, {0, 3});
  std::set<Tile> seen;
  for (std::uint64_t i = 0; i < order.size(); ++i) {
    const Tile tile = order.at(i);
    EXPECT_TRUE(seen.insert(tile).second) << i;
    const std::int64_t span = std::int64_t{1} << tile.lod;
    EXPECT_GE((tile.coord.x + 1) * span - 1, area.from.x);
    EXPECT_LE(tile.coord.x * span, area.to.x);
    EXPECT_GE((tile.coord.y + 1) * span - 1, area.from.y);
    EXPECT_LE(tile.coord.y * span, area.to.y);
  }
  EXPECT_EQ(seen.size(), 104u * 70 + 14 * 10);
}

TEST(AreaOrder, keeps_neighbours_together) {
  const AreaOrder order({{0, 0}, {1'000'000, 1'000'000}}, {0});
  for (std::uint64_t i = 1; i < 1024; ++i) {
    EXPECT_LT(order.at(i).coord.x, 32);
    EXPECT_LT(order.at(i).coord.y, 32);
  }
  const Tile last = order.at(order.size() - 1);
  EXPECT_EQ(last.coord, (ChunkCoord{1'000'000, 1'000'000}));
}

TEST(AreaOrder, reaches_from_one_end_of_the_world_to_the_other) {
  const std::int64_t edge = max_chunk_coord(0);
  const AreaOrder order({{-edge, edge}, {edge - 1, edge}}, {0, kMaxLod});
  EXPECT_EQ(order.at(0).coord, (ChunkCoord{-edge, edge}));
  EXPECT_EQ(order.at(2 * static_cast<std::uint64_t>(edge) - 1).coord, (ChunkCoord{edge - 1, edge}));
  EXPECT_EQ(order.at(order.size() - 1), (Tile{kMaxLod, {(edge - 1) >> kMaxLod, edge >> kMaxLod}}));
}

}  // namespace
}  // namespace terrane::admin
