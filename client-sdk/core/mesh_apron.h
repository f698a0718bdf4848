#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "surface.h"

namespace terrane::core {

/// The vertices of a tile's mesh and one ring more around them, i and j from -1 to S + 1. What is
/// not at hand of the ring continues the slope. Keeps its memory from one tile to the next.
class Apron {
 public:
  void fill(const Land& land, const LandNode& node);

  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] int stride() const { return stride_; }
  [[nodiscard]] std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(std::ptrdiff_t{j + 1} * stride_ + i + 1);
  }
  /// Blocks. The value of (i, j) is at index(i, j), here and below.
  [[nodiscard]] const float* heights() const { return heights_.data(); }
  [[nodiscard]] const std::uint8_t* biomes() const { return biomes_.data(); }
  /// Only where is_wet(): kDry where no water stands.
  [[nodiscard]] const float* waters() const { return waters_.data(); }
  [[nodiscard]] bool is_wet() const { return wet_; }

  static constexpr float kDry = -1e9f;

 private:
  void set(int i, int j, const Point& point);
  void fill_own(const LandNode& node);
  void fill_edge(const Land& land, Surface& surface, const LandNode& node, std::size_t k);
  void copy_edge(const LandNode& from, std::size_t k);
  void fill_corner(Surface& surface, const LandNode& node, bool east, bool south);
  void fill_beyond(Surface& surface, const LandNode& node, int i, int j);
  [[nodiscard]] BlockPos block(const LandNode& node, int i, int j) const;

  int size_ = 0, stride_ = 0;
  bool wet_ = false;
  std::vector<float> heights_, waters_;
  std::vector<std::uint8_t> biomes_;
};

}  // namespace terrane::core
