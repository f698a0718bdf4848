#pragma once

#include <cstdint>
#include <string_view>

#include "worldgen/abandon.h"
#include "worldgen/noise/displaced_noise.h"
#include "worldgen/noise/fractal_noise.h"
#include "worldgen/noise/hash.h"
#include "worldgen/scratch.h"

namespace terrane::worldgen {

/// What every stage of the generator is given: the grid that it fills, the seed, the instruction
/// set, and memory. A field is one float for each sample, in rows of noise::row_pitch(grid.width).
struct GridContext {
  noise::SampleGrid grid;
  std::uint64_t seed = 0;
  noise::SimdTarget target = noise::SimdTarget::kScalar;
  Scratch* scratch = nullptr;  // never null while anything is filled
  Abandon abandon = {};        // stages may throw Abandoned where it says so

  /// The same over another grid.
  [[nodiscard]] GridContext over(const noise::SampleGrid& other) const {
    return {other, seed, target, scratch, abandon};
  }

  /// Samples of the grid.
  [[nodiscard]] std::size_t samples() const {
    return static_cast<std::size_t>(grid.width) * static_cast<std::size_t>(grid.height);
  }
  /// Floats of a field.
  [[nodiscard]] int count() const { return static_cast<int>(noise::field_size(grid)); }

  /// Throws Abandoned where that is so: a stage begins with its fields, so this is asked between
  /// stages without a word in each. What goes on for long besides calls this itself.
  void stop_if_abandoned() const { stop_if(abandon); }

  /// Memory for a field. Throws: see stop_if_abandoned().
  [[nodiscard]] float* field() const {
    stop_if_abandoned();
    return scratch->take<float>(noise::field_size(grid));
  }

  /// The key of a named stream of random values.
  [[nodiscard]] std::uint64_t key(std::string_view stream) const {
    return noise::stream_key(seed, stream);
  }

  /// Fills a field with a noise at the samples.
  void fill_noise(const noise::FractalNoise& spec, std::string_view stream, float* out) const {
    noise::fill_fractal_noise(spec, key(stream), grid, target, {out, noise::field_size(grid)});
  }
  /// A field of its own with a noise at the samples.
  [[nodiscard]] float* noise(const noise::FractalNoise& spec, std::string_view stream) const {
    float* const out = field();
    fill_noise(spec, stream, out);
    return out;
  }
  /// A field of its own with a noise at points near the samples.
  [[nodiscard]] float* noise(const noise::FractalNoise& spec, std::string_view stream,
                             const noise::Displacement& displaced) const {
    float* const out = field();
    noise::fill_displaced_noise(spec, key(stream), grid, displaced, target, out);
    return out;
  }
};

}  // namespace terrane::worldgen
