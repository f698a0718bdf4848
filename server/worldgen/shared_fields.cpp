#include "worldgen/shared_fields.h"

#include <limits>

namespace terrane::worldgen {

void fields(FieldArchive& archive, noise::FractalNoise& noise) {
  archive.number("cells", noise.frequency.cells, 1, 1024);
  archive.number("blocks", noise.frequency.blocks, 1, 1u << 20);
  archive.number("octaves", noise.octaves, 1, noise::kMaxOctaves);
  archive.number("gain", noise.gain, 0.001f, 1);
  archive.require(is_valid(noise), "octaves", "the finest one has more than one cell a block");
}

void fields(FieldArchive& archive, Interval& interval) {
  using Limits = std::numeric_limits<std::int32_t>;
  archive.number("min", interval.min, Limits::min(), Limits::max());
  archive.number("max", interval.max, Limits::min(), Limits::max());
  archive.require(interval.min <= interval.max, "min", "is greater than max");
}

}  // namespace terrane::worldgen
