#include <gtest/gtest.h>

#include "codec/chunk_codec.h"
#include "codec/container.h"
#include "unit/codec_chunks.h"

namespace terrane::codec {
namespace {

using namespace terrane::test;

/// A frame of small sections: (layer, coding, payload).
std::string frame(std::initializer_list<Section> sections) {
  Container container{.log2_size = 4, .lod = 3, .section_count = 0, .sections = {}};
  for (const Section& section : sections) container.sections[container.section_count++] = section;
  return write_container(container);
}

void expect_error(const Result<Chunk>& decoded, std::string_view part) {
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().code, ErrorCode::kDataLoss);
  EXPECT_NE(decoded.error().message.find(part), std::string::npos) << decoded.error().message;
}

const Section kFlatBiome{.layer = 4, .coding = 0, .payload = "\x07"};

TEST(codec_frame, selecting_layers_gives_the_bytes_of_the_chunk_without_the_others) {
  const Chunk chunk = hilly_chunk(64, 1);
  const std::string bytes = encode(chunk);
  for (LayerMask mask = 0; mask <= kCoreLayers; mask += 2) {
    const Result<std::string> selected = select_layers(bytes, mask);
    ASSERT_TRUE(selected);
    EXPECT_EQ(*selected, encode(only(chunk, mask))) << "mask " << mask;
  }
  EXPECT_EQ(*select_layers(bytes, kAllLayers), bytes);
}

TEST(codec_frame, selecting_from_a_damaged_chunk_is_refused) {
  std::string bytes = encode(hilly_chunk(16));
  bytes[bytes.size() / 2] ^= 4;
  const Result<std::string> selected = select_layers(bytes, kAllLayers);
  ASSERT_FALSE(selected);
  EXPECT_EQ(selected.error().code, ErrorCode::kDataLoss);
}

TEST(codec_frame, layers_of_a_newer_server_are_skipped_and_can_be_selected) {
  const std::string bytes =
      frame({kFlatBiome, {.layer = 31, .coding = 200, .payload = "whatever"}});
  const Result<Chunk> decoded = decode(bytes, {5, 6});
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(decoded->biome, std::vector<std::uint8_t>(256, 7));
  EXPECT_TRUE(decoded->height_q4.empty());
  EXPECT_EQ(decoded->lod, 3);
  EXPECT_EQ(decoded->coord, (ChunkCoord{5, 6}));
  EXPECT_EQ(*select_layers(bytes, LayerMask{1} << 31),
            frame({{.layer = 31, .coding = 200, .payload = "whatever"}}));
}

TEST(codec_frame, a_newer_coding_of_a_known_layer_says_that_the_server_is_newer) {
  expect_error(decode(frame({{.layer = 1, .coding = 99, .payload = "x"}}), {}), "newer server");
  // regions are for biomes
  expect_error(decode(frame({{.layer = 1, .coding = 3, .payload = "x"}}), {}), "newer server");
  // rasters are not
  expect_error(decode(frame({{.layer = 4, .coding = 2, .payload = "x"}}), {}), "newer server");
  EXPECT_TRUE(
      decode(frame({{.layer = 1, .coding = 99, .payload = "x"}}), {}, layer_bit(Layer::kBiome)))
      << "not asked for";
}

TEST(codec_frame, a_newer_format_version_is_refused_by_name) {
  std::string bytes = encode(hilly_chunk(16));
  bytes[3] = 3;
  expect_error(decode(bytes, {}), "format version 3");
}

TEST(codec_frame, layers_must_grow_and_must_not_repeat) {
  expect_error(decode(frame({kFlatBiome, kFlatBiome}), {}), "ids must grow");
  expect_error(decode(frame({kFlatBiome, {.layer = 2, .coding = 0, .payload = "ab"}}), {}),
               "ids must grow");
  expect_error(decode(frame({{.layer = 0, .coding = 0, .payload = "ab"}}), {}), "1 to 31");
  expect_error(decode(frame({{.layer = 32, .coding = 0, .payload = "ab"}}), {}), "1 to 31");
}

TEST(codec_frame, header_fields_outside_of_their_limits_are_refused) {
  const auto with = [](std::size_t at, char value) {
    std::string bytes = encode(hilly_chunk(16));
    bytes[at] = value;
    return decode(bytes, {});
  };
  expect_error(with(0, 'X'), "TRC");
  expect_error(with(4, 3), "log2(size)");
  expect_error(with(4, 8), "log2(size)");
  expect_error(with(4, '\xff'), "log2(size)");
  expect_error(with(5, 17), "lod");
  expect_error(with(6, 32), "sections");
  expect_error(with(7, 1), "reserved");
}

TEST(codec_frame, lengths_beyond_the_end_and_huge_ones_are_refused) {
  const std::string good = frame({kFlatBiome});
  for (const std::string_view length :
       {std::string_view("\x02\0\0\0", 4), std::string_view("\xff\xff\xff\xff", 4),
        std::string_view("\0\0\0\x80", 4), std::string_view("\0\0\0\0", 4)}) {
    std::string bytes = good;
    bytes.replace(kHeaderBytes + 2, 4, length);
    EXPECT_FALSE(decode(bytes, {}));
    EXPECT_FALSE(select_layers(bytes, kAllLayers));
  }
  expect_error(decode(good + "x", {}), "follow the last section");
}

TEST(codec_frame, payloads_of_a_wrong_length_are_refused) {
  expect_error(decode(frame({{.layer = 1, .coding = 0, .payload = "abc"}}), {}), "exactly 4");
  expect_error(decode(frame({{.layer = 2, .coding = 0, .payload = ""}}), {}), "exactly 2");
  expect_error(decode(frame({{.layer = 3, .coding = 1, .payload = std::string_view("abcd")}}), {}),
               "exactly 512");
  expect_error(decode(frame({{.layer = 4, .coding = 1, .payload = std::string(257, 'x')}}), {}),
               "exactly 256");
}

TEST(codec_frame, a_chunk_without_layers_is_its_header) {
  const Chunk nothing = only(hilly_chunk(16, 4), 0);
  EXPECT_EQ(encode(nothing), std::string("TRC\x02\x04\x04\0\0", 8));
  EXPECT_TRUE(*decode(encode(nothing), nothing.coord) == nothing);
}

}  // namespace
}  // namespace terrane::codec
