#pragma once

#include <cstdint>

#include "worldgen/noise/fractal_noise.h"
#include "worldgen/noise/octave.h"

/// Gradient noise at points that lie anywhere near the samples of a grid: domain warping, and the
/// noise's slope. The lattices are those of fill_fractal_noise; each point costs several times as
/// much.
namespace terrane::worldgen::noise {

/// How far from its sample each point lies, in blocks: grid.height rows of row_pitch(grid.width)
/// floats, aligned to 64 bytes.
struct Displacement {
  const float* x = nullptr;
  const float* y = nullptr;
  float reach = 0;  // no displacement is larger, either sign, along either axis
};

/// Where results go, laid out as the displacements are.
struct NoiseOut {
  float* value = nullptr;
  float* slope_x = nullptr;  // change of the value per block; null when not wanted (then both are)
  float* slope_y = nullptr;
};

/// One octave, times its amplitude. The slope is that of the noise at the displaced point. What
/// lies behind a row's width is computed from whatever displacements stand there, and must not be
/// read.
void fill_displaced_octave(const Octave& octave, const SampleGrid& grid,
                           const Displacement& displacement, SimdTarget target,
                           const NoiseOut& out);

/// The sum of all octaves, as fill_fractal_noise gives it: within [-1, 1].
void fill_displaced_noise(const FractalNoise& noise, std::uint64_t key, const SampleGrid& grid,
                          const Displacement& displacement, SimdTarget target, float* out);

}  // namespace terrane::worldgen::noise
