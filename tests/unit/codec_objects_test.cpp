#include <gtest/gtest.h>

#include "codec/byte_io.h"
#include "codec/chunk_codec.h"
#include "codec/container.h"
#include "unit/codec_chunks.h"

namespace terrane::codec {
namespace {

using namespace terrane::test;

void expect_round_trip(const Chunk& chunk) {
  const Result<Chunk> decoded = decode(encode(chunk), chunk.coord);
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_TRUE(*decoded == chunk) << "size " << chunk.size << ", lod " << int{chunk.lod};
}

/// A chunk of nothing but one section, whatever its payload, with a checksum that is right.
Result<Chunk> decode_section(Layer layer, Coding coding, std::string_view payload, Lod lod = 0) {
  Container container{.log2_size = 4, .lod = lod, .section_count = 1, .sections = {}};
  container.sections[0] = {static_cast<std::uint8_t>(layer), static_cast<std::uint8_t>(coding),
                           payload};
  return decode(write_container(container), {});
}

void expect_refused(const Result<Chunk>& decoded, std::string_view part) {
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().code, ErrorCode::kDataLoss);
  EXPECT_NE(decoded.error().message.find(part), std::string::npos) << decoded.error().message;
}

TEST(codec_objects, every_layer_comes_back_at_every_size_and_lod) {
  for (const int size : {16, 32, 64, 128}) {
    for (Lod lod = 0; lod <= kMaxLod; ++lod) expect_round_trip(full_chunk(size, lod, lod));
  }
}

TEST(codec_objects, at_the_ends_of_the_world_anchors_come_back) {
  for (const std::int64_t end : {max_chunk_coord(0), -max_chunk_coord(0)}) {
    Chunk chunk;
    chunk.coord = {end, -end};
    chunk.size = 128;
    chunk.placements = scattered_placements(chunk, 50, 3);
    add_ruin(chunk);
    expect_round_trip(chunk);
  }
}

TEST(codec_objects, from_one_placement_to_one_on_every_block_all_come_back) {
  for (const int size : {16, 128}) {
    for (const unsigned rarity : {1U, 2U, 40U, 5000U}) {
      Chunk chunk;
      chunk.size = size;
      chunk.placements = scattered_placements(chunk, rarity, rarity);
      if (chunk.placements.empty())
        chunk.placements = {
            {.anchor = {size - 1, size - 1}, .kind = 255, .turn = 255, .scale = 255}};
      expect_round_trip(chunk);
    }
  }
}

TEST(codec_objects, a_placement_takes_about_three_bytes) {
  Chunk chunk;
  chunk.size = 64;
  chunk.placements = scattered_placements(chunk, 20, 1);
  EXPECT_LE(encode(chunk).size(), 40 + chunk.placements.size() * 3);
}

TEST(codec_objects, lists_that_are_empty_take_no_section) {
  EXPECT_EQ(read_container(encode(only(full_chunk(32, 9), kAllLayers)))->section_count, 7U);
  EXPECT_EQ(read_container(encode(full_chunk(32, 2)))->section_count, 8U)
      << "structures, but no placements";
  EXPECT_EQ(read_container(encode(full_chunk(32)))->section_count, 9U);
}

TEST(codec_objects, a_reader_of_the_four_core_layers_alone_reads_them_and_skips_the_rest) {
  const Chunk chunk = full_chunk(64);
  Container container = *read_container(encode(chunk));
  const std::string bytes = encode(chunk);
  container = *read_container(bytes);
  // it can't look at what it does not know
  for (std::size_t i = 4; i < container.section_count; ++i) {
    container.sections[i].coding = 200;
    container.sections[i].payload = "anything";
  }
  const Result<Chunk> decoded = decode(write_container(container), chunk.coord, kCoreLayers);
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_TRUE(*decoded == only(chunk, kCoreLayers));
}

TEST(codec_objects, selecting_layers_gives_the_bytes_of_the_chunk_without_the_others) {
  const Chunk chunk = full_chunk(32);
  for (LayerMask mask = 0; mask < LayerMask{1} << 10; mask += 2 + 64 * (mask % 6 / 2)) {
    EXPECT_EQ(*select_layers(encode(chunk), mask), encode(only(chunk, mask))) << mask;
  }
}

TEST(codec_objects, still_water_takes_next_to_nothing_and_steep_water_less_than_a_fifth_of_itself) {
  EXPECT_LE(encode(only(full_chunk(64), layer_bit(Layer::kWater))).size(), 400U);
  Chunk chunk;
  chunk.size = 64;
  for (int j = 0; j < 64; ++j) {
    for (int i = 0; i < 64; ++i)
      chunk.water_q4.push_back(std::abs(i - 30 - j / 4) < 9 ? 4000 - 9 * j - i / 2 : kNoWater);
  }
  expect_round_trip(chunk);
  EXPECT_LE(encode(chunk).size(), 4096U * 4 / 5);
  EXPECT_EQ(read_container(encode(chunk))->sections[0].coding,
            static_cast<std::uint8_t>(Coding::kPartial));
}

TEST(codec_objects, water_and_densities_without_any_order_come_back) {
  std::mt19937 random(8);
  for (const int size : {16, 64, 128}) {
    for (const unsigned values : {2U, 100U, 256U, 257U, 1000000U}) {
      Chunk chunk;
      chunk.size = size;
      for (int i = 0; i < size * size; ++i) {
        chunk.water_q4.push_back(
            random() % 3 == 0 ? kNoWater : static_cast<std::int32_t>(random() % values) - 77);
        chunk.forest_p.push_back(static_cast<std::uint8_t>(random() % values));
        chunk.rocks_p.push_back(static_cast<std::uint8_t>(i % 50 < 25 ? random() % values : 0));
      }
      expect_round_trip(chunk);
    }
  }
}

TEST(codec_objects, objects_where_their_level_of_detail_has_none_are_refused) {
  const std::string placement("\1\0\0\0\0\0\0\0\1", 9);
  ASSERT_TRUE(decode_section(Layer::kPlacements, Coding::kPlacements, placement)) << "a good one";
  expect_refused(decode_section(Layer::kPlacements, Coding::kPlacements, placement, 1), "lod 1");
  expect_refused(decode_section(Layer::kStructures, Coding::kStructures, std::string("\0\0", 2), 5),
                 "lod 5");
  std::string rooms("\0\1\0\0\0\1\0\0\0\0\0", 11);
  ASSERT_TRUE(decode_section(Layer::kStructures, Coding::kStructures, rooms)) << "a good one";
  expect_refused(decode_section(Layer::kStructures, Coding::kStructures, rooms, 1),
                 "number of rooms");
}

TEST(codec_objects, more_objects_than_a_chunk_has_blocks_are_refused_before_anything_is_allocated) {
  std::string payload;
  append_varint(payload, 0xffffffff);
  payload.append(4096, '\0');
  expect_refused(decode_section(Layer::kPlacements, Coding::kPlacements, payload),
                 "must be 1 to 256");
  expect_refused(decode_section(Layer::kStructures, Coding::kStructures, payload), "more than");
  payload.clear();
  append_varint(payload, 257);
  payload.append(4096, '\0');
  expect_refused(decode_section(Layer::kPlacements, Coding::kPlacements, payload),
                 "must be 1 to 256");
  expect_refused(decode_section(Layer::kStructures, Coding::kStructures, payload), "more than");
  expect_refused(decode_section(Layer::kStructures, Coding::kStructures, '\0' + payload),
                 "number of rooms");
}

TEST(codec_objects, rooms_out_of_order_are_refused) {
  //                         rooms  structure kind  n  index place floor piece doors
  const std::string twice(
      "\0"
      "\2"
      "\0\0"
      "\0"
      "\1"
      "\3\0\0\0\0"
      "\0\0"
      "\0"
      "\1"
      "\3\0\0\0\0",
      20);
  expect_refused(decode_section(Layer::kStructures, Coding::kStructures, twice), "out of order");
}

TEST(codec_objects, codings_belong_to_their_layers) {
  expect_refused(decode_section(Layer::kPlacements, Coding::kConstant, "x"), "newer server");
  expect_refused(decode_section(Layer::kStructures, Coding::kPlacements, "x"), "newer server");
  expect_refused(decode_section(Layer::kForest, Coding::kPartial, "x"), "newer server");
  expect_refused(decode_section(Layer::kHeight, Coding::kPartial, "x"), "newer server");
}

}  // namespace
}  // namespace terrane::codec
