#include "mesh.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

#include "chunk_handle.h"

namespace terrane::core {
namespace {

constexpr int kMostBiomes = 4;

/// The sides of a quarter, each walked so that the land lies on the left on a map, north above:
/// from its corner (from_i, from_j) on, in units of a quarter.
struct QuarterSide {
  int from_i, from_j, step_i, step_j;
};
constexpr std::array<QuarterSide, 4> kSides{{
    {0, 0, 0, 1},   // west, towards the south
    {1, 1, 0, -1},  // east, towards the north
    {1, 0, -1, 0},  // north, towards the west
    {0, 1, 1, 0},   // south, towards the east
}};

/// Whether triangles end at a quarter's side: what is beyond is another tile's, or left out.
bool is_outer(int quarter, int side, std::uint8_t left_out) {
  const bool along_x = side < 2, positive = side % 2 == 1;
  const int bit = along_x ? 1 : 2;
  if (((quarter & bit) != 0) == positive) return true;
  return (left_out >> (quarter ^ bit) & 1) != 0;
}

/// How far land beyond an edge may lie below it: what the edge deviates from itself at two, four, …
/// times the spacing, the largest step from one vertex to the next, and one spacing.
float skirt_depth(const std::vector<float>& edge, float spacing) {
  float most = 0, step = 0;
  const std::size_t last = edge.size() - 1;
  for (std::size_t k = 0; k < last; ++k) step = std::max(step, std::abs(edge[k + 1] - edge[k]));
  for (std::size_t wide = 2; wide <= last; wide *= 2) {
    const float share = 1.0f / static_cast<float>(wide);
    for (std::size_t from = 0; from < last; from += wide) {
      const float slope = (edge[from + wide] - edge[from]) * share;
      for (std::size_t k = 1; k < wide; ++k) {
        const float line = edge[from] + slope * static_cast<float>(k);
        most = std::max(most, std::abs(edge[from + k] - line));
      }
    }
  }
  return most + step + spacing;
}

/// The nine samples are all of the one in the middle. Reads a fourth byte of each row.
bool is_one_biome(const std::uint8_t* at, int stride) {
  std::uint32_t rows[3];
  std::memcpy(&rows[0], at - stride - 1, 4);
  std::memcpy(&rows[1], at - 1, 4);
  std::memcpy(&rows[2], at + stride - 1, 4);
  // the fourth byte is that of greatest address
  std::uint32_t mask = 0;
  constexpr std::uint8_t kThree[4] = {0xff, 0xff, 0xff, 0};
  std::memcpy(&mask, kThree, 4);
  const std::uint32_t all = 0x01010101u * *at;
  return (((rows[0] ^ all) | (rows[1] ^ all) | (rows[2] ^ all)) & mask) == 0;
}

/// The least and the greatest of many heights: in eight lanes, which do not wait for each other.
struct Range {
  static constexpr int kLanes = 8;
  std::array<float, kLanes> least, most;

  Range() {
    least.fill(std::numeric_limits<float>::infinity());
    most.fill(-std::numeric_limits<float>::infinity());
  }
  void take(std::size_t lane, float z) {
    least[lane] = std::min(least[lane], z);
    most[lane] = std::max(most[lane], z);
  }
  void take_row(const float* heights, int count) {
    int k = 0;
    for (; k + kLanes <= count; k += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        take(lane, heights[k + static_cast<int>(lane)]);
    }
    for (; k < count; ++k) take(0, heights[k]);
  }
};

bool is_exact(const Land& land, const Tile& tile) {
  bool exact = true;
  for (std::size_t k = 0; k < kBeside.size() && exact; ++k) {
    for_each_spot_beside(
        land, tile, k, [&](BlockPos, const Spot& spot) { exact = exact && spot.node != nullptr; });
  }
  return exact;
}

}  // namespace

void blend_biomes(const std::uint8_t* at, int stride, std::uint8_t biomes[4],
                  std::uint8_t weights[4]) {
  struct Share {
    int weight;
    std::uint8_t biome;
  };
  std::array<Share, 9> shares;
  std::size_t count = 0;
  for (int j = -1; j <= 1; ++j) {
    for (int i = -1; i <= 1; ++i) {
      const std::uint8_t biome = at[j * stride + i];
      const int weight = (2 - std::abs(i)) * (2 - std::abs(j));
      std::size_t k = 0;
      while (k < count && shares[k].biome != biome) ++k;
      if (k == count) shares[count++] = {0, biome};
      shares[k].weight += weight;
    }
  }
  std::sort(shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(count),
            [](const Share& a, const Share& b) {
              return a.weight != b.weight ? a.weight > b.weight : a.biome < b.biome;
            });
  const std::size_t kept = std::min<std::size_t>(count, kMostBiomes);
  int all = 0, left = 255;
  for (std::size_t k = 0; k < kept; ++k) all += shares[k].weight;
  for (std::size_t k = 0; k < kMostBiomes; ++k) {
    const int weight = k < kept ? shares[k].weight * 255 / all : 0;
    biomes[k] = k < kept ? shares[k].biome : std::uint8_t{0};
    weights[k] = static_cast<std::uint8_t>(weight);
    left -= weight;
  }
  weights[0] = static_cast<std::uint8_t>(weights[0] + left);
}

void Mesh::build(const Land& land, const LandNode& node, std::uint8_t left_out) {
  const Tile& tile = node.tile;
  const BlockPos origin = chunk_origin(tile.coord, land.size(), tile.lod);
  const auto spacing = static_cast<float>(std::int64_t{1} << tile.lod);
  apron_.fill(land, node);
  reserve();
  info_ = {};
  info_.exact = is_exact(land, tile) ? 1 : 0;
  info_.tile = to_c(tile);
  info_.origin = {origin.x, origin.y};
  info_.left_out = left_out;
  fill_vertices(node);
  fill_indices(node.holes.get(), left_out);
  add_skirts(left_out);
  water_.build(apron_, spacing, left_out);
  find_range(left_out);
}

/// All the memory that the mesh may take: where there is none, the last mesh is as it was.
void Mesh::reserve() {
  const auto size = static_cast<std::size_t>(apron_.size());
  constexpr std::size_t kSkirts = 16;  // of half an edge each, at most
  vertices_.reserve((size + 1) * (size + 1) + kSkirts * (size / 2 + 1));
  indices_.reserve(6 * (size * size + kSkirts * size / 2));
  edge_.reserve(size / 2 + 1);
  if (apron_.is_wet()) water_.reserve(apron_.size());
}

terrane_mesh_info Mesh::info() const {
  terrane_mesh_info info = info_;
  info.vertices = vertices_.data();
  info.vertex_count = vertices_.size();
  info.indices = indices_.data();
  info.index_count = indices_.size();
  info.ground_index_count = ground_index_count_;
  info.water_vertices = water_.vertices().data();
  info.water_vertex_count = water_.vertices().size();
  info.water_indices = water_.indices().data();
  info.water_index_count = water_.indices().size();
  return info;
}

void Mesh::fill_vertices(const LandNode& node) {
  const int size = apron_.size(), stride = apron_.stride();
  const auto spacing = static_cast<float>(std::int64_t{1} << node.tile.lod);
  const float slope = 0.5f / spacing;
  const std::size_t edge = static_cast<std::size_t>(size) + 1;
  vertices_.resize(edge * edge);
  terrane_vertex* vertex = vertices_.data();
  for (int j = 0; j <= size; ++j) {
    const float* heights = apron_.heights() + apron_.index(0, j);
    const std::uint8_t* biomes = apron_.biomes() + apron_.index(0, j);
    for (int i = 0; i <= size; ++i, ++vertex) {
      const float x = (heights[i - 1] - heights[i + 1]) * slope;
      const float y = (heights[i - stride] - heights[i + stride]) * slope;
      const float up = 1 / std::sqrt(x * x + y * y + 1);
      vertex->x = static_cast<float>(i) * spacing;
      vertex->y = static_cast<float>(j) * spacing;
      vertex->z = heights[i];
      vertex->normal[0] = x * up;
      vertex->normal[1] = y * up;
      vertex->normal[2] = up;
      if (is_one_biome(biomes + i, stride)) {
        const std::uint8_t biome = biomes[i];
        vertex->biomes[0] = biome;
        vertex->biomes[1] = vertex->biomes[2] = vertex->biomes[3] = 0;
        vertex->weights[0] = 255;
        vertex->weights[1] = vertex->weights[2] = vertex->weights[3] = 0;
      } else {
        blend_biomes(biomes + i, stride, vertex->biomes, vertex->weights);
      }
    }
  }
}

/// Those of the skirts are as many for the same quarters, so they are the same, too.
void Mesh::fill_indices(const Holes* holes, std::uint8_t left_out) {
  if (holes == nullptr && indexed_size_ == apron_.size() && indexed_left_out_ == left_out) return;
  indices_.clear();
  for (int quarter = 0; quarter < 4; ++quarter) {
    if ((left_out >> quarter & 1) == 0) add_quarter(quarter, holes);
  }
  ground_index_count_ = indices_.size();
  const auto half = static_cast<std::uint32_t>(apron_.size() / 2);
  const auto edge = static_cast<std::uint32_t>(apron_.size() + 1);
  auto below = static_cast<std::uint32_t>(vertices_.size());
  for (int quarter = 0; quarter < 4; ++quarter) {
    if ((left_out >> quarter & 1) != 0) continue;
    for (int side = 0; side < 4; ++side) {
      if (!is_outer(quarter, side, left_out)) continue;
      const QuarterSide& walk = kSides[static_cast<std::size_t>(side)];
      const auto i = static_cast<std::uint32_t>((quarter & 1) + walk.from_i) * half;
      const auto j = static_cast<std::uint32_t>((quarter >> 1) + walk.from_j) * half;
      const auto step =
          static_cast<std::uint32_t>(walk.step_j) * edge + static_cast<std::uint32_t>(walk.step_i);
      std::uint32_t at = j * edge + i;
      for (std::uint32_t k = 0; k < half; ++k, at += step, ++below)
        indices_.insert(indices_.end(), {at, at + step, below + 1, at, below + 1, below});
      ++below;
    }
  }
  indexed_size_ = holes == nullptr ? apron_.size() : 0;
  indexed_left_out_ = left_out;
}

void Mesh::add_quarter(int quarter, const Holes* holes) {
  const int half = apron_.size() / 2, i0 = (quarter & 1) * half, j0 = (quarter >> 1) * half;
  const auto edge = static_cast<std::uint32_t>(apron_.size() + 1);
  for (int j = j0; j < j0 + half; ++j) {
    for (int i = i0; i < i0 + half; ++i) {
      const int cell = j * apron_.size() + i;
      if (holes != nullptr && (*holes)[static_cast<std::size_t>(cell)] != 0) {
        ++info_.holes;
        continue;
      }
      const std::uint32_t at = static_cast<std::uint32_t>(j) * edge + static_cast<std::uint32_t>(i);
      indices_.insert(indices_.end(), {at, at + 1, at + edge + 1, at, at + edge + 1, at + edge});
    }
  }
}

void Mesh::add_skirts(std::uint8_t left_out) {
  const auto spacing = static_cast<float>(std::int64_t{1} << info_.tile.lod);
  for (int quarter = 0; quarter < 4; ++quarter) {
    if ((left_out >> quarter & 1) != 0) continue;
    for (int side = 0; side < 4; ++side) {
      if (is_outer(quarter, side, left_out)) add_skirt(quarter, side, spacing);
    }
  }
}

void Mesh::add_skirt(int quarter, int side, float spacing) {
  const std::ptrdiff_t half = apron_.size() / 2, row = apron_.size() + 1;
  const QuarterSide& walk = kSides[static_cast<std::size_t>(side)];
  const std::ptrdiff_t i = ((quarter & 1) + walk.from_i) * half;
  const std::ptrdiff_t j = ((quarter >> 1) + walk.from_j) * half;
  const std::ptrdiff_t from = j * row + i, step = walk.step_j * row + walk.step_i;
  const terrane_vertex* const ground = vertices_.data() + from;
  edge_.clear();
  for (std::ptrdiff_t k = 0; k <= half; ++k) edge_.push_back(ground[k * step].z);
  const float depth = skirt_depth(edge_, spacing);
  for (std::ptrdiff_t k = 0; k <= half; ++k) {
    terrane_vertex below = vertices_[static_cast<std::size_t>(from + k * step)];
    below.z -= depth;
    vertices_.push_back(below);
  }
}

void Mesh::find_range(std::uint8_t left_out) {
  Range range;
  const int half = apron_.size() / 2;
  for (int quarter = 0; quarter < 4; ++quarter) {
    if ((left_out >> quarter & 1) != 0) continue;
    const int i0 = (quarter & 1) * half, j0 = (quarter >> 1) * half;
    for (int j = j0; j <= j0 + half; ++j)
      range.take_row(apron_.heights() + apron_.index(i0, j), half + 1);
  }
  const auto row = static_cast<std::size_t>(apron_.size()) + 1;
  for (std::size_t k = row * row; k < vertices_.size(); ++k) range.take_row(&vertices_[k].z, 1);
  for (const terrane_water_vertex& vertex : water_.vertices()) range.take_row(&vertex.z, 1);
  const float least = *std::min_element(range.least.begin(), range.least.end());
  const float most = *std::max_element(range.most.begin(), range.most.end());
  info_.min_z = least <= most ? least : 0;
  info_.max_z = least <= most ? most : 0;
}

}  // namespace terrane::core
