#pragma once

#include <cstdint>
#include <string_view>

#include "worldgen/continents/lattice.h"
#include "worldgen/continents/scratch.h"
#include "worldgen/noise/displaced_noise.h"
#include "worldgen/noise/fractal_noise.h"
#include "worldgen/noise/hash.h"

namespace terrane::worldgen::continents {

/// What every stage is given: the grid that it fills fields over, the seed, the instruction set,
/// and memory.
struct Stage {
  noise::SampleGrid grid;
  std::uint64_t seed = 0;
  noise::SimdTarget target;
  Scratch* scratch = nullptr;

  [[nodiscard]] int count() const { return static_cast<int>(field_size(grid)); }
  [[nodiscard]] float* field() const { return scratch->take(field_size(grid)); }
  [[nodiscard]] std::uint64_t key(std::string_view stream) const {
    return noise::stream_key(seed, stream);
  }

  /// A noise at the samples.
  [[nodiscard]] float* noise(const noise::FractalNoise& spec, std::string_view stream) const {
    float* out = field();
    noise::fill_fractal_noise(spec, key(stream), grid, target, {out, field_size(grid)});
    return out;
  }

  /// A noise at points near the samples.
  [[nodiscard]] float* noise(const noise::FractalNoise& spec, std::string_view stream,
                             const noise::Displacement& displaced) const {
    float* out = field();
    noise::fill_displaced_noise(spec, key(stream), grid, displaced, target, out);
    return out;
  }
};

}  // namespace terrane::worldgen::continents
