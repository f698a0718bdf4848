// Sets of tiles in messages, and the rule of what is in range that they are bounded by.
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "explore/tile_blocks.h"
#include "explore/view_range.h"
#include "terrane/explore_limits.h"

namespace terrane::explore {
namespace {

constexpr int kSize = 64;

std::set<Tile> tiles_of(const std::vector<TileBlock>& blocks) {
  EXPECT_TRUE(check_blocks(blocks, "blocks"));
  std::set<Tile> tiles;
  for_each_tile(blocks,
                [&](const Tile& tile) { EXPECT_TRUE(tiles.insert(tile).second) << "twice"; });
  return tiles;
}

/// What a message needs for these: at most ten bytes for a number, and a tag for each field.
std::size_t bytes_of(const std::vector<TileBlock>& blocks) {
  std::size_t bytes = 0;
  for (const TileBlock& block : blocks) bytes += 3 + 2 + 2 * 7 + 2 * 2 + 3 + block.bits.size();
  return bytes;
}

/// All tiles in range of a viewer who sees 64 tiles of every level.
std::vector<Tile> widest_view(const Pose& pose) {
  ViewDistances distances;
  distances.fill(kMaxViewDistance);
  ViewRange range(distances);
  range.set_chunk_size(kSize);
  range.set_pose(pose);
  std::vector<Tile> tiles;
  constexpr std::int64_t kReach = kMaxViewDistance + kViewMargin;
  for (Lod lod = 0; lod <= kMaxLod; ++lod) {
    const ChunkCoord at = tile_at(pose, kSize, lod);
    for (std::int64_t y = at.y - kReach; y <= at.y + kReach; ++y) {
      for (std::int64_t x = at.x - kReach; x <= at.x + kReach; ++x) {
        if (range.is_in_range({lod, {x, y}})) tiles.push_back({lod, {x, y}});
      }
    }
  }
  return tiles;
}

TEST(tile_blocks, the_widest_view_fully_held_fits_into_one_message_whatever_its_pattern) {
  for (const Pose& pose : {Pose{.x = 0, .y = 0}, Pose{.x = -1e9 - 17, .y = 123'456'789}}) {
    const std::vector<Tile> all = widest_view(pose);
    EXPECT_GT(all.size(), 200'000u);
    EXPECT_LE(all.size(), kMaxTilesInMessage);
    std::mt19937 random(1);
    std::bernoulli_distribution coin(0.5);
    std::vector<Tile> board, stripes, chance;
    for (const Tile& tile : all) {
      if (((tile.coord.x + tile.coord.y) & 1) == 0) board.push_back(tile);
      if ((tile.coord.x & 1) == 0) stripes.push_back(tile);
      if (coin(random)) chance.push_back(tile);
    }
    for (const auto& held : {all, board, stripes, chance}) {
      const auto blocks = to_blocks(held);
      EXPECT_LT(bytes_of(blocks), 64u * 1024);
      EXPECT_EQ(tiles_of(blocks), (std::set<Tile>{held.begin(), held.end()}));
    }
  }
}

TEST(tile_blocks, one_tile_a_row_and_a_square_have_no_bits) {
  EXPECT_EQ(to_blocks({{3, {-5, 7}}}), (std::vector<TileBlock>{{3, -5, 7, 1, 1, ""}}));
  EXPECT_EQ(to_blocks({{0, {2, 0}}, {0, {1, 0}}, {0, {1, 0}}, {0, {3, 0}}}),
            (std::vector<TileBlock>{{0, 1, 0, 3, 1, ""}}));
  std::vector<Tile> square;
  for (std::int64_t i = 0; i < 4096; ++i) square.push_back({1, {64 + i % 64, -64 + i / 64}});
  EXPECT_EQ(to_blocks(square), (std::vector<TileBlock>{{1, 64, -64, 64, 64, ""}}));
}

TEST(tile_blocks, a_hole_is_a_bit_that_is_not_set_row_by_row_and_the_lowest_bit_first) {
  const std::vector<Tile> ring{{0, {0, 0}}, {0, {1, 0}}, {0, {2, 0}}, {0, {0, 1}},
                               {0, {2, 1}}, {0, {0, 2}}, {0, {1, 2}}, {0, {2, 2}}};
  EXPECT_EQ(to_blocks(ring), (std::vector<TileBlock>{{0, 0, 0, 3, 3, "\xef\x01"}}));
}

TEST(tile_blocks, blocks_are_cut_at_multiples_of_64_and_come_by_level_y_and_x) {
  const auto blocks =
      to_blocks({{1, {0, 0}}, {0, {64, 0}}, {0, {63, 0}}, {0, {-1, 0}}, {0, {0, -1}}});
  ASSERT_EQ(blocks.size(), 5u);
  EXPECT_EQ(blocks[0], (TileBlock{0, 0, -1, 1, 1, ""}));
  EXPECT_EQ(blocks[1], (TileBlock{0, -1, 0, 1, 1, ""}));
  EXPECT_EQ(blocks[2], (TileBlock{0, 63, 0, 1, 1, ""}));
  EXPECT_EQ(blocks[3], (TileBlock{0, 64, 0, 1, 1, ""}));
  EXPECT_EQ(blocks[4], (TileBlock{1, 0, 0, 1, 1, ""}));
}

TEST(tile_blocks, any_set_comes_back_as_it_was) {
  std::mt19937_64 random(3);
  std::uniform_int_distribution<std::int64_t> place(-200, 200);
  std::uniform_int_distribution<int> lod(0, kMaxLod), many(0, 3000);
  for (int round = 0; round < 50; ++round) {
    std::set<Tile> tiles;
    for (int i = many(random); i > 0; --i)
      tiles.insert({static_cast<Lod>(lod(random)), {place(random), place(random)}});
    EXPECT_EQ(tiles_of(to_blocks({tiles.begin(), tiles.end()})), tiles);
  }
}

TEST(tile_blocks, what_may_not_be_is_refused_with_field_value_and_limit) {
  const auto refusal = [](TileBlock block, std::size_t times = 1) {
    const auto checked = check_blocks(std::vector<TileBlock>(times, std::move(block)), "have");
    return checked ? std::string("none")
                   : std::string(to_string(checked.error().code)) + " " + checked.error().message;
  };
  const auto expect = [](const std::string& said, const std::vector<std::string>& words) {
    for (const std::string& word : words) EXPECT_NE(said.find(word), std::string::npos) << said;
  };
  const std::int64_t end = max_chunk_coord(0), far = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(refusal({0, 0, 0, 64, 64, ""}), "none");
  EXPECT_EQ(refusal({0, 0, 0, 0, 0, ""}), "none") << "0 means 1";
  EXPECT_EQ(refusal({0, end, -end, 1, 1, ""}), "none");
  EXPECT_EQ(refusal({0, 0, 0, 3, 3, "\xff\x01"}), "none");
  expect(refusal({0, 0, 0, 65, 1, ""}), {"INVALID_ARGUMENT", "have[0].width = 65", "64"});
  expect(refusal({0, 0, 0, 1, 0xffffffff, ""}),
         {"INVALID_ARGUMENT", "have[0].height = 4294967295"});
  expect(refusal({17, 0, 0, 1, 1, ""}), {"OUT_OF_RANGE", "have[0].lod = 17", "16"});
  expect(refusal({0, end, 0, 2, 1, ""}), {"OUT_OF_RANGE", "have[0].x = 1099511627776"});
  expect(refusal({0, far, 0, 2, 1, ""}), {"OUT_OF_RANGE", "have[0].x"});
  expect(refusal({0, 0, -far - 1, 1, 64, ""}), {"OUT_OF_RANGE", "have[0].y"});
  expect(refusal({0, 0, 0, 3, 3, "\xff"}),
         {"INVALID_ARGUMENT", "have[0].bits = 1 bytes", "2 for 9"});
  expect(refusal({0, 0, 0, 3, 3, "\xff\x03"}), {"INVALID_ARGUMENT", "bit 9"});
  expect(refusal({0, 0, 0, 64, 64, ""}, 74), {"INVALID_ARGUMENT", "have[73]", "300713"});
}

TEST(view_range, a_tile_is_in_range_up_to_two_tiles_out_of_view) {
  ViewDistances distances{};
  distances[0] = 4;
  ViewRange range(distances);
  EXPECT_FALSE(range.is_in_view({0, {0, 0}})) << "the size of chunks is not known";
  range.set_chunk_size(kSize);
  EXPECT_TRUE(range.is_in_view({0, {4, 0}}));
  EXPECT_FALSE(range.is_in_view({0, {5, 0}}));
  EXPECT_TRUE(range.is_in_range({0, {6, 0}}));
  EXPECT_FALSE(range.is_in_range({0, {6, 1}})) << "a disc";
  EXPECT_FALSE(range.is_in_range({1, {0, 0}})) << "a level that is not seen";
  EXPECT_EQ(range.max_tiles(), 169u);
  EXPECT_EQ(range.underfoot(), (Tile{0, {0, 0}}));
}

TEST(tile_blocks, squares_of_eight_make_the_same_blocks_as_their_tiles) {
  std::mt19937_64 random(11);
  std::uniform_int_distribution<std::int64_t> place(-20, 20);
  for (int k = 0; k < 200; ++k) {
    std::vector<Octet> octets;
    std::vector<Tile> tiles;
    for (int i = 0; i < 30; ++i) {
      const Octet octet{static_cast<Lod>(random() % 3),
                        {place(random), place(random)},
                        k % 2 == 0 ? random() & random() : ~std::uint64_t{0}};
      octets.push_back(octet);
      for (int bit = 0; bit < 64; ++bit) {
        if ((octet.bits >> bit & 1) != 0)
          tiles.push_back({octet.lod, tile_in_octet(octet.at, bit)});
      }
    }
    const auto blocks = octets_to_blocks(octets);
    ASSERT_EQ(blocks, to_blocks(tiles));
    for (const TileBlock& block : blocks) {
      std::vector<Tile> by_row, by_tile;
      for (std::uint32_t row = 0; row < block.height; ++row) {
        const std::uint64_t bits = row_of_block(block, row);
        for (int i = 0; i < 64; ++i) {
          if ((bits >> i & 1) != 0)
            by_row.push_back({static_cast<Lod>(block.lod), {block.x + i, block.y + row}});
        }
      }
      for_each_tile({&block, 1}, [&](const Tile& tile) { by_tile.push_back(tile); });
      ASSERT_EQ(by_row, by_tile);
    }
  }
}

}  // namespace
}  // namespace terrane::explore
