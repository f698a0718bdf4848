// Stage 2a: the nodes of the drainage, which way each drains, and how much water comes to it. All
// of it is a pure function of a node and those a few steps around it.

#include <array>
#include <cstdint>
#include <vector>

#include "hwy/highway.h"
#include "worldgen/terrains/continents/node_grid.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::continents::HWY_NAMESPACE {

/// The nodes around a grid. What is said of a node is right only far enough from the outermost
/// ring: `drain` kDrainRing nodes, `flow` kFlowSteps more.
struct Nodes {
  noise::SampleGrid grid;  // node (i, j) lies at a sample of this grid plus (x, y)
  float *x, *y;
  float* inland;  // what water follows
  // where no neighbour is lower, the lowest of these: hollows are filled until they spill
  float* level;
  // the node that it drains to; itself at sea, and where there is no way out
  std::vector<std::int32_t> drain;
  // how many nodes' water passes here, those at most kFlowSteps away
  float* flow;
  float* lake;  // radius of the lake around it, or 0

  [[nodiscard]] int pitch() const { return noise::row_pitch(grid.width); }
  [[nodiscard]] int at(int i, int j) const { return j * pitch() + i; }
};

/// The first octaves of the coast's noise: what nodes can tell apart.
constexpr int kCoastOctaves = 2;

/// Adds them to the nodes' `inland`, so that where watercourses end is about where the sea begins.
void add_coarse_coast(const Land& land, const GridContext& context,
                      const noise::Displacement& displaced, float* HWY_RESTRICT inland) {
  std::array<noise::Octave, noise::kMaxOctaves> octaves;
  noise::make_octaves(land.coast, context.key("continents.coast"), octaves.data());
  float* value = context.field();
  const int n = context.count();
  for (int i = 0; i < n; ++i) value[i] = 0;
  float* octave = context.field();
  for (int k = 0; k < kCoastOctaves && k < land.coast.octaves; ++k) {
    noise::fill_displaced_octave(octaves[static_cast<std::size_t>(k)], context.grid, displaced,
                                 context.target, {octave, nullptr, nullptr});
    for (int i = 0; i < n; ++i) value[i] += octave[i];
  }
  for (int i = 0; i < n; ++i) inland[i] += land.coast_amplitude * coast_share(inland[i]) * value[i];
}

/// Where the nodes are, how far inland, and which have lakes whatever flows there.
void place_nodes(const Land& land, const Drainage& drainage, const Rivers& rivers,
                 const GridContext& of_nodes, Nodes& nodes) {
  const std::uint64_t key = of_nodes.key("continents.nodes");
  const std::uint64_t lakes = of_nodes.key("continents.lakes");
  const auto spacing = static_cast<float>(drainage.spacing);
  const auto unit = [](std::uint64_t bits) {
    return static_cast<float>(bits & 0xffffff) * (1.0f / 16777216.0f);
  };
  const auto jittered = [&](std::uint64_t bits) {  // whole blocks
    return static_cast<float>(
        static_cast<int>(spacing * (0.5f + drainage.jitter * (2.0f * unit(bits) - 1.0f))));
  };
  const int pitch = nodes.pitch();
  const std::int64_t first_x = floor_div(nodes.grid.origin.x, drainage.spacing);
  const std::int64_t first_y = floor_div(nodes.grid.origin.y, drainage.spacing);
  for (int j = 0; j < nodes.grid.height; ++j) {
    const std::uint64_t row = noise::combine(key, static_cast<std::uint64_t>(first_y + j));
    const std::uint64_t lake_row = noise::combine(lakes, static_cast<std::uint64_t>(first_y + j));
    for (int i = 0; i < pitch; ++i) {
      const std::uint64_t h = noise::combine(row, static_cast<std::uint64_t>(first_x + i));
      nodes.x[j * pitch + i] = jittered(h);
      nodes.y[j * pitch + i] = jittered(h >> 32);
      const std::uint64_t lake = noise::combine(lake_row, static_cast<std::uint64_t>(first_x + i));
      const float size = mix(rivers.smallest_lake, rivers.largest_lake, unit(lake));
      // below 0: only where water gathers
      nodes.lake[j * pitch + i] = unit(lake >> 32) < rivers.lake_share ? size : -size;
    }
  }
  const noise::Displacement displaced{nodes.x, nodes.y, spacing};
  nodes.inland = fill_inland(land, of_nodes, displaced);
  add_coarse_coast(land, of_nodes, displaced, nodes.inland);
}

/// Whether the square of nodes whose first corner is (i, j) is cut from (i, j) to (i + 1, j + 1):
/// through its lowest corner.
HWY_INLINE bool cut_falls(const Nodes& nodes, int i, int j) {
  const float falling = smaller(nodes.inland[nodes.at(i, j)], nodes.inland[nodes.at(i + 1, j + 1)]);
  const float rising = smaller(nodes.inland[nodes.at(i + 1, j)], nodes.inland[nodes.at(i, j + 1)]);
  return falling < rising;
}

/// What a fall to a neighbour across a square counts for, against one along a side: by length alone
/// it would be 0.71, but such watercourses are also longer, and valley sides would face the
/// diagonals more often than the axes.
constexpr float kAcross = 0.56f;

/// Calls look(neighbour, nearness) for all that a node is joined to by the triangulation.
template <typename Look>
HWY_INLINE void for_neighbours(const Nodes& nodes, int i, int j, const Look& look) {
  look(nodes.at(i, j - 1), 1.0f);
  look(nodes.at(i - 1, j), 1.0f);
  look(nodes.at(i + 1, j), 1.0f);
  look(nodes.at(i, j + 1), 1.0f);
  if (cut_falls(nodes, i - 1, j - 1)) look(nodes.at(i - 1, j - 1), kAcross);
  if (!cut_falls(nodes, i, j - 1)) look(nodes.at(i + 1, j - 1), kAcross);
  if (!cut_falls(nodes, i - 1, j)) look(nodes.at(i - 1, j + 1), kAcross);
  if (cut_falls(nodes, i, j)) look(nodes.at(i + 1, j + 1), kAcross);
}

/// Fills hollows up to where they spill: one node deep, so a hollow of several nodes stays a lake
/// without a way out.
void fill_hollows(Nodes& nodes) {
  for (int j = 1; j + 1 < nodes.grid.height; ++j) {
    for (int i = 1; i + 1 < nodes.grid.width; ++i) {
      const int here = nodes.at(i, j);
      int lowest = -1;
      for_neighbours(nodes, i, j, [&](int other, float) {
        if (lowest < 0 || nodes.inland[other] < nodes.inland[lowest]) lowest = other;
      });
      const bool hollow = nodes.inland[here] > 0 && nodes.inland[lowest] >= nodes.inland[here];
      nodes.level[here] = hollow ? nodes.inland[lowest] : nodes.inland[here];
      nodes.drain[static_cast<std::size_t>(here)] = hollow ? lowest : here;
    }
  }
}

/// Each node drains to the neighbour that it falls to most steeply; a filled hollow, to where it
/// spills.
void find_drains(Nodes& nodes) {
  for (int j = kDrainRing; j + kDrainRing < nodes.grid.height; ++j) {
    for (int i = kDrainRing; i + kDrainRing < nodes.grid.width; ++i) {
      const int here = nodes.at(i, j);
      std::int32_t& drain = nodes.drain[static_cast<std::size_t>(here)];
      if (nodes.inland[here] <= 0 || drain != here) continue;
      float steepest = 0;
      for_neighbours(nodes, i, j, [&](int other, float nearness) {
        const float fall = (nodes.level[here] - nodes.level[other]) * nearness;
        if (fall > steepest) {
          steepest = fall;
          drain = other;
        }
      });
    }
  }
}

/// Counts the nodes whose water passes each.
void count_flow(const Nodes& nodes, float* HWY_RESTRICT before) {
  const int n = nodes.pitch() * nodes.grid.height;
  for (int i = 0; i < n; ++i) nodes.flow[i] = 1;
  for (int step = 0; step < kFlowSteps; ++step) {
    for (int i = 0; i < n; ++i) before[i] = nodes.flow[i];
    for (int i = 0; i < n; ++i) nodes.flow[i] = 1;
    for (int j = kDrainRing; j + kDrainRing < nodes.grid.height; ++j) {
      for (int i = kDrainRing; i + kDrainRing < nodes.grid.width; ++i) {
        const int here = nodes.at(i, j), to = nodes.drain[static_cast<std::size_t>(here)];
        if (to != here) nodes.flow[to] += before[here];
      }
    }
  }
}

constexpr float kLowestLake = 0.02f;  // inland: nearer to the sea there are none

/// Lakes are in hollows, and at some other nodes.
void find_lakes(const Nodes& nodes) {
  for (int j = kDrainRing; j + kDrainRing < nodes.grid.height; ++j) {
    for (int i = kDrainRing; i + kDrainRing < nodes.grid.width; ++i) {
      const int here = nodes.at(i, j);
      float& lake = nodes.lake[here];
      const bool gathers = nodes.level[here] > nodes.inland[here] ||
                           nodes.drain[static_cast<std::size_t>(here)] == here;
      if (gathers && lake < 0) lake = -lake;
      if (lake < 0 || nodes.level[here] < kLowestLake) lake = 0;
    }
  }
}

/// @param grid  as nodes_around gives it
/// @param context  tells the seed, the target and the memory
Nodes make_nodes(const Land& land, const Drainage& drainage, const Rivers& rivers,
                 const noise::SampleGrid& grid, const GridContext& context) {
  Nodes nodes{};
  nodes.grid = grid;
  const GridContext of_nodes = context.over(nodes.grid);
  nodes.x = of_nodes.field();
  nodes.y = of_nodes.field();
  nodes.lake = of_nodes.field();
  place_nodes(land, drainage, rivers, of_nodes, nodes);
  nodes.level = of_nodes.field();
  nodes.flow = of_nodes.field();
  nodes.drain.resize(static_cast<std::size_t>(of_nodes.count()));
  for (int i = 0; i < of_nodes.count(); ++i) {
    nodes.level[i] = nodes.inland[i];
    nodes.drain[static_cast<std::size_t>(i)] = i;
  }
  fill_hollows(nodes);
  context.stop_if_abandoned();
  find_drains(nodes);
  count_flow(nodes, of_nodes.field());
  find_lakes(nodes);
  return nodes;
}

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
