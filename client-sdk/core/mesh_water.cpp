#include "mesh_water.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace terrane::core {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

bool is_wet(const Apron& apron, std::size_t at) { return apron.waters()[at] > apron.heights()[at]; }

/// The level of a vertex that some wet one is next to. Those on the edge of a coarser tile have one
/// already.
float level_at(const Apron& apron, int i, int j) {
  const std::size_t at = apron.index(i, j);
  if (apron.waters()[at] != Apron::kDry) return apron.waters()[at];
  for (const ChunkCoord& to : kBeside) {
    const std::size_t near = apron.index(i + static_cast<int>(to.x), j + static_cast<int>(to.y));
    if (is_wet(apron, near)) return std::min(apron.waters()[near], apron.heights()[at]);
  }
  return apron.heights()[at];
}

}  // namespace

void WaterMesh::reserve(int size) {
  const auto cells = static_cast<std::size_t>(size);
  vertices_.reserve((cells + 1) * (cells + 1));
  indices_.reserve(6 * cells * cells);
  known_.reserve((cells + 1) * (cells + 1));
}

void WaterMesh::build(const Apron& apron, float spacing, std::uint8_t left_out) {
  vertices_.clear();
  indices_.clear();
  if (!apron.is_wet()) return;
  const std::size_t edge = static_cast<std::size_t>(apron.size()) + 1;
  known_.assign(edge * edge, kNone);
  for (int quarter = 0; quarter < 4; ++quarter) {
    if ((left_out >> quarter & 1) == 0) add_quarter(apron, spacing, quarter);
  }
}

void WaterMesh::add_quarter(const Apron& apron, float spacing, int quarter) {
  const int half = apron.size() / 2, i0 = (quarter & 1) * half, j0 = (quarter >> 1) * half;
  const auto row = static_cast<std::size_t>(apron.stride());
  for (int j = j0; j < j0 + half; ++j) {
    for (int i = i0; i < i0 + half; ++i) {
      const std::size_t at = apron.index(i, j);
      if (!is_wet(apron, at) && !is_wet(apron, at + 1) && !is_wet(apron, at + row) &&
          !is_wet(apron, at + row + 1))
        continue;
      const std::uint32_t a = vertex(apron, spacing, i, j), b = vertex(apron, spacing, i + 1, j);
      const std::uint32_t c = vertex(apron, spacing, i, j + 1);
      const std::uint32_t d = vertex(apron, spacing, i + 1, j + 1);
      indices_.insert(indices_.end(), {a, b, d, a, d, c});
    }
  }
}

std::uint32_t WaterMesh::vertex(const Apron& apron, float spacing, int i, int j) {
  std::uint32_t& known =
      known_[static_cast<std::size_t>(std::ptrdiff_t{j} * (apron.size() + 1) + i)];
  if (known != kNone) return known;
  const float level = level_at(apron, i, j);
  known = static_cast<std::uint32_t>(vertices_.size());
  vertices_.push_back({static_cast<float>(i) * spacing, static_cast<float>(j) * spacing, level,
                       level - apron.heights()[apron.index(i, j)]});
  return known;
}

}  // namespace terrane::core
