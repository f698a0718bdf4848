#include "bench/land_flow.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

namespace terrane::land {
namespace {

bool is_edge(const Window& window, std::size_t k) {
  const auto size = static_cast<std::size_t>(window.size);
  const std::size_t i = k % size, j = k / size;
  return i == 0 || j == 0 || i + 1 == size || j + 1 == size;
}

/// Floods the window from its edge and the sea, lowest ground first. Leaves the filled heights, the
/// order, and as receivers the cells that the flood came from.
void flood(const Window& window, Flow& flow) {
  using Entry = std::pair<float, std::int32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  std::vector<std::uint8_t> seen(window.z.size(), 0);
  for (std::size_t k = 0; k < window.z.size(); ++k) {
    if (!is_edge(window, k) && window.is_land(k)) continue;
    seen[k] = 1;
    open.emplace(window.z[k], static_cast<std::int32_t>(k));
  }
  std::queue<std::int32_t> brim;  // ground no higher than where the flood stands
  while (!open.empty() || !brim.empty()) {
    std::int32_t here = 0;
    if (!brim.empty()) {
      here = brim.front();
      brim.pop();
    } else {
      here = open.top().second;
      open.pop();
    }
    flow.order.push_back(here);
    const float level = flow.filled[static_cast<std::size_t>(here)];
    for_neighbours(window, static_cast<std::size_t>(here), [&](int x, int y) {
      const std::size_t k = window.at(x, y);
      if (seen[k]) return;
      seen[k] = 1;
      flow.receiver[k] = here;
      flow.filled[k] = std::max(window.z[k], level);
      if (flow.filled[k] > level) {
        open.emplace(flow.filled[k], static_cast<std::int32_t>(k));
      } else {
        brim.push(static_cast<std::int32_t>(k));
      }
    });
  }
}

/// Where the ground falls, it drains down the steepest way instead.
void descend(const Window& window, Flow& flow) {
  for (std::size_t k = 0; k < window.z.size(); ++k) {
    if (!window.is_land(k)) continue;
    double steepest = 0;
    for_neighbours(window, k, [&](int x, int y) {
      const std::size_t there = window.at(x, y);
      const double fall =
          static_cast<double>(flow.filled[k] - flow.filled[there]) / step_between(window, k, there);
      if (fall <= steepest) return;
      steepest = fall;
      flow.receiver[k] = static_cast<std::int32_t>(there);
    });
  }
}

/// Adds up areas and lengths, from the springs down.
void accumulate(const Window& window, Flow& flow) {
  for (auto here = flow.order.rbegin(); here != flow.order.rend(); ++here) {
    const auto k = static_cast<std::size_t>(*here);
    if (!window.is_land(k)) continue;
    const std::int32_t to = flow.receiver[k];
    if (to == kOutlet) continue;
    const auto next = static_cast<std::size_t>(to);
    if (!window.is_land(next)) continue;
    flow.area[next] += flow.area[k];
    flow.length[next] = std::max(
        flow.length[next], flow.length[k] + static_cast<float>(step_between(window, k, next)));
    // what comes over the edge has an unknown part outside
    if (!flow.complete[k] || is_edge(window, k)) flow.complete[next] = 0;
  }
}

}  // namespace

double step_between(const Window& window, std::size_t a, std::size_t b) {
  const auto size = static_cast<std::size_t>(window.size);
  return window.cell * (a % size != b % size && a / size != b / size ? std::sqrt(2.0) : 1.0);
}

Flow flow_over(const Window& window) {
  const std::size_t cells = window.z.size();
  Flow flow;
  flow.filled = window.z;
  flow.receiver.assign(cells, kOutlet);
  flow.order.reserve(cells);
  flow.area.assign(cells, static_cast<float>(window.cell_area()));
  flow.length.assign(cells, 0);
  flow.complete.assign(cells, 1);
  flood(window, flow);
  descend(window, flow);
  accumulate(window, flow);
  return flow;
}

}  // namespace terrane::land
