#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "cli/query/world_hash.h"
#include "codec/chunk_hash.h"

namespace terrane::cli {
namespace {

using codec::hash_chunk;

const ChunkRectangle kArea{{-3, -2}, {4, 5}};

Chunk chunk_at(ChunkCoord coord) {
  Chunk chunk;
  chunk.coord = coord;
  chunk.size = 16;
  for (int i = 0; i < 256; ++i) {
    chunk.height_q4.push_back(static_cast<std::int32_t>(coord.x * 700 + coord.y * 30 - i));
    chunk.temperature_d.push_back(static_cast<std::int16_t>(coord.x - i));
    chunk.humidity_d.push_back(static_cast<std::int16_t>(i));
    chunk.biome.push_back(static_cast<std::uint8_t>(i / 16));
  }
  return chunk;
}

std::vector<Chunk> all_chunks() {
  std::vector<Chunk> chunks;
  for (std::int64_t y = kArea.first.y; y <= kArea.last.y; ++y) {
    for (std::int64_t x = kArea.first.x; x <= kArea.last.x; ++x) chunks.push_back(chunk_at({x, y}));
  }
  return chunks;
}

std::uint64_t hash_of(const std::vector<Chunk>& chunks) {
  RowOrderHash hash(kArea);
  for (const Chunk& chunk : chunks) hash.add(chunk.coord, hash_chunk(chunk));
  return hash.value();
}

TEST(cli_hash, the_order_of_arrival_makes_no_difference) {
  auto chunks = all_chunks();
  const std::uint64_t expected = hash_of(chunks);
  std::minstd_rand random(1);
  for (int round = 0; round < 20; ++round) {
    std::shuffle(chunks.begin(), chunks.end(), random);
    EXPECT_EQ(hash_of(chunks), expected);
  }
}

TEST(cli_hash, every_layer_counts) {
  const Chunk chunk = chunk_at({0, 0});
  Chunk height = chunk, temperature = chunk, humidity = chunk, biome = chunk;
  height.height_q4[255] += 1;
  temperature.temperature_d[0] += 1;
  humidity.humidity_d[7] += 1;
  biome.biome[9] += 1;
  for (const Chunk& other : {height, temperature, humidity, biome})
    EXPECT_NE(hash_chunk(other), hash_chunk(chunk));
}

TEST(cli_hash, a_chunk_of_the_first_four_layers_keeps_the_hash_it_had_before_there_were_more) {
  EXPECT_EQ(hash_chunk(chunk_at({0, 0})), 10188542986792973533u);
}

TEST(cli_hash, water_densities_and_what_stands_there_count_where_there_are_any) {
  const Chunk chunk = chunk_at({0, 0});
  std::set<std::uint64_t> hashes{hash_chunk(chunk)};
  const auto expect_new = [&](auto change) {
    Chunk other = chunk;
    other.placements = {{.anchor = {1, 2}}};
    other.structures.emplace_back().anchor = {3, 4};
    other.rooms.emplace_back().corner = {5, 6};
    change(other);
    EXPECT_TRUE(hashes.insert(hash_chunk(other)).second);
  };
  expect_new([](Chunk&) {});
  expect_new([](Chunk& c) { c.water_q4.assign(256, kNoWater); });
  expect_new([](Chunk& c) { c.forest_p.assign(256, 1); });
  expect_new([](Chunk& c) { c.rocks_p.assign(256, 1); });
  expect_new([](Chunk& c) { c.placements[0].anchor.y = 3; });
  expect_new([](Chunk& c) { c.placements[0].turn = 1; });
  expect_new([](Chunk& c) { c.structures[0].rooms = 1; });
  expect_new([](Chunk& c) { c.structures[0].to.x = 1; });
  expect_new([](Chunk& c) { c.rooms[0].floor_q4 = 1; });
  expect_new([](Chunk& c) { c.rooms[0].open_doors = 1; });
  expect_new([](Chunk& c) { c.rooms[0].structure.x = 1; });
}

TEST(cli_hash, chunks_that_swap_places_change_the_hash) {
  auto chunks = all_chunks();
  const std::uint64_t expected = hash_of(chunks);
  std::swap(chunks[0].coord, chunks[1].coord);
  EXPECT_NE(hash_of(chunks), expected);
}

TEST(cli_hash, a_chunk_without_layers_hashes_no_bytes) {
  // XXH3-64 of no bytes with seed 0, from the xxHash specification's reference implementation.
  EXPECT_EQ(hash_chunk(Chunk{}), 0x2d06800538d394c2u);
}

TEST(cli_hash, the_documented_bytes_are_hashed) {
  Chunk chunk;
  chunk.height_q4 = {-2, 0x01020304};
  chunk.biome = {9};
  const unsigned char bytes[] = {1, 2, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff, 4,
                                 3, 2, 1, 4, 1, 0,    0,    0,    9};
  EXPECT_EQ(hash_chunk(chunk), XXH3_64bits(bytes, sizeof bytes));
}

}  // namespace
}  // namespace terrane::cli
