#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "worldgen/noise/hash.h"
#include "worldgen/noise/octave.h"

namespace terrane::worldgen::noise {

/// One axis of a grid whose samples are displaced: where each sample lies on an octave's lattice,
/// and the hashes of all lattice lines that a displaced sample can come to lie between.
struct DisplacedAxis {
  static constexpr int kSize = kMaxGridSize + kRowAlignment;
  alignas(64) std::int32_t cell[kSize];  // index into the hashes
  alignas(64) float offset[kSize];       // within the cell
  std::int32_t last = 0;                 // largest index that has a successor
  std::vector<std::uint32_t> hash1, hash2;

  /// @param margin  cells that a displacement can reach
  void fill(const AxisStart& start, std::int64_t den, std::uint64_t key, int count, int margin) {
    std::int64_t at = start.cell;
    std::int64_t rest = start.remainder;
    for (int i = 0; i < row_pitch(count); ++i) {
      cell[i] = static_cast<std::int32_t>(at - start.cell) + margin;
      offset[i] = (static_cast<float>(rest) + 0.5f) / static_cast<float>(den);
      if (i + 1 >= count) continue;  // what pads the row repeats its last sample
      at += start.step_cells;
      rest += start.step_remainder;
      if (rest >= den) {
        rest -= den;
        ++at;
      }
    }
    last = cell[count - 1] + margin;
    hash1.resize(static_cast<std::size_t>(last) + 2);
    hash2.resize(hash1.size());
    for (std::size_t i = 0; i < hash1.size(); ++i) {
      const std::uint64_t h = line_hash(key, start.cell - margin + static_cast<std::int64_t>(i));
      hash1[i] = static_cast<std::uint32_t>(h);
      hash2[i] = static_cast<std::uint32_t>(h >> 32);
    }
  }
};

/// Both axes of a grid.
struct DisplacedAxes {
  const DisplacedAxis& columns;
  const DisplacedAxis& rows;
};

/// Lattice cells in a block.
inline float frequency_of(const Octave& octave) {
  return static_cast<float>(octave.num) / static_cast<float>(octave.den);
}

}  // namespace terrane::worldgen::noise
