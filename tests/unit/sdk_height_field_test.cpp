#include <gtest/gtest.h>

#include "terrane/height_field.h"

namespace terrane {
namespace {

constexpr int kSize = 16;

std::int32_t height_at(std::int64_t x, std::int64_t y) {
  return static_cast<std::int32_t>(x * 1000 + y);
}

/// A chunk whose heights tell their blocks.
std::shared_ptr<const Chunk> land(const Tile& tile) {
  auto chunk = std::make_shared<Chunk>();
  chunk->coord = tile.coord;
  chunk->lod = tile.lod;
  chunk->size = kSize;
  const BlockPos origin = chunk_origin(tile.coord, kSize, tile.lod);
  for (std::int64_t j = 0; j < kSize; ++j) {
    for (std::int64_t i = 0; i < kSize; ++i) {
      chunk->height_q4.push_back(height_at(origin.x + (i << tile.lod), origin.y + (j << tile.lod)));
    }
  }
  return chunk;
}

TEST(height_field, every_sample_is_the_worlds_at_its_block_across_chunk_borders) {
  for (const Lod lod : {Lod{0}, Lod{2}}) {
    for (const int across : {1, 3}) {
      const auto field = stitch_heights(land, {lod, {-2, -1}}, across);
      ASSERT_TRUE(field);
      ASSERT_EQ(field->size, across * kSize + 1);
      ASSERT_EQ(field->spacing, 1 << lod);
      EXPECT_EQ(field->origin, chunk_origin({-2, -1}, kSize, lod));
      ASSERT_EQ(field->heights_q4.size(), static_cast<std::size_t>(field->size * field->size));
      for (int j = 0; j < field->size; ++j) {
        for (int i = 0; i < field->size; ++i) {
          ASSERT_EQ(field->heights_q4[static_cast<std::size_t>(j * field->size + i)],
                    height_at(field->origin.x + std::int64_t{i} * field->spacing,
                              field->origin.y + std::int64_t{j} * field->spacing));
        }
      }
    }
  }
}

TEST(height_field, needs_every_chunk_that_it_touches) {
  for (const ChunkCoord missing :
       {ChunkCoord{0, 0}, ChunkCoord{2, 0}, ChunkCoord{0, 2}, ChunkCoord{2, 2}}) {
    const auto lookup = [missing](const Tile& tile) {
      return tile.coord == missing ? nullptr : land(tile);
    };
    EXPECT_FALSE(stitch_heights(lookup, {0, {0, 0}}, 2));
  }
  EXPECT_TRUE(stitch_heights(
      [](const Tile& tile) { return tile.coord.x > 2 || tile.coord.y > 2 ? nullptr : land(tile); },
      {0, {0, 0}}, 2));
}

TEST(height_field, chunks_that_do_not_fit_give_no_field) {
  const auto mixed = [](const Tile& tile) {
    auto chunk = std::make_shared<Chunk>(*land(tile));
    if (tile.coord.x == 1) chunk->size = 32, chunk->height_q4.resize(1024);
    return chunk;
  };
  EXPECT_FALSE(stitch_heights(mixed, {0, {0, 0}}));
  EXPECT_FALSE(
      stitch_heights([](const Tile&) { return std::make_shared<const Chunk>(); }, {0, {0, 0}}));
  EXPECT_FALSE(stitch_heights(land, {0, {0, 0}}, 0)) << "no chunks";
  EXPECT_FALSE(stitch_heights(land, {0, {0, 0}}, 1 << 30)) << "too many to count the samples of";
}

}  // namespace
}  // namespace terrane
