#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "terrane/chunk.h"

/// Chunks to encode, made from formulas: the codec's tests need no generator.
namespace terrane::test {

inline std::size_t sample_count(const Chunk& chunk) {
  return static_cast<std::size_t>(chunk.size) * static_cast<std::size_t>(chunk.size);
}

/// Fills every layer of a chunk: sample(i, j) sets one PointSample.
template <typename Function>
Chunk make_chunk(int size, Lod lod, Function sample) {
  Chunk chunk;
  chunk.coord = {-3, 7};
  chunk.lod = lod;
  chunk.size = size;
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) {
      const PointSample point = sample(i, j);
      chunk.height_q4.push_back(point.height_q4);
      chunk.temperature_d.push_back(point.temperature_d);
      chunk.humidity_d.push_back(point.humidity_d);
      chunk.biome.push_back(point.biome);
    }
  }
  return chunk;
}

/// Hills in whole blocks, climate that follows them, biomes in bands: what a world looks like.
inline Chunk hilly_chunk(int size, Lod lod = 0, int seed = 1) {
  return make_chunk(size, lod, [=](int i, int j) {
    const double x = 0.11 * i + seed, y = 0.07 * j - seed;
    const int blocks = static_cast<int>(std::lround(30 * std::sin(x) * std::cos(y) + 4 * std::sin(5 * x + y)));
    const double warmth = 150 + 40 * std::sin(0.3 * x - 0.2 * y) - 3 * std::abs(blocks);
    return PointSample{.height_q4 = blocks * 16,
                       .temperature_d = static_cast<std::int16_t>(std::lround(warmth)),
                       .humidity_d = static_cast<std::int16_t>(std::lround(1.3 * warmth + 200 * std::cos(0.5 * y))),
                       .biome = static_cast<std::uint8_t>(blocks < -8    ? 3
                                                          : blocks < 4   ? 17
                                                          : warmth > 140 ? 4
                                                                         : 9)};
  });
}

/// Smooth slopes in 1/16 block.
inline Chunk smooth_chunk(int size, Lod lod = 0) {
  return make_chunk(size, lod, [](int i, int j) {
    return PointSample{.height_q4 = static_cast<std::int32_t>(std::lround(900 * std::sin(0.02 * i) + 700 * std::cos(0.03 * j))),
                       .temperature_d = static_cast<std::int16_t>(100 + i / 9 - j / 7),
                       .humidity_d = static_cast<std::int16_t>(i * j / 50),
                       .biome = static_cast<std::uint8_t>((i + 2 * j) / 40)};
  });
}

/// Every value of every layer, without any order.
inline Chunk random_chunk(int size, std::uint32_t seed, Lod lod = 0) {
  std::mt19937 random(seed);
  return make_chunk(size, lod, [&](int, int) {
    return PointSample{.height_q4 = static_cast<std::int32_t>(random()),
                       .temperature_d = static_cast<std::int16_t>(random()),
                       .humidity_d = static_cast<std::int16_t>(random()),
                       .biome = static_cast<std::uint8_t>(random())};
  });
}

/// The smallest and the largest value of each layer side by side.
inline Chunk extreme_chunk(int size, Lod lod = 0) {
  return make_chunk(size, lod, [](int i, int j) {
    const bool high = (i * 7 + j * 3) % 5 < 2;
    return PointSample{
        .height_q4 = high ? std::numeric_limits<std::int32_t>::max() : std::numeric_limits<std::int32_t>::min(),
        .temperature_d = high ? std::numeric_limits<std::int16_t>::max() : std::numeric_limits<std::int16_t>::min(),
        .humidity_d = high ? std::numeric_limits<std::int16_t>::min() : std::numeric_limits<std::int16_t>::max(),
        .biome = static_cast<std::uint8_t>(high ? 255 : 0)};
  });
}

/// The chunk without the layers outside of `mask`.
inline Chunk only(Chunk chunk, LayerMask mask) {
  if ((mask & layer_bit(Layer::kHeight)) == 0) chunk.height_q4.clear();
  if ((mask & layer_bit(Layer::kTemperature)) == 0) chunk.temperature_d.clear();
  if ((mask & layer_bit(Layer::kHumidity)) == 0) chunk.humidity_d.clear();
  if ((mask & layer_bit(Layer::kBiome)) == 0) chunk.biome.clear();
  return chunk;
}

}  // namespace terrane::test
