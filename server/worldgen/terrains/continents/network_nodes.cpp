#include "worldgen/terrains/continents/network_nodes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "worldgen/noise/octave.h"
#include "worldgen/terrains/continents/ranking.h"
#include "worldgen/terrains/continents/uplift.h"

namespace terrane::worldgen::continents {

namespace {

/// A level sees the octaves of the land's noise whose waves are at least so many spacings long:
/// finer ones would make hollows of nodes.
constexpr std::int64_t kSpacingsPerWave = 4;

/// Nodes lie so much higher or lower than the slope asks for, as a share: water takes turns.
constexpr float kIrregularity = 0.25f;

float unit(std::uint64_t bits) {
  return static_cast<float>(static_cast<std::int32_t>(bits & 0xffffff)) * (1.0f / 16777216.0f);
}

/// The octaves of a noise that a level sees, summed at its nodes.
float* fill_seen(const noise::FractalNoise& spec, std::string_view stream,
                 const GridContext& context, const noise::Displacement& displaced,
                 std::int64_t shortest) {
  std::array<noise::Octave, noise::kMaxOctaves> octaves;
  noise::make_octaves(spec, context.key(stream), octaves.data());
  float* const sum = context.field();
  float* const octave = context.field();
  const int n = context.count();
  for (int i = 0; i < n; ++i) sum[i] = 0;
  for (int k = 0; k < spec.octaves; ++k) {
    const noise::Octave& here = octaves[static_cast<std::size_t>(k)];
    if (k > 0 && here.den < shortest * here.num) break;
    noise::fill_displaced_octave(here, context.grid, displaced, context.target,
                                 {octave, nullptr, nullptr});
    for (int i = 0; i < n; ++i) sum[i] += octave[i];
  }
  return sum;
}

/// How steep the land is at the nodes of some cells.
/// @param displaced  of all nodes, from their cells' corners
void fill_steepness(const NetworkKey& key, const CellRect& steep, const GridContext& of_nodes,
                    const noise::Displacement& displaced, LevelNodes& nodes) {
  const std::int64_t spacing = nodes.spacing;
  const GridContext here =
      of_nodes.over({{steep.x * spacing, steep.y * spacing}, spacing, steep.width, steep.height});
  const int pitch = noise::row_pitch(steep.width), all = noise::row_pitch(nodes.cells.width);
  const auto left = static_cast<int>(steep.x - nodes.cells.x),
             top = static_cast<int>(steep.y - nodes.cells.y);
  float* const x = here.field();
  float* const y = here.field();
  for (int j = 0; j < steep.height; ++j) {
    for (int i = 0; i < pitch; ++i) {
      const int from = (top + j) * all + left + std::min(i, steep.width - 1);
      x[j * pitch + i] = displaced.x[from];
      y[j * pitch + i] = displaced.y[from];
    }
  }
  const noise::Displacement there{x, y, displaced.reach};
  const float* const mountains =
      here.noise(key.relief.mountain_mask, "continents.mountains", there);
  const float* const regions =
      here.noise(key.relief.mountain_regions, "continents.mountain_regions", there);
  const float* const hills = here.noise(key.relief.hill_mask, "continents.hill_mask", there);
  for (int j = 0; j < steep.height; ++j) {
    for (int i = 0; i < steep.width; ++i) {
      const int from = j * pitch + i;
      nodes.steepness[static_cast<std::size_t>(nodes.at(left + i, top + j))] =
          steepness_of(key.relief, mountain_share(key.relief, mountains[from], regions[from]),
                       hill_share(hills[from]));
    }
  }
}

}  // namespace

LevelNodes place_level(const NetworkKey& key, const CellRect& cells, const CellRect& steep,
                       const GridContext& context) {
  LevelNodes nodes;
  nodes.cells = cells;
  nodes.spacing = spacing_of(key.drainage, key.level);
  nodes.is_finest = key.level + 1 == key.drainage.levels;
  nodes.sea_rings = sea_rings(key);
  const std::int64_t spacing = nodes.spacing;
  const GridContext of_nodes =
      context.over({{cells.x * spacing, cells.y * spacing}, spacing, cells.width, cells.height});
  const Scratch::Scope scope(*context.scratch);
  float* const x = of_nodes.field();
  float* const y = of_nodes.field();
  const std::uint64_t place =
      noise::combine(context.key("continents.nodes"), static_cast<std::uint64_t>(spacing));
  const std::uint64_t lakes =
      noise::combine(context.key("continents.lakes"), static_cast<std::uint64_t>(spacing));
  const int pitch = noise::row_pitch(cells.width);
  const auto n = static_cast<std::size_t>(nodes.count());
  nodes.x.resize(n), nodes.y.resize(n), nodes.lake.resize(n), nodes.irregularity.resize(n);
  const auto jittered = [&](std::uint64_t bits) {  // whole blocks
    return static_cast<std::int64_t>(static_cast<float>(spacing) *
                                     (0.5f + key.drainage.jitter * (2.0f * unit(bits) - 1.0f)));
  };
  const float larger = largest_lake(key.drainage, key.rivers, key.level);
  const float smaller = std::min(key.rivers.smallest_lake, larger);
  for (int j = 0; j < cells.height; ++j) {
    const auto cell_y = static_cast<std::uint64_t>(cells.y + j);
    const std::uint64_t row = noise::combine(place, cell_y);
    const std::uint64_t row_of_lakes = noise::combine(lakes, cell_y);
    for (int i = 0; i < pitch; ++i) {
      const auto cell_x = static_cast<std::uint64_t>(cells.x + i);
      const std::uint64_t h = noise::combine(row, cell_x);
      const std::int64_t dx = jittered(h), dy = jittered(h >> 32);
      x[j * pitch + i] = static_cast<float>(dx);
      y[j * pitch + i] = static_cast<float>(dy);
      if (i >= cells.width) continue;
      const auto k = static_cast<std::size_t>(nodes.at(i, j));
      nodes.x[k] = (cells.x + i) * spacing + dx;
      nodes.y[k] = (cells.y + j) * spacing + dy;
      const std::uint64_t lake = noise::combine(row_of_lakes, cell_x);
      const float size = smaller + unit(lake) * (larger - smaller);
      // below 0: only where water gathers
      nodes.irregularity[k] = 1.0f + kIrregularity * (2.0f * unit(lake >> 20) - 1.0f);
      nodes.lake[k] = unit(lake >> 40) < key.rivers.lake_share ? size : -size;
    }
  }
  const noise::Displacement displaced{x, y, static_cast<float>(spacing)};
  const std::int64_t shortest = kSpacingsPerWave * spacing;
  float* const inland =
      fill_seen(key.land.shape, "continents.shape", of_nodes, displaced, shortest);
  nodes.inland.resize(n), nodes.steepness.resize(n);
  for (int j = 0; j < cells.height; ++j)
    for (int i = 0; i < cells.width; ++i)
      nodes.inland[static_cast<std::size_t>(nodes.at(i, j))] =
          value_at(key.land.inland, inland[j * pitch + i]);
  // The finest nodes have no others to say it to, and take theirs from the courses nearby.
  if (key.level > 0 && key.level + 1 == key.drainage.levels) return nodes;
  fill_steepness(key, steep, of_nodes, {x, y, static_cast<float>(spacing)}, nodes);
  return nodes;
}

}  // namespace terrane::worldgen::continents
