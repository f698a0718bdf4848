#include <gtest/gtest.h>

#include "codec/chunk_codec.h"
#include "unit/codec_chunks.h"

namespace terrane::codec {
namespace {

using namespace terrane::test;

void expect_round_trip(const Chunk& chunk) {
  const std::string bytes = encode(chunk);
  const Result<Chunk> decoded = decode(bytes, chunk.coord);
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_TRUE(*decoded == chunk) << "size " << chunk.size << ", lod " << int{chunk.lod};
}

TEST(codec_round_trip, every_size_and_lod_keeps_every_sample) {
  for (const int size : {16, 32, 64, 128}) {
    for (Lod lod = 0; lod <= kMaxLod; ++lod) {
      expect_round_trip(hilly_chunk(size, lod, lod));
      expect_round_trip(smooth_chunk(size, lod));
    }
  }
}

TEST(codec_round_trip, random_samples_come_back_and_take_hardly_more_than_themselves) {
  for (const int size : {16, 32, 64, 128}) {
    for (std::uint32_t seed = 0; seed < 8; ++seed) {
      const Chunk chunk = random_chunk(size, seed);
      expect_round_trip(chunk);
      EXPECT_LE(encode(chunk).size(), sample_count(chunk) * 9 + 48);
    }
  }
}

TEST(codec_round_trip, the_extremes_of_every_layer_come_back) {
  for (const int size : {16, 32, 64, 128}) expect_round_trip(extreme_chunk(size));
}

TEST(codec_round_trip, one_wild_sample_in_a_calm_chunk_comes_back) {
  for (const std::int32_t wild : {std::numeric_limits<std::int32_t>::min(),
                                  std::numeric_limits<std::int32_t>::max(), 1 << 20, -17}) {
    for (const std::size_t at : {0u, 1u, 15u, 16u, 17u, 100u, 255u}) {
      Chunk chunk = smooth_chunk(16);
      chunk.height_q4[at] = wild;
      chunk.temperature_d[at] = static_cast<std::int16_t>(wild);
      chunk.biome[at] = 201;
      expect_round_trip(chunk);
    }
  }
}

TEST(codec_round_trip, every_common_factor_comes_back) {
  for (const std::uint32_t factor :
       {1u, 2u, 3u, 16u, 48u, 125u, 65536u, 0x10000000u, 0x40000000u}) {
    expect_round_trip(make_chunk(16, 0, [factor](int i, int j) {
      const auto steps = static_cast<std::uint32_t>((i * i + 3 * j) % 8 - 3);
      const auto few = static_cast<std::uint32_t>((i + j) % 3);
      return PointSample{.height_q4 = static_cast<std::int32_t>(7 + factor * steps),
                         .temperature_d = static_cast<std::int16_t>(factor * few),
                         .humidity_d = -5,
                         .biome = 0};
    }));
  }
}

/// Every residual a prediction of numbers in 16 or in 32 bits can leave: two heights side by side
/// in many patterns.
TEST(codec_round_trip, a_common_factor_that_a_single_sample_does_not_have_comes_back) {
  for (const int size : {16, 64}) {
    for (const std::size_t odd_one : {1u, 60u, 62u, 200u, 255u}) {
      Chunk chunk;
      chunk.size = size;
      for (std::size_t i = 0; i < static_cast<std::size_t>(size * size); ++i) {
        const int step = static_cast<int>(i % 7);
        chunk.height_q4.push_back(15 * step - 1000);
        chunk.temperature_d.push_back(static_cast<std::int16_t>(9 * step));
        chunk.forest_p.push_back(static_cast<std::uint8_t>(15 * step));
      }
      chunk.height_q4[odd_one] += 5;
      chunk.temperature_d[odd_one] = 31;
      chunk.forest_p[odd_one] = 20;
      expect_round_trip(chunk);
    }
  }
}

TEST(codec_round_trip, cliffs_of_every_height_come_back) {
  std::mt19937 random(6);
  for (const std::int32_t cliff :
       {1, 255, 256, 511, 512, 513, 1023, 1024, 4096, (1 << 20) - 1, 1 << 20, 1 << 24}) {
    for (const unsigned rarity : {2U, 7U, 60U}) {
      expect_round_trip(make_chunk(32, 0, [&](int i, int j) {
        const bool up = random() % rarity == 0;
        const bool chequered = (i + j) % 2 == 0;
        return PointSample{.height_q4 = up ? cliff : 0,
                           .temperature_d = static_cast<std::int16_t>(chequered ? cliff : 0),
                           .humidity_d = static_cast<std::int16_t>(up && i > 20 ? cliff : 0),
                           .biome = 0};
      }));
    }
  }
}

TEST(codec_round_trip, every_share_of_residuals_other_than_0_comes_back) {
  for (const int size : {16, 64, 128}) {
    for (const int rarity : {1, 2, 5, 17, 65, 300, 3000, 16383}) {
      for (const int step : {1, 2, 40}) {
        int count = 0;
        expect_round_trip(make_chunk(size, 0, [&](int i, int j) {
          if (++count % rarity == 0)
            return PointSample{.height_q4 = i + j + step, .temperature_d = 1};
          return PointSample{.height_q4 = i + j, .temperature_d = static_cast<std::int16_t>(j)};
        }));
      }
    }
  }
}

TEST(codec_round_trip, a_slope_takes_no_more_than_its_beginning) {
  const Chunk chunk = only(
      make_chunk(128, 0, [](int i, int j) { return PointSample{.height_q4 = 48 * i - 16 * j}; }),
      layer_bit(Layer::kHeight));
  expect_round_trip(chunk);
  EXPECT_LE(encode(chunk).size(), 8U + 10 + 40);
}

TEST(codec_round_trip, every_number_of_biomes_and_every_shape_of_border_comes_back) {
  std::mt19937 random(5);
  for (unsigned biomes = 1; biomes <= 256; biomes += biomes < 9 ? 1 : 19) {
    for (const unsigned run : {1U, 2U, 5U, 40U, 300U}) {
      unsigned left = 0;
      std::uint8_t biome = 0;
      expect_round_trip(only(
          make_chunk(32, 0,
                     [&](int, int) {
                       if (left-- == 0) {
                         left = static_cast<unsigned>(random() % run);
                         biome = static_cast<std::uint8_t>(random() % biomes);
                       }
                       return PointSample{
                           .height_q4 = 0, .temperature_d = 0, .humidity_d = 0, .biome = biome};
                     }),
          layer_bit(Layer::kBiome)));
    }
  }
}

TEST(codec_round_trip, every_subset_of_layers_comes_back) {
  for (LayerMask mask = 0; mask <= kCoreLayers; mask += 2)
    expect_round_trip(only(hilly_chunk(32), mask));
}

TEST(codec_round_trip, decoding_some_layers_leaves_the_others_empty) {
  const Chunk chunk = hilly_chunk(32, 2);
  const std::string bytes = encode(chunk);
  for (LayerMask mask = 0; mask <= kCoreLayers; mask += 2) {
    const Result<Chunk> decoded = decode(bytes, chunk.coord, mask);
    ASSERT_TRUE(decoded);
    EXPECT_TRUE(*decoded == only(chunk, mask)) << "mask " << mask;
  }
}

TEST(codec_round_trip, equal_chunks_have_equal_bytes) {
  EXPECT_EQ(encode(hilly_chunk(64)), encode(hilly_chunk(64)));
  Chunk elsewhere = hilly_chunk(64);
  elsewhere.coord = {1, 2};
  EXPECT_EQ(encode(elsewhere), encode(hilly_chunk(64))) << "coordinates are not part of the bytes";
}

TEST(codec_round_trip, a_chunk_of_one_value_is_tiny) {
  const Chunk chunk = make_chunk(128, 0, [](int, int) {
    return PointSample{.height_q4 = -160, .temperature_d = -200, .humidity_d = 1000, .biome = 3};
  });
  expect_round_trip(chunk);
  EXPECT_EQ(encode(chunk).size(), 8U + 4 * 10 + 4 + 2 + 2 + 1);
}

}  // namespace
}  // namespace terrane::codec
