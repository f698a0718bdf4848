// clang-format off: the order of these matters
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "worldgen/noise/fractal_noise.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
#include "worldgen/noise/fractal_noise-inl.h"
// clang-format on

#if HWY_ONCE

#include <array>
#include <cassert>

#include "worldgen/noise/per_target.h"

namespace terrane::worldgen::noise {

bool is_valid(const FractalNoise& noise) {
  const Frequency f = noise.frequency;
  return f.cells >= 1 && f.cells <= 1024 && f.blocks >= 1 && f.blocks <= (1u << 20) &&
         noise.octaves >= 1 && noise.octaves <= kMaxOctaves && noise.gain > 0 && noise.gain <= 1 &&
         (std::uint64_t{f.cells} << (noise.octaves - 1)) <= f.blocks;
}

namespace {

void fill_square(const Octave* octaves, int count, const SampleGrid& grid, SimdTarget target,
                 int pitch, float* out) {
  TERRANE_CALL_TARGET(target, fill_octaves(octaves, count, grid, pitch, out));
}

}  // namespace

void fill_fractal_noise(const FractalNoise& noise, std::uint64_t key, const SampleGrid& grid,
                        SimdTarget target, std::span<float> out) {
  assert(is_valid(noise));
  assert(grid.width >= 1 && grid.height >= 1 && out.size() >= field_size(grid));
  std::array<Octave, kMaxOctaves> octaves;
  make_octaves(noise, key, octaves.data());
  const int pitch = row_pitch(grid.width);
  for_squares(grid, [&](const GridSquare& square) {
    fill_square(octaves.data(), noise.octaves, square.grid, target, pitch, out.data() + square.at);
  });
}

}  // namespace terrane::worldgen::noise

#endif  // HWY_ONCE
