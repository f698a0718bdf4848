#pragma once

#include <cstdint>

#include "worldgen/noise/fractal_noise.h"

namespace terrane::worldgen::noise {

/// The values of one noise over one grid of at most kMaxNoiseSquare samples along an edge, row
/// after row (row_pitch(width) == width, or one row only).
struct Field {
  alignas(64) float values[kMaxNoiseSquare * kMaxNoiseSquare];

  void fill(const FractalNoise& noise, std::uint64_t key, const SampleGrid& grid,
            SimdTarget target) {
    fill_fractal_noise(noise, key, grid, target, values);
  }
  float operator[](std::size_t i) const { return values[i]; }
};

}  // namespace terrane::worldgen::noise
