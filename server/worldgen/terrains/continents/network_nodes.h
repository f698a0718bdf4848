#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "worldgen/terrains/continents/network.h"

/// One level's nodes, and what becomes of them.
namespace terrane::worldgen::continents {

/// How many courses of the coarser level a node knows.
inline constexpr int kCoursesKnown = 4;

/// Nodes around a rectangle of cells, row after row.
struct LevelNodes {
  CellRect cells;
  std::int64_t spacing = 0;
  bool is_finest = false;           // level: from a node that nothing drains into, nothing flows
  int sea_rings = 0;                // the outermost: nothing is known there but where the sea is
  std::vector<std::int64_t> x, y;   // blocks
  std::vector<float> inland;        // as far as this level sees it (parameters.h): 0 at the coast
  std::vector<float> steepness;     // 0 … 1
  std::vector<float> irregularity;  // what the way up to it counts for
  std::vector<float> level;         // height of the valley's floor; blocks
  std::vector<float> unfilled;      // the same before hollows are filled
  // whether the square of nodes that it is the first corner of is cut from there, and not across
  std::vector<std::uint8_t> is_cut;
  std::vector<std::int32_t> drain;      // the node it drains to; itself where it does not
  std::vector<std::int32_t> joins;      // the course it joins instead, or -1 ...
  std::vector<float> joins_at;          // ... and at which share of its length
  std::vector<std::int32_t> into_lake;  // the lake of the coarser level that it drains into, or -1
  std::vector<float> area;              // km2
  std::vector<float> lake;              // radius, or 0
  // the nearest courses of the coarser level, or -1 ...
  std::vector<std::array<std::int32_t, kCoursesKnown>> courses;
  std::vector<float> along;  // ... where on the nearest, as a share of its length

  [[nodiscard]] int at(int i, int j) const { return j * cells.width + i; }
  [[nodiscard]] int count() const { return cells.width * cells.height; }
  /// km2 of a node's own cell.
  [[nodiscard]] float own_area() const { return static_cast<float>(spacing * spacing) * 1e-6f; }
  /// Whether the course from a node is a valley without a river.
  [[nodiscard]] bool is_dry(std::size_t k) const {
    return is_finest && area[k] <= own_area() && lake[k] <= 0;
  }
};

/// Places the nodes and takes what noise says of them: all but what water does.
/// @param steep  cells among them for which it is asked how steep the land is
[[nodiscard]] LevelNodes place_level(const NetworkKey& key, const CellRect& cells,
                                     const CellRect& steep, const GridContext& context);

/// A node joins a course only if it lies higher by so much, blocks.
inline constexpr float kDrop = 0.01f;

/// Finds the courses of the coarser level that nodes know, how high nodes lie above the nearest,
/// and which drain into its lakes.
void place_above(const NetworkKey& key, const Network& coarser, LevelNodes& nodes);

/// Rings of nodes around those that know courses of the coarser level: it matters where the sea is,
/// as these end there.
[[nodiscard]] inline int sea_rings(const NetworkKey& key) { return key.level > 0 ? 5 : 0; }

/// Rings of nodes within those from where on it is right where they drain, and how much passes
/// them.
inline constexpr int kDrainRings = 2, kAreaSteps = 3;

/// Finds where the nodes drain to, how much water passes them and where it gathers. Right but for
/// sea_rings() and kDrainRings nodes at the edge, areas and lakes but for kAreaSteps more.
/// @param coarser  what there is of the level before; empty for the first
void drain_level(const NetworkKey& key, const Network& coarser, LevelNodes& nodes);

}  // namespace terrane::worldgen::continents
