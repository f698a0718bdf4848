#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mesh_apron.h"
#include "mesh_water.h"
#include "terrane/terrane.h"

namespace terrane::core {

/// A tile as triangles, as terrane_mesh_info has it: (S + 1)^2 vertices of the ground, row by row,
/// and then those at the lower ends of the skirts. Keeps its memory from one tile to the next.
/// Threads: one at a time.
class Mesh {
 public:
  /// Throws when there is no memory left; the last mesh is as it was then.
  /// @param node  at hand
  /// @param left_out  quarters without triangles: bit 2 * b + a, east for a, south for b
  void build(const Land& land, const LandNode& node, std::uint8_t left_out);

  [[nodiscard]] terrane_mesh_info info() const;

 private:
  void reserve();
  void fill_vertices(const LandNode& node);
  void fill_indices(const Holes* holes, std::uint8_t left_out);
  void add_quarter(int quarter, const Holes* holes);
  void add_skirts(std::uint8_t left_out);
  void add_skirt(int quarter, int side, float spacing);
  void find_range(std::uint8_t left_out);

  Apron apron_;
  WaterMesh water_;
  terrane_mesh_info info_{};
  std::vector<terrane_vertex> vertices_;
  std::vector<std::uint32_t> indices_;
  std::vector<float> edge_;  // of the skirt that is made
  std::size_t ground_index_count_ = 0;
  // what the indices are for
  int indexed_size_ = 0;
  std::uint8_t indexed_left_out_ = 0;
};

/// Four biomes at most and their shares of the 3 x 3 samples around `at`, which weigh 1, 2 and 4
/// 16ths in the middle of sides and in the middle: the weightiest first, of equal ones that of
/// smaller number. The shares come to 255.
/// @param stride  from one row to the next; the byte after the last of the nine is read, too
void blend_biomes(const std::uint8_t* at, int stride, std::uint8_t biomes[4],
                  std::uint8_t weights[4]);

}  // namespace terrane::core

struct terrane_mesh {
  terrane::core::Mesh mesh;
};
