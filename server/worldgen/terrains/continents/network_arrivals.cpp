#include "worldgen/terrains/continents/network_arrivals.h"

#include <cmath>
#include <utility>

namespace terrane::worldgen::continents {

namespace {

/// Grows with the angle of a vector, in [0, 4).
float angle_of(float dx, float dy) {
  const float part = dx / (std::abs(dx) + std::abs(dy));
  return dy < 0 ? 3.0f + part : 1.0f - part;
}

/// Whether one node's course may end in another's: that lies lower there, and has a river if it
/// has.
bool may_end_in(const LevelNodes& nodes, std::int32_t one, std::int32_t other, std::size_t to,
                float at) {
  const auto from = static_cast<std::size_t>(other), its = static_cast<std::size_t>(one);
  if (nodes.lake[from] > 0 || (nodes.is_dry(from) && !nodes.is_dry(its))) return false;
  const float there = nodes.level[from] + at * (nodes.level[to] - nodes.level[from]);
  return there + kDrop <= nodes.level[its];
}

}  // namespace

Arrivals arrivals_at(const LevelNodes& nodes, std::size_t to, std::int32_t dx, std::int32_t dy,
                     int meet) {
  Arrivals out;
  out.ends_in.fill(-1);
  std::array<float, 9> turns{};
  const float onward = angle_of(static_cast<float>(dx), static_cast<float>(dy));
  const int width = nodes.cells.width, at = static_cast<int>(to);
  for (const int step : {-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1}) {
    const int neighbour = at + step;
    const auto from = static_cast<std::size_t>(neighbour);
    if (nodes.drain[from] != at) continue;
    float turn = angle_of(static_cast<float>(nodes.x[from] - nodes.x[to]),
                          static_cast<float>(nodes.y[from] - nodes.y[to])) -
                 onward;
    if (turn < 0) turn += 4.0f;
    int place = out.count++;
    for (; place > 0 && turns[static_cast<std::size_t>(place - 1)] > turn; --place) {
      const auto p = static_cast<std::size_t>(place);
      turns[p] = turns[p - 1], out.node[p] = out.node[p - 1];
    }
    turns[static_cast<std::size_t>(place)] = turn;
    out.node[static_cast<std::size_t>(place)] = at + step;
  }
  constexpr float kWidest = 1.4f, kSharp = 0.4f;  // angles between two that meet before
  std::array<bool, 9> is_paired{};
  for (int left = out.count; left > 1; --left) {
    float least = left > meet ? kWidest : kSharp;
    std::size_t best = 8;
    for (std::size_t k = 0; k + 1 < static_cast<std::size_t>(out.count); ++k) {
      const float between = turns[k + 1] - turns[k];
      if (is_paired[k] || is_paired[k + 1] || between >= least) continue;
      best = k, least = between;
    }
    if (best == 8) break;
    is_paired[best] = is_paired[best + 1] = true;
    std::size_t lesser = best, other = best + 1;
    const auto area = [&](std::size_t k) {
      return nodes.area[static_cast<std::size_t>(out.node[k])];
    };
    if (area(lesser) > area(other)) std::swap(lesser, other);
    const float met = least < kSharp ? kMetSharply : kMetAt;
    if (!may_end_in(nodes, out.node[lesser], out.node[other], to, met)) std::swap(lesser, other);
    if (!may_end_in(nodes, out.node[lesser], out.node[other], to, met)) continue;
    out.ends_in[lesser] = out.node[other];
    out.ends_at[lesser] = met;
  }
  return out;
}

}  // namespace terrane::worldgen::continents
