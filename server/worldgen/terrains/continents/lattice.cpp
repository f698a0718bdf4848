#include "worldgen/terrains/continents/lattice.h"

#include <cassert>

namespace terrane::worldgen {

namespace {

struct Nodes {
  std::int64_t first = 0;  // block
  int count = 0;
};

/// The interpolation of a sample between nodes 0 and 1 reads nodes -1 to 2.
Nodes nodes_along(std::int64_t origin, std::int64_t stride, int samples, std::int64_t spacing) {
  const std::int64_t first = floor_div(origin, spacing) - 1;
  const std::int64_t last = floor_div(origin + stride * (samples - 1), spacing) + 2;
  return {first * spacing, static_cast<int>(last - first) + 1};
}

}  // namespace

noise::SampleGrid lattice_around(const noise::SampleGrid& samples, std::int64_t spacing) {
  if (!is_interpolated(samples, spacing)) {
    assert(samples.origin.x % spacing == 0 && samples.origin.y % spacing == 0 &&
           samples.stride % spacing == 0);
    return samples;
  }
  const Nodes x = nodes_along(samples.origin.x, samples.stride, samples.width, spacing);
  const Nodes y = nodes_along(samples.origin.y, samples.stride, samples.height, spacing);
  return {{x.first, y.first}, spacing, x.count, y.count};
}

}  // namespace terrane::worldgen
