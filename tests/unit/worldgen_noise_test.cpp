#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "hwy/targets.h"
#include "support/noise_reference.h"
#include "worldgen/noise/field.h"
#include "worldgen/noise/fractal_noise.h"
#include "worldgen/noise/hash.h"
#include "worldgen/noise/simd_target.h"
#include "worldgen/noise/x86_features.h"

namespace terrane::worldgen::noise {
namespace {

const std::vector<FractalNoise>& noises() {
  static const std::vector<FractalNoise> kNoises{
      {{1, 8192}, 12, 0.5f}, {{3, 1000}, 4, 0.5f}, {{1, 200}, 4, 0.6f},
      {{7, 10}, 1, 1.0f},    {{1, 1}, 1, 0.5f},    {{1024, 1u << 20}, 11, 0.45f},
      {{1, 37}, 6, 0.5f},    {{1, 64}, 3, 0.5f},   {{999, 1000}, 1, 0.5f}};
  return kNoises;
}

struct Place {
  BlockPos origin;
  std::int64_t stride;
  int width, height;
};

const std::vector<Place>& places() {
  constexpr std::int64_t kFar = std::int64_t{1} << 47;
  static const std::vector<Place> kPlaces{{{0, 0}, 1, 64, 64},
                                          {{-64, -128}, 1, 32, 48},
                                          {{-kFar, kFar - 64}, 1, 64, 16},
                                          {{kFar, -kFar}, 16, 16, 16},
                                          {{1, -1}, 1, 1, 1},
                                          {{-77, 12345}, 2, 128, 8},
                                          {{4096, 64}, 65536, 16, 32},
                                          {{2147483648, -2147483648}, 4, 32, 16}};
  return kPlaces;
}

std::vector<float> fill(const FractalNoise& noise, std::uint64_t key, const Place& place,
                        SimdTarget target) {
  Field field;
  field.fill(noise, key, {place.origin, place.stride, place.width, place.height}, target);
  std::vector<float> values;
  for (int j = 0; j < place.height; ++j) {
    const float* row = field.values + j * row_pitch(place.width);
    values.insert(values.end(), row, row + place.width);
  }
  return values;
}

BlockPos block_at(const Place& place, std::size_t i) {
  const auto width = static_cast<std::size_t>(place.width);
  return {place.origin.x + static_cast<std::int64_t>(i % width) * place.stride,
          place.origin.y + static_cast<std::int64_t>(i / width) * place.stride};
}

TEST(fractal_noise, every_target_gives_the_bits_of_the_reference) {
  for (const SimdTarget target : supported_targets()) {
    for (const FractalNoise& noise : noises()) {
      for (const Place& place : places()) {
        const std::vector<float> values = fill(noise, 0x123456789abcdefu, place, target);
        std::size_t different = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
          const float expected =
              testing::reference_fractal_noise(noise, 0x123456789abcdefu, block_at(place, i));
          if (std::memcmp(&expected, &values[i], sizeof expected) != 0) ++different;
        }
        EXPECT_EQ(different, 0u) << to_string(target) << ", " << noise.frequency.cells << "/"
                                 << noise.frequency.blocks << ", at " << place.origin.x << ","
                                 << place.origin.y << " stride " << place.stride;
      }
    }
  }
}

TEST(fractal_noise, is_the_textbooks_gradient_noise) {
  const SimdTarget target = supported_targets().back();
  double worst = 0;
  for (const FractalNoise& noise : noises()) {
    for (const Place& place : places()) {
      const std::vector<float> values = fill(noise, 7, place, target);
      for (std::size_t i = 0; i < values.size(); ++i) {
        worst = std::max(worst, std::abs(values[i] - testing::textbook_fractal_noise(
                                                         noise, 7, block_at(place, i))));
      }
    }
  }
  EXPECT_LT(worst, 5e-5);
}

TEST(fractal_noise, stays_within_one) {
  const SimdTarget target = supported_targets().back();
  for (std::uint64_t key = 0; key < 200; ++key) {
    for (const float value : fill({{1, 16}, 1, 1.0f}, key, {{0, 0}, 1, 128, 128}, target)) {
      ASSERT_LE(std::abs(value), 1.0f);
    }
  }
}

TEST(fractal_noise, a_sample_does_not_depend_on_the_grid_it_is_part_of) {
  const SimdTarget target = supported_targets().back();
  for (const FractalNoise& noise : noises()) {
    const std::vector<float> whole = fill(noise, 5, {{-640, 320}, 1, 128, 128}, target);
    const std::vector<float> coarse = fill(noise, 5, {{-640, 320}, 4, 32, 32}, target);
    const std::vector<float> part = fill(noise, 5, {{-640 + 48, 320 + 31}, 1, 16, 5}, target);
    for (std::size_t j = 0; j < 32; ++j) {
      for (std::size_t i = 0; i < 32; ++i)
        ASSERT_EQ(coarse[j * 32 + i], whole[j * 4 * 128 + i * 4]);
    }
    for (std::size_t j = 0; j < 5; ++j) {
      for (std::size_t i = 0; i < 16; ++i)
        ASSERT_EQ(part[j * 16 + i], whole[(j + 31) * 128 + i + 48]);
    }
    const std::vector<float> single = fill(noise, 5, {{-640 + 100, 320 + 77}, 1, 1, 1}, target);
    EXPECT_EQ(single[0], whole[77 * 128 + 100]);
  }
}

TEST(fractal_noise, nothing_is_lost_far_out) {
  // At 2^47 blocks a float's step would be 2^24 blocks. Neighbours must differ there as they do at
  // the origin.
  const SimdTarget target = supported_targets().back();
  constexpr std::int64_t kFar = (std::int64_t{1} << 47) - 64;
  const FractalNoise noise{{1, 256}, 4, 0.5f};
  const auto roughness = [&](BlockPos origin) {
    const std::vector<float> values = fill(noise, 9, {origin, 1, 64, 64}, target);
    double sum = 0;
    std::size_t equal = 0;
    for (std::size_t i = 1; i < values.size(); ++i) {
      sum += std::abs(values[i] - values[i - 1]);
      if (values[i] == values[i - 1]) ++equal;
    }
    EXPECT_LT(equal, values.size() / 100);
    return sum;
  };
  const double near = roughness({0, 0});
  for (const BlockPos far : {BlockPos{kFar, kFar}, BlockPos{-kFar, kFar}, BlockPos{-kFar, -kFar}}) {
    EXPECT_GT(roughness(far), near / 4);
    EXPECT_LT(roughness(far), near * 4);
  }
}

TEST(fractal_noise, seeds_that_differ_in_one_bit_give_unlike_noise) {
  const SimdTarget target = supported_targets().back();
  const FractalNoise noise{{1, 32}, 3, 0.5f};
  const Place place{{0, 0}, 1, 64, 64};
  const std::vector<float> base = fill(noise, stream_key(1, "test"), place, target);
  for (int bit = 0; bit < 64; ++bit) {
    const std::vector<float> other =
        fill(noise, stream_key(1 ^ (std::uint64_t{1} << bit), "test"), place, target);
    double xy = 0, xx = 0, yy = 0;
    for (std::size_t i = 0; i < base.size(); ++i) {
      xy += base[i] * other[i], xx += base[i] * base[i], yy += other[i] * other[i];
    }
    EXPECT_LT(std::abs(xy) / std::sqrt(xx * yy), 0.5) << "bit " << bit;
  }
}

TEST(fractal_noise, gradients_point_everywhere_alike) {
  std::vector<int> bins(16);
  constexpr int kSide = 1024;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x)
      ++bins[testing::reference_point_hash(stream_key(1, "x"), stream_key(1, "y"), x, y) >> 28];
  }
  for (const int count : bins) EXPECT_NEAR(count, kSide * kSide / 16, kSide * kSide / 16 * 0.02);
}

TEST(hash, flipping_any_input_bit_flips_half_of_the_output) {
  for (int bit = 0; bit < 64; ++bit) {
    int flipped = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      flipped += std::popcount(stream_key(mix64(i), "height") ^
                               stream_key(mix64(i) ^ (std::uint64_t{1} << bit), "height"));
    }
    EXPECT_NEAR(flipped, 32000, 1000) << "bit " << bit;
  }
}

#if HWY_ARCH_X86
TEST(simd_target, is_what_highway_would_choose) {
  const std::int64_t highway = hwy::SupportedTargets();
  const X86Features features = x86_features();
  EXPECT_EQ(features.ssse3, (highway & HWY_SSSE3) != 0);
  EXPECT_EQ(features.sse4, (highway & HWY_SSE4) != 0);
  EXPECT_EQ(features.avx2, (highway & HWY_AVX2) != 0);
  EXPECT_EQ(features.avx512, (highway & HWY_AVX3) != 0);
}
#endif

TEST(simd_target, an_unknown_name_is_refused_with_the_choices) {
  const auto chosen = choose_target("avx9000");
  ASSERT_FALSE(chosen);
  EXPECT_NE(chosen.error().message.find("avx9000"), std::string::npos);
  EXPECT_NE(chosen.error().message.find(to_string(supported_targets().front())), std::string::npos);
  EXPECT_EQ(choose_target("").value(), supported_targets().back());
}

}  // namespace
}  // namespace terrane::worldgen::noise
