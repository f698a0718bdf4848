#include "bench/land_rivers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "bench/land_fit.h"
#include "bench/land_flow.h"

namespace terrane::land {
namespace {

constexpr int kNone = -1;

/// What is under way while the graph of a thinned mask is read.
struct Reader {
  const Window& window;
  const Mask& mask;
  const std::vector<float>& depth;
  std::vector<int> node_of;  // of each cell; kNone: a middle line, or nothing
  Rivers out;

  [[nodiscard]] bool is_node(std::size_t k) const {
    return std::popcount(ring_of(window, mask, k)) != 2;
  }

  /// One node of all connected cells that have not two neighbours.
  void read_node(std::size_t start) {
    const int index = static_cast<int>(out.nodes.size());
    std::vector<std::size_t> cells{start};
    node_of[start] = index;
    Node node;
    for (std::size_t next = 0; next < cells.size(); ++next) {
      const std::size_t here = cells[next];
      node.x += static_cast<double>(here % static_cast<std::size_t>(window.size));
      node.y += static_cast<double>(here / static_cast<std::size_t>(window.size));
      node.half_width = std::max(node.half_width, static_cast<double>(depth[here]));
      for_neighbours(window, here, [&](int x, int y) {
        const std::size_t there = window.at(x, y);
        if (!mask[there] || node_of[there] != kNone || !is_node(there)) return;
        node_of[there] = index;
        cells.push_back(there);
      });
    }
    node.x /= static_cast<double>(cells.size());
    node.y /= static_cast<double>(cells.size());
    out.nodes.push_back(node);
  }

  /// The arm that begins at a cell beside a node.
  void read_arm(int from, std::size_t before, std::size_t start, std::vector<std::uint8_t>& seen) {
    Arm arm;
    arm.from = from;
    std::size_t here = start;
    std::vector<double> widths;
    arm.length = step_between(window, before, start);
    for (bool goes_on = true; goes_on;) {
      seen[here] = 1;
      arm.cells.push_back(here);
      widths.push_back(static_cast<double>(depth[here]));
      goes_on = false;
      std::size_t onward = here;
      for_neighbours(window, here, [&](int x, int y) {
        const std::size_t there = window.at(x, y);
        if (!mask[there] || there == before || seen[there]) return;
        if (node_of[there] != kNone) {
          // back where it began only if there is no other way
          if (arm.to == kNone || node_of[there] != from) arm.to = node_of[there];
        } else {
          onward = there;
          goes_on = true;
        }
      });
      if (arm.to != kNone) goes_on = false;
      arm.length += goes_on ? step_between(window, here, onward) : window.cell;
      before = here;
      here = onward;
    }
    if (arm.to == kNone) arm.to = from;
    arm.half_width = quantile(std::move(widths), 0.5);
    // what begins and ends at one node beside it is a corner of the node
    if (arm.from == arm.to && arm.cells.size() < 3) return;
    out.arms.push_back(std::move(arm));
  }

  void read() {
    node_of.assign(mask.size(), kNone);
    std::vector<std::size_t> cells;
    for (std::size_t k = 0; k < mask.size(); ++k)
      if (mask[k]) cells.push_back(k);
    for (const std::size_t k : cells)
      if (node_of[k] == kNone && is_node(k)) read_node(k);
    std::vector<std::uint8_t> seen(mask.size(), 0);
    for (const std::size_t k : cells) {
      if (node_of[k] == kNone) continue;
      for_neighbours(window, k, [&](int x, int y) {
        const std::size_t there = window.at(x, y);
        if (mask[there] && node_of[there] == kNone && !seen[there])
          read_arm(node_of[k], k, there, seen);
      });
    }
  }
};

void list_arms(Rivers& rivers) {
  for (Node& node : rivers.nodes) node.arms.clear();
  for (std::size_t a = 0; a < rivers.arms.size(); ++a) {
    rivers.nodes[static_cast<std::size_t>(rivers.arms[a].from)].arms.push_back(static_cast<int>(a));
    rivers.nodes[static_cast<std::size_t>(rivers.arms[a].to)].arms.push_back(static_cast<int>(a));
  }
}

Rivers read_rivers(const Window& window, const Mask& mask, const std::vector<float>& depth) {
  Reader reader{window, mask, depth, {}, {}};
  reader.read();
  list_arms(reader.out);
  return std::move(reader.out);
}

/// Takes ends that are bulges of a bank off the middle lines; says whether there were any.
bool prune(const Window& window, const Rivers& rivers, Mask& mask) {
  bool pruned = false;
  for (const Arm& arm : rivers.arms) {
    const Node& a = rivers.nodes[static_cast<std::size_t>(arm.from)];
    const Node& b = rivers.nodes[static_cast<std::size_t>(arm.to)];
    if ((a.arms.size() == 1) == (b.arms.size() == 1)) continue;
    const Node& tip = a.arms.size() == 1 ? a : b;
    const Node& root = a.arms.size() == 1 ? b : a;
    if (arm.length > 2 * root.half_width + window.cell) continue;
    for (const std::size_t k : arm.cells) mask[k] = 0;
    mask[window.at(static_cast<int>(tip.x), static_cast<int>(tip.y))] = 0;
    pruned = true;
  }
  return pruned;
}

/// Makes one node of those that short arms connect.
void merge_close(Rivers& rivers) {
  std::vector<int> root(rivers.nodes.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int n) {
    while (root[static_cast<std::size_t>(n)] != n) n = root[static_cast<std::size_t>(n)];
    return n;
  };
  std::erase_if(rivers.arms, [&](const Arm& arm) {
    const Node& a = rivers.nodes[static_cast<std::size_t>(arm.from)];
    const Node& b = rivers.nodes[static_cast<std::size_t>(arm.to)];
    if (a.arms.size() < 3 || b.arms.size() < 3) return false;
    if (arm.length > 2 * std::max(a.half_width, b.half_width)) return false;
    root[static_cast<std::size_t>(find(arm.from))] = find(arm.to);
    return true;
  });
  for (Arm& arm : rivers.arms) {
    arm.from = find(arm.from);
    arm.to = find(arm.to);
  }
  list_arms(rivers);
}

}  // namespace

Rivers rivers_of(const Window& window, Mask mask) {
  const std::vector<float> depth = depth_of(window, mask);
  thin(window, mask);
  Rivers rivers = read_rivers(window, mask, depth);
  for (int round = 0; round < 4 && prune(window, rivers, mask); ++round) {
    thin(window, mask);
    rivers = read_rivers(window, mask, depth);
  }
  merge_close(rivers);
  return rivers;
}

Junctions junctions_of(const Rivers& rivers) {
  Junctions junctions;
  for (const Node& node : rivers.nodes) {
    junctions.all += node.arms.size() >= 3;
    junctions.of_four += node.arms.size() >= 4;
  }
  return junctions;
}

}  // namespace terrane::land
