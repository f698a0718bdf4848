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
inline constexpr int kMaxGridSize = kMaxChunkSize;  // samples along one edge of a SampleGrid
// rows of results start at multiples of this many floats
inline constexpr int kRowAlignment = 16;

/// Sample (i, j) lies at block origin + (i, j) * stride.
struct SampleGrid {
  BlockPos origin;
  std::int64_t stride = 1;  // 1 … 2^16 blocks
  int width = 0;            // 1 … kMaxGridSize
  int height = 0;           // 1 … kMaxGridSize

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
