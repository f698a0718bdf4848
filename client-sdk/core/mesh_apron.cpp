#include "mesh_apron.h"

#include <algorithm>
#include <cstring>

namespace terrane::core {
namespace {

constexpr float kBlocksPerQ4 = 1.0f / 16;

bool is_wet_around(const Land& land, const LandNode& node) {
  if (node.wet) return true;
  bool wet = false;
  for (std::size_t k = 0; k < kBeside.size() && !wet; ++k) {
    for_each_spot_beside(land, node.tile, k, [&](BlockPos, const Spot& spot) {
      wet = wet || (spot.node != nullptr && spot.node->wet);
    });
  }
  return wet;
}

}  // namespace

void Apron::fill(const Land& land, const LandNode& node) {
  size_ = land.size();
  stride_ = size_ + 3;
  const auto count = static_cast<std::size_t>(stride_) * static_cast<std::size_t>(stride_);
  heights_.resize(count);
  biomes_.resize(count + 1);  // vertices look at four at once
  wet_ = is_wet_around(land, node);
  if (wet_) waters_.assign(count, kDry);
  Surface surface(land);
  fill_own(node);
  for (std::size_t k = 0; k < 4; ++k) fill_edge(land, surface, node, k);
  for (const bool south : {false, true}) {
    for (const bool east : {false, true}) fill_corner(surface, node, east, south);
  }
}

BlockPos Apron::block(const LandNode& node, int i, int j) const {
  const BlockPos origin = chunk_origin(node.tile.coord, size_, node.tile.lod);
  const std::int64_t spacing = std::int64_t{1} << node.tile.lod;
  return {origin.x + i * spacing, origin.y + j * spacing};
}

void Apron::set(int i, int j, const Point& point) {
  heights_[index(i, j)] = static_cast<float>(point.height_q4) * kBlocksPerQ4;
  if (!wet_) return;
  waters_[index(i, j)] =
      point.water_q4 != kNoWater ? static_cast<float>(point.water_q4) * kBlocksPerQ4 : kDry;
}

void Apron::fill_own(const LandNode& node) {
  for (int j = 0; j < size_; ++j) {
    const std::ptrdiff_t from = std::ptrdiff_t{j} * size_;
    const std::int32_t* const heights = node.heights_q4 + from;
    float* const to = heights_.data() + index(0, j);
    for (int i = 0; i < size_; ++i) to[i] = static_cast<float>(heights[i]) * kBlocksPerQ4;
    if (node.biomes != nullptr) {
      std::memcpy(biomes_.data() + index(0, j), node.biomes + from,
                  static_cast<std::size_t>(size_));
    } else {
      std::memset(biomes_.data() + index(0, j), 0, static_cast<std::size_t>(size_));
    }
    if (!node.wet) continue;
    const std::int32_t* const waters = node.waters_q4 + from;
    float* const level = waters_.data() + index(0, j);
    for (int i = 0; i < size_; ++i)
      level[i] = waters[i] > heights[i] ? static_cast<float>(waters[i]) * kBlocksPerQ4 : kDry;
  }
}

/// All of the edge and of the ring beyond, but for their ends.
void Apron::fill_edge(const Land& land, Surface& surface, const LandNode& node, std::size_t k) {
  if ((node.beside >> k & 1u) != 0) {
    const ChunkCoord coord{node.tile.coord.x + kBeside[k].x, node.tile.coord.y + kBeside[k].y};
    copy_edge(*land.node({node.tile.lod, coord}), k);
    return;
  }
  const bool across = k < 2;  // the edge runs along y
  const int edge = k % 2 == 0 ? 0 : size_, ring = k % 2 == 0 ? -1 : size_ + 1;
  for (int t = 1; t < size_; ++t) {
    const int i = across ? edge : t, j = across ? t : edge;
    set(i, j, surface.vertex(node, i, j));
    if (edge == size_ && !surface.biome(block(node, i, j), node.tile.lod, biomes_[index(i, j)]))
      biomes_[index(i, j)] = biomes_[across ? index(i - 1, j) : index(i, j - 1)];
    fill_beyond(surface, node, across ? ring : t, across ? t : ring);
  }
}

/// The same from a neighbour of the same level: its samples are vertices of both.
void Apron::copy_edge(const LandNode& from, std::size_t k) {
  const bool across = k < 2, far = k % 2 == 1;
  for (int line = 0; line < (far ? 2 : 1); ++line) {
    const int own = far ? size_ + line : -1, its = far ? line : size_ - 1;
    for (int t = 1; t < size_; ++t) {
      const int i = across ? its : t, j = across ? t : its;
      const std::size_t to = across ? index(own, t) : index(t, own);
      const std::ptrdiff_t at = std::ptrdiff_t{j} * size_ + i;
      heights_[to] = static_cast<float>(from.heights_q4[at]) * kBlocksPerQ4;
      biomes_[to] = from.biomes != nullptr ? from.biomes[at] : std::uint8_t{0};
      if (wet_ && from.wet && from.waters_q4[at] > from.heights_q4[at])
        waters_[to] = static_cast<float>(from.waters_q4[at]) * kBlocksPerQ4;
    }
  }
}

void Apron::fill_corner(Surface& surface, const LandNode& node, bool east, bool south) {
  const int i = east ? size_ : 0, j = south ? size_ : 0;
  const int out_i = east ? size_ + 1 : -1, out_j = south ? size_ + 1 : -1;
  set(i, j, surface.vertex(node, i, j));
  if ((east || south) && !surface.biome(block(node, i, j), node.tile.lod, biomes_[index(i, j)]))
    biomes_[index(i, j)] = biomes_[index(std::min(i, size_ - 1), std::min(j, size_ - 1))];
  fill_beyond(surface, node, out_i, j);
  fill_beyond(surface, node, i, out_j);
  fill_beyond(surface, node, out_i, out_j);
}

/// One of the ring, whose neighbours towards the middle are filled already.
void Apron::fill_beyond(Surface& surface, const LandNode& node, int i, int j) {
  const int in_i = std::clamp(i, 0, size_), in_j = std::clamp(j, 0, size_);
  Point point;
  if (surface.beyond(block(node, i, j), node.tile.lod, point)) {
    set(i, j, point);
    surface.biome(block(node, i, j), node.tile.lod, biomes_[index(i, j)]);
    return;
  }
  const float here = heights_[index(in_i, in_j)];
  heights_[index(i, j)] = here + here - heights_[index(2 * in_i - i, 2 * in_j - j)];
  biomes_[index(i, j)] = biomes_[index(in_i, in_j)];
  if (wet_) waters_[index(i, j)] = kDry;
}

}  // namespace terrane::core
