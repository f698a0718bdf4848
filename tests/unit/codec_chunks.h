#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

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
    const int blocks =
        static_cast<int>(std::lround(30 * std::sin(x) * std::cos(y) + 4 * std::sin(5 * x + y)));
    const double warmth = 150 + 40 * std::sin(0.3 * x - 0.2 * y) - 3 * std::abs(blocks);
    return PointSample{.height_q4 = blocks * 16,
                       .temperature_d = static_cast<std::int16_t>(std::lround(warmth)),
                       .humidity_d = static_cast<std::int16_t>(
                           std::lround(1.3 * warmth + 200 * std::cos(0.5 * y))),
                       .biome = static_cast<std::uint8_t>(blocks < -8    ? 3
                                                          : blocks < 4   ? 17
                                                          : warmth > 140 ? 4
                                                                         : 9)};
  });
}

/// Smooth slopes in 1/16 block.
inline Chunk smooth_chunk(int size, Lod lod = 0) {
  return make_chunk(size, lod, [](int i, int j) {
    return PointSample{.height_q4 = static_cast<std::int32_t>(
                           std::lround(900 * std::sin(0.02 * i) + 700 * std::cos(0.03 * j))),
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
    return PointSample{.height_q4 = high ? std::numeric_limits<std::int32_t>::max()
                                         : std::numeric_limits<std::int32_t>::min(),
                       .temperature_d = high ? std::numeric_limits<std::int16_t>::max()
                                             : std::numeric_limits<std::int16_t>::min(),
                       .humidity_d = high ? std::numeric_limits<std::int16_t>::min()
                                          : std::numeric_limits<std::int16_t>::max(),
                       .biome = static_cast<std::uint8_t>(high ? 255 : 0)};
  });
}

/// Trees of three kinds, here and there: each block has one with a chance of one in `rarity`.
inline std::vector<Placement> scattered_placements(const Chunk& chunk, unsigned rarity,
                                                   std::uint32_t seed) {
  std::mt19937 random(seed);
  const BlockPos origin = chunk_origin(chunk.coord, chunk.size, chunk.lod);
  std::vector<Placement> placements;
  for (int j = 0; j < chunk.size; ++j) {
    for (int i = 0; i < chunk.size; ++i) {
      if (random() % rarity != 0) continue;
      placements.push_back(
          {.anchor = {origin.x + i, origin.y + j},
           .kind = static_cast<std::uint8_t>(random() % 7 < 4 ? 2 : random() % 3 * 5),
           .turn = static_cast<std::uint8_t>(random()),
           .scale = static_cast<std::uint8_t>(75 + random() % 51)});
    }
  }
  return placements;
}

/// A ruin of a few rooms, and two rooms of one whose anchor lies in the chunk to the west; at
/// coarser levels the ruin alone.
inline void add_ruin(Chunk& chunk) {
  const BlockPos origin = chunk_origin(chunk.coord, chunk.size, chunk.lod);
  const BlockPos anchor{origin.x + 3, origin.y + 5};
  chunk.structures.push_back({.anchor = anchor,
                              .kind = 1,
                              .rooms = 4,
                              .from = {anchor.x - 8, anchor.y + 1},
                              .to = {anchor.x + 9, anchor.y + 12}});
  if (chunk.lod != 0) return;
  const BlockPos western{origin.x - 40, origin.y + 2};
  chunk.rooms.push_back({.corner = origin,
                         .floor_q4 = -48,
                         .structure = western,
                         .index = 2,
                         .kind = 0,
                         .piece = 7,
                         .turn = 3,
                         .open_doors = 0x81});
  chunk.rooms.push_back({.corner = {origin.x + 1, origin.y + 9},
                         .floor_q4 = -48,
                         .structure = western,
                         .index = 9,
                         .kind = 0,
                         .piece = 0,
                         .turn = 0,
                         .open_doors = 1});
  for (std::uint16_t index = 0; index < 4; ++index) {
    chunk.rooms.push_back({.corner = {anchor.x + 3 * index, anchor.y + 1 + index},
                           .floor_q4 = 1000 + 16 * index,
                           .structure = anchor,
                           .index = index,
                           .kind = 1,
                           .piece = static_cast<std::uint8_t>(index % 3),
                           .turn = static_cast<std::uint8_t>(index % 4),
                           .open_doors = static_cast<std::uint8_t>(1U << index)});
  }
}

/// A chunk with every layer: hills, a lake, a river that falls from west to east, a forest's edge,
/// patches of rocks, and at lod 0 what stands there.
inline Chunk full_chunk(int size, Lod lod = 0, int seed = 1) {
  Chunk chunk = hilly_chunk(size, lod, seed);
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) {
      const bool lake =
          (i - size / 2) * (i - size / 2) + (j - size / 4) * (j - size / 4) < size * size / 40;
      const bool river = std::abs(j - size * 3 / 4 - static_cast<int>(3 * std::sin(0.2 * i))) < 3;
      chunk.water_q4.push_back(lake ? 320 : river ? 400 - i / 2 : kNoWater);
      chunk.forest_p.push_back(
          static_cast<std::uint8_t>(std::clamp(2 * i + j / 2 - 30 - 5 * seed, 0, 100)));
      chunk.rocks_p.push_back(static_cast<std::uint8_t>((i / 9 + j / 7 + seed) % 5 == 0 ? 35 : 4));
    }
  }
  if (lod == 0)
    chunk.placements = scattered_placements(chunk, 30, static_cast<std::uint32_t>(seed));
  if (lod <= kMaxStructureLod) add_ruin(chunk);
  return chunk;
}

/// The chunk without the layers outside of `mask`.
inline Chunk only(Chunk chunk, LayerMask mask) {
  if ((mask & layer_bit(Layer::kHeight)) == 0) chunk.height_q4.clear();
  if ((mask & layer_bit(Layer::kTemperature)) == 0) chunk.temperature_d.clear();
  if ((mask & layer_bit(Layer::kHumidity)) == 0) chunk.humidity_d.clear();
  if ((mask & layer_bit(Layer::kBiome)) == 0) chunk.biome.clear();
  if ((mask & layer_bit(Layer::kWater)) == 0) chunk.water_q4.clear();
  if ((mask & layer_bit(Layer::kForest)) == 0) chunk.forest_p.clear();
  if ((mask & layer_bit(Layer::kRocks)) == 0) chunk.rocks_p.clear();
  if ((mask & layer_bit(Layer::kPlacements)) == 0) chunk.placements.clear();
  if ((mask & layer_bit(Layer::kStructures)) == 0) {
    chunk.structures.clear();
    chunk.rooms.clear();
  }
  return chunk;
}

}  // namespace terrane::test
