// clang-format off: the order of these matters
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "worldgen/noise/fractal_noise.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
#include "worldgen/noise/fractal_noise-inl.h"
// clang-format on

#if HWY_ONCE

#include <array>
#include <cassert>

namespace terrane::worldgen::noise {

namespace {

// The largest value of two-dimensional gradient noise with unit gradients is sqrt(1/2), in the middle of a cell; a hair less of
// amplitude makes up for the gradients' length, which is off by up to 1e-5.
constexpr float kInverseOfLargest = 1.41418f;

using Octaves = std::array<Octave, kMaxOctaves>;

void fill_octaves(SimdTarget target, const Octaves& octaves, int count, const SampleGrid& grid, float* out) {
  switch (target) {
#if HWY_TARGETS & HWY_AVX3
    case SimdTarget::kAvx512: return N_AVX3::fill_octaves(octaves.data(), count, grid, out);
#endif
#if HWY_TARGETS & HWY_AVX2
    case SimdTarget::kAvx2: return N_AVX2::fill_octaves(octaves.data(), count, grid, out);
#endif
#if HWY_TARGETS & HWY_SSE4
    case SimdTarget::kSse4: return N_SSE4::fill_octaves(octaves.data(), count, grid, out);
#endif
#if HWY_TARGETS & HWY_SSSE3
    case SimdTarget::kSsse3: return N_SSSE3::fill_octaves(octaves.data(), count, grid, out);
#endif
#if HWY_TARGETS & HWY_NEON
    case SimdTarget::kNeon: return N_NEON::fill_octaves(octaves.data(), count, grid, out);
#endif
#if HWY_TARGETS & HWY_SCALAR
    case SimdTarget::kScalar: return N_SCALAR::fill_octaves(octaves.data(), count, grid, out);
#endif
    default: assert(false && "an instruction set that this build does not hold");
  }
}

}  // namespace

bool is_valid(const FractalNoise& noise) {
  const Frequency f = noise.frequency;
  return f.cells >= 1 && f.cells <= 1024 && f.blocks >= 1 && f.blocks <= (1u << 20) && noise.octaves >= 1 &&
         noise.octaves <= kMaxOctaves && noise.gain > 0 && noise.gain <= 1 &&
         (std::uint64_t{f.cells} << (noise.octaves - 1)) <= f.blocks;
}

void fill_fractal_noise(const FractalNoise& noise, std::uint64_t key, const SampleGrid& grid, SimdTarget target,
                        std::span<float> out) {
  assert(is_valid(noise));
  assert(grid.width >= 1 && grid.width <= kMaxGridSize && grid.height >= 1 && grid.height <= kMaxGridSize);
  assert(out.size() >= static_cast<std::size_t>(grid.height * row_pitch(grid.width)));
  float sum = 0;
  float weight = 1;
  for (int k = 0; k < noise.octaves; ++k) {
    sum += weight;
    weight *= noise.gain;
  }
  Octaves octaves;
  float amplitude = kInverseOfLargest / sum;
  for (int k = 0; k < noise.octaves; ++k) {
    octaves[static_cast<std::size_t>(k)] = make_octave(noise, k, key, amplitude);
    amplitude *= noise.gain;
  }
  fill_octaves(target, octaves, noise.octaves, grid, out.data());
}

}  // namespace terrane::worldgen::noise

#endif  // HWY_ONCE
