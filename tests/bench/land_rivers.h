#pragma once

#include <cstddef>
#include <vector>

#include "bench/land_skeleton.h"
#include "bench/land_window.h"

/// The drawn rivers of a window as a graph of middle lines.
namespace terrane::land {

/// A piece of river between two nodes.
struct Arm {
  std::vector<std::size_t> cells;  // the middle line, without the cells of junctions
  int from = -1, to = -1;          // nodes
  double length = 0;               // blocks
  double half_width = 0;           // blocks: middle of what is measured along it
};

/// Where arms meet, or where one ends.
struct Node {
  double x = 0, y = 0;    // cells
  double half_width = 0;  // blocks: the greatest
  std::vector<int> arms;  // an arm that returns is there twice
};

struct Rivers {
  std::vector<Arm> arms;
  std::vector<Node> nodes;
};

/// The graph of what is set. Ends that are no longer than the river is wide where they leave it
/// are bulges of the bank, not rivers: they are left out. Junctions that are no further apart than
/// the river is wide there are one.
[[nodiscard]] Rivers rivers_of(const Window& window, Mask mask);

/// Nodes of three arms and more, and of four and more.
struct Junctions {
  int all = 0, of_four = 0;
};
[[nodiscard]] Junctions junctions_of(const Rivers& rivers);

}  // namespace terrane::land
