#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>

/// Coordinates and identities. Block, chunk and sample coordinates are different types; all
/// functions are pure.
namespace terrane {

/// A place in the world, in blocks. Negative values are ordinary.
struct BlockPos {
  std::int64_t x = 0;
  std::int64_t y = 0;
  friend auto operator<=>(const BlockPos&, const BlockPos&) = default;
};

/// A chunk's place in the grid of chunks of one level of detail.
struct ChunkCoord {
  std::int64_t x = 0;
  std::int64_t y = 0;
  friend auto operator<=>(const ChunkCoord&, const ChunkCoord&) = default;
};

/// Level of detail: samples are 2^lod blocks apart.
using Lod = std::uint8_t;

/// A chunk of some level of detail.
struct Tile {
  Lod lod = 0;
  ChunkCoord coord;
  friend auto operator<=>(const Tile&, const Tile&) = default;
};

inline constexpr Lod kMaxLod = 16;
inline constexpr int kMinChunkSize = 16;   // samples along one edge; sizes are powers of two
inline constexpr int kMaxChunkSize = 128;  // samples along one edge

/// Largest chunk coordinate, either sign, at level of detail `lod` (at most kMaxLod).
constexpr std::int64_t max_chunk_coord(Lod lod) { return std::int64_t{1} << (40 - lod); }

/// Largest block coordinate that some lod-0 chunk of `chunk_size` samples covers; the smallest is
/// -(2^40 * chunk_size).
constexpr std::int64_t max_block_coord(int chunk_size) {
  return (max_chunk_coord(0) + 1) * chunk_size - 1;
}
constexpr std::int64_t min_block_coord(int chunk_size) { return -max_chunk_coord(0) * chunk_size; }

/// a / b rounded towards minus infinity, for b > 0.
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

/// World block of a chunk's first sample.
constexpr BlockPos chunk_origin(ChunkCoord chunk, int chunk_size, Lod lod) {
  const std::int64_t span = std::int64_t{chunk_size} << lod;
  return {chunk.x * span, chunk.y * span};
}

/// The chunk whose span covers a block.
constexpr ChunkCoord chunk_of(BlockPos block, int chunk_size, Lod lod) {
  const std::int64_t span = std::int64_t{chunk_size} << lod;
  return {floor_div(block.x, span), floor_div(block.y, span)};
}

/// Identity of what is generated: equal fingerprints mean equal chunks for equal seeds.
using WorldFingerprint = std::uint64_t;

/// Full identity of one immutable chunk.
struct ChunkKey {
  WorldFingerprint fingerprint = 0;
  std::uint64_t seed = 0;
  Lod lod = 0;
  ChunkCoord coord;
  friend auto operator<=>(const ChunkKey&, const ChunkKey&) = default;
};

/// Hash for unordered containers; not stable across versions, not for storage.
struct ChunkKeyHash {
  std::size_t operator()(const ChunkKey& key) const noexcept {
    std::uint64_t h = key.fingerprint ^ (key.seed * 0x9e3779b97f4a7c15u) ^ key.lod;
    for (const std::int64_t v : {key.coord.x, key.coord.y}) {
      h = (h ^ static_cast<std::uint64_t>(v)) * 0xff51afd7ed558ccdu;
      h ^= h >> 32;
    }
    return static_cast<std::size_t>(h);
  }
};

}  // namespace terrane

/// Hash for unordered containers; not stable across versions, not for storage.
template <>
struct std::hash<terrane::Tile> {
  std::size_t operator()(const terrane::Tile& tile) const noexcept {
    return terrane::ChunkKeyHash{}({0, 0, tile.lod, tile.coord});
  }
};
