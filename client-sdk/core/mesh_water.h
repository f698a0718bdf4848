#pragma once

#include <cstdint>
#include <vector>

#include "mesh_apron.h"
#include "terrane/terrane.h"

namespace terrane::core {

/// The water of a tile as triangles: of each cell with a corner under water. Corners on dry land
/// have the level of the nearest that is not, or the ground where that is lower: there the water
/// meets the shore. Keeps its memory from one tile to the next. Threads: one at a time.
class WaterMesh {
 public:
  /// All the memory that `build` may take. @param size  S
  void reserve(int size);

  /// @param spacing  blocks between samples
  /// @param left_out  as Mesh::build
  void build(const Apron& apron, float spacing, std::uint8_t left_out);

  [[nodiscard]] const std::vector<terrane_water_vertex>& vertices() const { return vertices_; }
  [[nodiscard]] const std::vector<std::uint32_t>& indices() const { return indices_; }

 private:
  void add_quarter(const Apron& apron, float spacing, int quarter);
  std::uint32_t vertex(const Apron& apron, float spacing, int i, int j);

  std::vector<terrane_water_vertex> vertices_;
  std::vector<std::uint32_t> indices_;
  std::vector<std::uint32_t> known_;  // of each vertex of the ground: that of the water, or kNone
};

}  // namespace terrane::core
