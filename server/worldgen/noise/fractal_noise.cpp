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

void fill_fractal_noise(const FractalNoise& noise, std::uint64_t key, const SampleGrid& grid,
                        SimdTarget target, std::span<float> out) {
  assert(is_valid(noise));
  assert(grid.width >= 1 && grid.width <= kMaxGridSize && grid.height >= 1 &&
         grid.height <= kMaxGridSize);
  assert(out.size() >= static_cast<std::size_t>(grid.height * row_pitch(grid.width)));
  std::array<Octave, kMaxOctaves> octaves;
  make_octaves(noise, key, octaves.data());
  TERRANE_CALL_TARGET(target, fill_octaves(octaves.data(), noise.octaves, grid, out.data()));
}

}  // namespace terrane::worldgen::noise

#endif  // HWY_ONCE
