#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "terrane/chunk.h"
#include "worldgen/generate.h"

namespace terrane::bench {

/// Chunks from all over a world, the same ones in every run.
inline std::vector<Chunk> scattered_chunks(const worldgen::World& world, Lod lod, std::size_t count) {
  std::vector<Chunk> chunks;
  std::uint64_t hash = 0x9e3779b97f4a7c15u;
  const auto next = [&hash] {
    hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9u;
    return static_cast<std::int64_t>(hash >> 20 & 0x3ffff) - 0x20000;
  };
  while (chunks.size() < count) {
    const ChunkCoord coord{next() >> lod, next() >> lod};
    std::optional<Chunk> chunk =
        worldgen::generate(world, 1, coord, lod, std::stop_token(), worldgen::noise::supported_targets().back());
    if (chunk) chunks.push_back(*std::move(chunk));
  }
  return chunks;
}

}  // namespace terrane::bench
