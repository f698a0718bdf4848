#pragma once

#include <cstdint>
#include <numeric>

#include "terrane/coord.h"
#include "worldgen/noise/fractal_noise.h"
#include "worldgen/noise/hash.h"

/// Where the samples of an axis fall on the lattice of one octave, in integers.
namespace terrane::worldgen::noise {

/// One octave's lattice: position of block x on an axis = (x * num + offset + 1/2) / den.
struct Octave {
  std::int64_t num = 1;
  std::int64_t den = 1;
  std::int64_t offset_x = 0, offset_y = 0;  // [0, den)
  std::uint64_t key_x = 0, key_y = 0;       // streams of the lattice columns and rows
  float amplitude = 1;
};

/// Lattice position of an axis's first sample, and the way to the next one; `remainder` / den is
/// the offset within the cell.
struct AxisStart {
  std::int64_t cell = 0;
  std::int64_t remainder = 0;  // [0, den)
  std::int64_t step_cells = 0;
  std::int64_t step_remainder = 0;  // [0, den)
};

/// Octave `index` of a fractal noise; `amplitude` is the caller's.
inline Octave make_octave(const FractalNoise& noise, int index, std::uint64_t key,
                          float amplitude) {
  Octave octave;
  const std::int64_t num = std::int64_t{noise.frequency.cells} << index;
  const std::int64_t common = std::gcd(num, std::int64_t{noise.frequency.blocks});
  octave.num = num / common;
  octave.den = noise.frequency.blocks / common;
  const std::uint64_t octave_key = combine(key, static_cast<std::uint64_t>(index));
  const auto den = static_cast<std::uint64_t>(octave.den);
  octave.offset_x = static_cast<std::int64_t>(combine(octave_key, 1) % den);
  octave.offset_y = static_cast<std::int64_t>(combine(octave_key, 2) % den);
  octave.key_x = combine(octave_key, 3);
  octave.key_y = combine(octave_key, 4);
  octave.amplitude = amplitude;
  return octave;
}

/// The largest value of two-dimensional gradient noise with unit gradients is sqrt(1/2), in the
/// middle of a cell; a hair less of amplitude makes up for the gradients' length, which is off by
/// up to 1e-5.
inline constexpr float kInverseOfLargest = 1.41418f;

/// All octaves of a noise; the sum of the amplitudes makes its largest possible value 1.
inline void make_octaves(const FractalNoise& noise, std::uint64_t key, Octave* octaves) {
  float sum = 0;
  float weight = 1;
  for (int k = 0; k < noise.octaves; ++k) {
    sum += weight;
    weight *= noise.gain;
  }
  float amplitude = kInverseOfLargest / sum;
  for (int k = 0; k < noise.octaves; ++k) {
    octaves[k] = make_octave(noise, k, key, amplitude);
    amplitude *= noise.gain;
  }
}

/// The block is split by `den` before it is multiplied, so that nothing overflows: |block| <= 2^47,
/// num <= den <= 2^20.
inline AxisStart axis_start(const Octave& octave, std::int64_t block, std::int64_t offset,
                            std::int64_t stride) {
  const std::int64_t whole = floor_div(block, octave.den);
  const std::int64_t rest = (block - whole * octave.den) * octave.num + offset;
  const std::int64_t step = stride * octave.num;
  return {whole * octave.num + rest / octave.den, rest % octave.den, step / octave.den,
          step % octave.den};
}

}  // namespace terrane::worldgen::noise
