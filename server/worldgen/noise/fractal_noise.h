#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "terrane/coord.h"
#include "worldgen/noise/simd_target.h"

namespace terrane::worldgen::noise {

/// `cells` lattice cells in `blocks` blocks: a rational, exact at any distance.
struct Frequency {
  std::uint32_t cells = 1;   // 1 … 1,024
  std::uint32_t blocks = 1;  // 1 … 2^20

  friend bool operator==(const Frequency&, const Frequency&) = default;
};

/// Fractal sum of two-dimensional gradient noise. Octave k has 2^k times the frequency and gain^k
/// times the amplitude of octave 0.
struct FractalNoise {
  Frequency frequency;
  int octaves = 1;    // 1 … kMaxOctaves
  float gain = 0.5f;  // (0, 1]

  friend bool operator==(const FractalNoise&, const FractalNoise&) = default;
};

inline constexpr int kMaxOctaves = 16;
// samples along one edge of a grid that the generator fills
inline constexpr int kMaxGridSize = 4 * kMaxChunkSize;
// samples along one edge of what is computed at once: larger grids are filled in such squares
inline constexpr int kMaxNoiseSquare = kMaxChunkSize;
// rows of results start at multiples of this many floats
inline constexpr int kRowAlignment = 16;

/// Sample (i, j) lies at block origin + (i, j) * stride.
struct SampleGrid {
  BlockPos origin;
  std::int64_t stride = 1;  // 1 … 2^16 blocks
  int width = 0;            // at least 1
  int height = 0;           // at least 1

  friend bool operator==(const SampleGrid&, const SampleGrid&) = default;
};

/// Floats from one row of results to the next.
constexpr int row_pitch(int width) {
  return (width + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
}

/// Floats that hold the values of a grid: rows of row_pitch(width).
[[nodiscard]] constexpr std::size_t field_size(const SampleGrid& grid) {
  return static_cast<std::size_t>(grid.height) * static_cast<std::size_t>(row_pitch(grid.width));
}

/// Part of a grid, and where its first value is in the whole grid's field.
struct GridSquare {
  SampleGrid grid;
  std::size_t at = 0;
};

/// Calls visit(GridSquare) for the parts of a grid that are computed at once.
template <typename Visit>
void for_squares(const SampleGrid& grid, const Visit& visit) {
  const auto size_from = [](int first, int count) {
    return count - first < kMaxNoiseSquare ? count - first : kMaxNoiseSquare;
  };
  for (int y = 0; y < grid.height; y += kMaxNoiseSquare) {
    for (int x = 0; x < grid.width; x += kMaxNoiseSquare) {
      const BlockPos origin{grid.origin.x + x * grid.stride, grid.origin.y + y * grid.stride};
      visit(
          GridSquare{{origin, grid.stride, size_from(x, grid.width), size_from(y, grid.height)},
                     static_cast<std::size_t>(y) * static_cast<std::size_t>(row_pitch(grid.width)) +
                         static_cast<std::size_t>(x)});
    }
  }
}

/// Whether the finest octave is at least one block long and no product can overflow: what
/// fill_fractal_noise asks of its spec.
[[nodiscard]] bool is_valid(const FractalNoise& noise);

/// Fills `out` with the noise at every sample of a grid, divided by its largest possible value:
/// within [-1, 1].
///
/// Gradient noise after Ken Perlin, "Improving Noise" (2002): unit gradients on a square lattice,
/// quintic fade; gradients point in a continuum of hashed directions. Octave k of a sample at block
/// x lies at lattice position (x * n + offset + 1/2) / d, with n / d = frequency * 2^k in lowest
/// terms and a hashed offset in [0, d), all in integers: nothing is lost far out.
///
/// @param key     stream of random values (hash.h)
/// @param out     grid.height rows of row_pitch(grid.width) floats, aligned to 64 bytes; what lies
///   behind a row's `width` is unspecified
///
/// The same bits on every target and CPU, and for whatever grid the sample is part of. Threads:
/// any. Blocks: no.
void fill_fractal_noise(const FractalNoise& noise, std::uint64_t key, const SampleGrid& grid,
                        SimdTarget target, std::span<float> out);

}  // namespace terrane::worldgen::noise
