#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "worldgen/world.h"

/// Squares of a world's land as what measures it reads them.
namespace terrane::land {

/// What lies on a cell.
enum class Cover : std::uint8_t { kDry, kSea, kRiver, kLake };

/// A square of samples, row after row. 1 block is 1 m.
struct Window {
  int size = 0;          // samples along one edge
  double cell = 1;       // blocks from one sample to the next
  std::vector<float> z;  // blocks: the ground, or the water's surface where there is water
  std::vector<Cover> cover;

  [[nodiscard]] std::size_t at(int i, int j) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(size) +
           static_cast<std::size_t>(i);
  }
  [[nodiscard]] bool has(int i, int j) const { return i >= 0 && j >= 0 && i < size && j < size; }
  [[nodiscard]] bool is_land(std::size_t k) const { return cover[k] != Cover::kSea; }
  [[nodiscard]] bool is_dry(std::size_t k) const { return cover[k] == Cover::kDry; }
  [[nodiscard]] double cell_area() const { return cell * cell; }             // m²
  [[nodiscard]] double area_km2() const { return width() * width() / 1e6; }  // km²
  [[nodiscard]] double width() const { return size * cell; }                 // m
};

/// A dry window without relief.
[[nodiscard]] Window flat_window(int size, double cell);

/// A world, seed and instruction set to make windows of.
struct Source {
  worldgen::World world;  // as prepared() leaves it
  std::uint64_t seed = 0;
};

/// `world` without what stands on its ground, and with every level of detail: neither changes the
/// height or the water of a sample, but for the levelled ground of structures.
[[nodiscard]] worldgen::World prepared(worldgen::World world);

/// `size` x `size` samples, 2^lod blocks apart. Samples of every level of detail are those of the
/// finest, so the window shows the real land, thinned out.
/// @param x, y  blocks: the first sample; multiples of 2^lod
/// @param size  a multiple of 16
/// Threads: any.
[[nodiscard]] Window make_window(const Source& source, std::int64_t x, std::int64_t y, Lod lod,
                                 int size);

/// Heights (blocks) of a row of samples from (x, y) on, 2^lod blocks apart. Threads: any.
[[nodiscard]] std::vector<double> make_profile(const Source& source, std::int64_t x, std::int64_t y,
                                               Lod lod, int size);

/// Every `step`-th sample of every `step`-th row.
[[nodiscard]] Window thinned(const Window& window, int step);

/// Means of squares of `step` x `step` samples; the cover is that of their middle.
[[nodiscard]] Window averaged(const Window& window, int step);

}  // namespace terrane::land
