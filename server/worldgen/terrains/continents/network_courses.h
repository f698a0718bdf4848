#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "worldgen/terrains/continents/network.h"
#include "worldgen/terrains/continents/network_nodes.h"

/// From a level's nodes to its courses.
namespace terrane::worldgen::continents {

/// Cells around a node's within which others decide where its course ends, and how it swings if it
/// is one of the finest.
[[nodiscard]] inline int meeting_rings(const NetworkKey& key) {
  return key.level + 1 == key.drainage.levels ? 3 : 2;
}

/// Courses of nodes that are no more than so many cells apart may cross.
inline constexpr int kCrossing = 2;

/// The network of the level before, and all its courses in pieces, kRefinement for each.
struct Coarser {
  Network network;
  std::vector<Course> pieces;

  /// Where a course ends.
  struct End {
    std::int64_t x = 0, y = 0;
    int joining = 0;  // 2 where it joins another one, 1 where one goes on
  };
  std::vector<End> ends;  // in the order of x

  /// The pieces of one of its courses.
  [[nodiscard]] std::span<const Course, kRefinement> pieces_of(std::int32_t course) const {
    return std::span<const Course, kRefinement>(
        &pieces[static_cast<std::size_t>(course) * kRefinement], kRefinement);
  }
};

/// Piece `k` of a course; of kRefinement that are as long, but for whole blocks.
[[nodiscard]] Course piece_of(const Course& whole, int k);

/// km2 that drain into the beginning of a course of the coarser level, which lies in the cell of
/// node (i, j), kCrossing cells within the nodes.
/// @param course  its place among the coarser network's
[[nodiscard]] float area_into_head(const LevelNodes& nodes, int course, int i, int j);

/// Adds the courses of the nodes in the key's cells. Where two would cross, the one that is higher
/// there ends in the other.
/// @param nodes  right where they drain, kCrossing and meeting_rings() cells around those too
/// @param context  Throws Abandoned where it says so.
void add_courses(const NetworkKey& key, const Coarser& coarser, const LevelNodes& nodes,
                 const GridContext& context, std::vector<Course>& out);

}  // namespace terrane::worldgen::continents
