#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "worldgen/grid_context.h"
#include "worldgen/terrains/continents/parameters.h"

/// Where water flows, in levels: the courses of the coarsest nodes are fixed first, and those of
/// each finer level join them. Plain functions of nodes nearby, compiled once: nothing here is done
/// for each sample.
namespace terrane::worldgen::continents {

/// From one level of nodes to the next finer one, their spacing is divided by this.
inline constexpr int kRefinement = 4;

/// In spacings: courses of a level, and pieces of coarser ones, are no longer along an axis. What
/// tells which water may be near counts on it.
inline constexpr float kLongestCourse = 2.0f;

/// A straight watercourse: from a node to the one it drains to or to the course it joins, or a
/// piece of one. It begins at block (x, y) and ends at (x + dx, y + dy).
struct Course {
  std::int64_t x = 0, y = 0;
  std::int32_t dx = 0, dy = 0;
  float level = 0, fall = 0;  // height of the valley's floor at its beginning; what is added along
  // ... it is level in the lakes at its ends: shares of its length
  float level_until = 0, per_length = 1;
  float area = 0, joining = 0;          // km2 that drain through its beginning; what joins along it
  float missing = 0, found = 0;         // of them, at its beginning; what of that is found along it
  bool is_head = false;                 // it begins where no other of its level ends
  bool is_dry = false;                  // nothing drains into it
  bool is_last = false;                 // it ends at another course, and not at its beginning
  float swinging = 1;                   // share of its swing that it has (swing.h)
  bool is_calmed = false;               // it swings less and less towards its end
  float steepness = 0, steepening = 0;  // of the land around (Relief): at its beginning, and added

  /// Height of the valley's floor at a share of its length.
  [[nodiscard]] float level_at(float t) const {
    const float part = (t - level_until) * per_length;
    return level + (part > 0 ? part < 1 ? part : 1.0f : 0.0f) * fall;
  }
};

/// A lake around a node: its middle, its radius, and the height of its water's valley; blocks.
struct LakeSite {
  std::int64_t x = 0, y = 0;
  float radius = 0, level = 0;
};

/// In an order in which any two of them are always, whatever rectangle they were asked for in.
struct Network {
  std::vector<Course> courses;
  std::vector<LakeSite> lakes;
};

/// Cells of a level's nodes: [x, x + width) x [y, y + height).
struct CellRect {
  std::int64_t x = 0, y = 0;
  int width = 0, height = 0;

  friend bool operator==(const CellRect&, const CellRect&) = default;
};

/// What a network is a pure function of, with the rectangle.
struct NetworkKey {
  const Land& land;
  const Drainage& drainage;
  const Rivers& rivers;
  const Relief& relief;
  int level = 0;  // 0: the coarsest nodes' ... drainage.levels - 1
  CellRect cells;
};

/// The courses that begin, and the lakes whose middle is, in a rectangle of the level's cells.
/// Those of coarser levels come in pieces. Each thread remembers the last few; forgetting never
/// changes a byte. The reference is good until the thread's next call. Blocks: no.
/// @param context  tells the seed, the target and the memory. Throws Abandoned where it says so.
[[nodiscard]] const Network& network_in(const NetworkKey& key, const GridContext& context);

/// Blocks between a level's nodes.
[[nodiscard]] inline std::int64_t spacing_of(const Drainage& drainage, int level) {
  std::int64_t spacing = drainage.spacing;
  for (int k = level; k + 1 < drainage.levels; ++k) spacing *= kRefinement;
  return spacing;
}

/// Blocks: the largest radius of lakes around a level's nodes.
[[nodiscard]] inline float largest_lake(const Drainage& drainage, const Rivers& rivers, int level) {
  return std::min(rivers.largest_lake, 0.2f * static_cast<float>(spacing_of(drainage, level)));
}

}  // namespace terrane::worldgen::continents
