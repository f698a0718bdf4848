// clang-format off: the order of these matters
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "worldgen/noise/displaced_noise.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
#include "worldgen/noise/displaced_noise-inl.h"
// clang-format on

#if HWY_ONCE

#include <array>

#include "worldgen/noise/per_target.h"

namespace terrane::worldgen::noise {

namespace {

/// The lattice lines of one octave around one grid.
struct Lines {
  DisplacedAxis columns, rows;

  Lines(const Octave& octave, const SampleGrid& grid, float reach) {
    const int margin = static_cast<int>(std::ceil(reach * frequency_of(octave))) + 1;
    columns.fill(axis_start(octave, grid.origin.x, octave.offset_x, grid.stride), octave.den,
                 octave.key_x, grid.width, margin);
    rows.fill(axis_start(octave, grid.origin.y, octave.offset_y, grid.stride), octave.den,
              octave.key_y, grid.height, margin);
  }
};

/// How one octave's results are stored.
struct Storing {
  SimdTarget target;
  bool add;   // to what is there
  int pitch;  // floats from one row to the next
};

void fill_square(const Octave& octave, const SampleGrid& grid, const Displacement& displacement,
                 const Storing& how, const NoiseOut& out) {
  const Lines lines(octave, grid, displacement.reach);
  TERRANE_CALL_TARGET(how.target,
                      fill_displaced_any(octave, DisplacedAxes{lines.columns, lines.rows}, grid,
                                         displacement, how.add, how.pitch, out));
}

void fill_one(const Octave& octave, const SampleGrid& grid, const Displacement& displacement,
              SimdTarget target, bool add, const NoiseOut& out) {
  const Storing how{target, add, row_pitch(grid.width)};
  for_squares(grid, [&](const GridSquare& square) {
    const bool slopes = out.slope_x != nullptr;
    fill_square(octave, square.grid,
                {displacement.x + square.at, displacement.y + square.at, displacement.reach}, how,
                {out.value + square.at, slopes ? out.slope_x + square.at : nullptr,
                 slopes ? out.slope_y + square.at : nullptr});
  });
}

}  // namespace

void fill_displaced_octave(const Octave& octave, const SampleGrid& grid,
                           const Displacement& displacement, SimdTarget target,
                           const NoiseOut& out) {
  fill_one(octave, grid, displacement, target, false, out);
}

void fill_displaced_noise(const FractalNoise& noise, std::uint64_t key, const SampleGrid& grid,
                          const Displacement& displacement, SimdTarget target, float* out) {
  std::array<Octave, kMaxOctaves> octaves;
  make_octaves(noise, key, octaves.data());
  for (std::size_t k = 0; k < static_cast<std::size_t>(noise.octaves); ++k) {
    fill_one(octaves[k], grid, displacement, target, k > 0, {out, nullptr, nullptr});
  }
}

}  // namespace terrane::worldgen::noise

#endif  // HWY_ONCE
