#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "worldgen/noise/fractal_noise.h"
#include "worldgen/terrains/continents/parameters.h"

/// What flows where, and where it gathers, as the stages after the drainage need it.
namespace terrane::worldgen::continents {

/// A straight watercourse, from a node to the one it drains to. Blocks from the first node's cell:
/// integers, so differences are exact.
struct Watercourse {
  float x, y, dx, dy;
  float inverse_length2;
  float inland, fall;             // at its beginning, and what is added along it, but
  float level_until, per_length;  // ... it is level in the lakes at its ends
  // half the river's width, squared: at its beginning, and what is added along it
  float width2, widening;
};

/// A lake around a node: blocks from the first node's cell.
struct Lake {
  float x, y, radius;
  float inland;
};

struct Hydrology {
  std::vector<Watercourse> courses;
  std::vector<Lake> lakes;
};

/// What a hydrology is a pure function of.
struct HydrologyKey {
  const Land& land;
  const Drainage& drainage;
  const Rivers& rivers;
  std::uint64_t seed = 0;
  noise::SampleGrid nodes;
};

/// The hydrology of a key: found by `find`, unless this thread remembers them. All chunks of a
/// drainage spacing share one key, and finding them is a seventh of a chunk's work. Forgetting
/// never changes a byte. The reference is good until the next call. Threads: any; each has a memory
/// of its own, of a MiB or two. Blocks: no.
[[nodiscard]] const Hydrology& remembered_hydrology(const HydrologyKey& key,
                                                    const std::function<Hydrology()>& find);

}  // namespace terrane::worldgen::continents
