#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "terrane/chunk.h"
#include "unit/codec_chunks.h"
#include "worldgen/generate.h"

namespace terrane::bench {

/// Chunks from all over a world, the same ones in every run.
inline std::vector<Chunk> scattered_chunks(const worldgen::World& world, Lod lod,
                                           std::size_t count) {
  std::vector<Chunk> chunks;
  std::uint64_t hash = 0x9e3779b97f4a7c15u;
  const auto next = [&hash] {
    hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9u;
    return static_cast<std::int64_t>(hash >> 20 & 0x3ffff) - 0x20000;
  };
  while (chunks.size() < count) {
    const ChunkCoord coord{next() >> lod, next() >> lod};
    chunks.push_back(
        worldgen::generate(world, 1, coord, lod, worldgen::noise::supported_targets().back()));
  }
  return chunks;
}

/// Chunks of 64 samples with every layer, whatever the built-in worlds have: rivers, forests of 100
/// to 200 trees with soft edges, boulders in patches, and a ruin in every fourth.
inline std::vector<Chunk> dressed_chunks(std::size_t count) {
  std::vector<Chunk> chunks;
  for (std::size_t i = 0; i < count; ++i) {
    Chunk chunk = test::full_chunk(64, 0, static_cast<int>(i));
    for (std::size_t at = 0; at < chunk.forest_p.size(); ++at) {
      const double x = static_cast<double>(at % 64) + 13.0 * static_cast<double>(i),
                   y = static_cast<double>(at / 64);
      const double wave = std::sin(0.05 * x + 0.03 * y) + 0.5 * std::sin(0.11 * y - 0.02 * x);
      chunk.forest_p[at] = static_cast<std::uint8_t>(std::clamp(50 + 60 * wave, 0.0, 100.0));
      chunk.rocks_p[at] = static_cast<std::uint8_t>(
          std::clamp(60 * std::sin(0.2 * x) * std::sin(0.13 * y) - 20, 0.0, 100.0));
    }
    if (i % 4 != 0) {
      chunk.structures.clear();
      chunk.rooms.clear();
    }
    chunks.push_back(std::move(chunk));
  }
  return chunks;
}

}  // namespace terrane::bench
