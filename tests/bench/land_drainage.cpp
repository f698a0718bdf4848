#include "bench/land_drainage.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace terrane::land {
namespace {

bool drains_on(const Window& window, const Flow& flow, std::size_t k) {
  return flow.receiver[k] != kOutlet && window.is_land(static_cast<std::size_t>(flow.receiver[k]));
}

/// Of the streams that join at each cell, the one that drains most: -1 at a spring.
std::vector<std::int32_t> main_donors(const Window& window, const Flow& flow) {
  std::vector<std::int32_t> donors(window.z.size(), -1);
  for (std::size_t k = 0; k < donors.size(); ++k) {
    if (!window.is_land(k) || !drains_on(window, flow, k)) continue;
    std::int32_t& best = donors[static_cast<std::size_t>(flow.receiver[k])];
    if (best < 0 || flow.area[k] > flow.area[static_cast<std::size_t>(best)])
      best = static_cast<std::int32_t>(k);
  }
  return donors;
}

/// Whether a stream ends at a cell by joining a greater one.
bool joins(const Window& window, const Flow& flow, const std::vector<std::int32_t>& donors,
           std::size_t k) {
  return window.is_land(k) && drains_on(window, flow, k) &&
         donors[static_cast<std::size_t>(flow.receiver[k])] != static_cast<std::int32_t>(k);
}

bool within(double value, double low, double high) { return value >= low && value <= high; }

/// Whether the ground rises to both sides of a stream, seen from a cell of it.
bool in_valley(const Window& window, const std::vector<std::int32_t>& donors, std::size_t mouth,
               const SideValleys& rules) {
  const auto size = static_cast<std::size_t>(window.size);
  std::size_t from = mouth, middle = mouth;
  double walked = 0;
  while (walked < 2 * rules.walk) {
    if (donors[from] < 0) return false;
    const auto up = static_cast<std::size_t>(donors[from]);
    walked += step_between(window, from, up);
    from = up;
    if (walked <= rules.walk) middle = up;
  }
  const auto x_of = [&](std::size_t k) { return static_cast<double>(k % size); };
  const auto y_of = [&](std::size_t k) { return static_cast<double>(k / size); };
  const double dx = x_of(from) - x_of(mouth), dy = y_of(from) - y_of(mouth);
  const double away = std::hypot(dx, dy);
  if (away <= 0) return false;
  const double scale = rules.aside / window.cell / away;
  for (const int side : {-1, 1}) {
    const int i = static_cast<int>(std::lround(x_of(middle) - side * dy * scale));
    const int j = static_cast<int>(std::lround(y_of(middle) + side * dx * scale));
    if (!window.has(i, j)) return false;
    if (static_cast<double>(window.z[window.at(i, j)] - window.z[middle]) <= rules.rise)
      return false;
  }
  return true;
}

}  // namespace

Line slope_area(const Window& window, const Flow& flow, double reach, double low, double high) {
  std::vector<double> areas, falls;
  for (std::size_t k = 0; k < window.z.size(); ++k) {
    const auto area = static_cast<double>(flow.area[k]);
    if (!window.is_land(k) || !flow.complete[k] || !within(area, low, high)) continue;
    std::size_t down = k;
    double walked = 0;
    while (walked < reach && drains_on(window, flow, down)) {
      const auto next = static_cast<std::size_t>(flow.receiver[down]);
      walked += step_between(window, down, next);
      down = next;
    }
    if (walked < reach) continue;
    areas.push_back(area);
    falls.push_back(std::max(0.0, static_cast<double>(flow.filled[k] - flow.filled[down])) /
                    walked);
  }
  const Binned bins = binned_medians(areas, falls, 5, 30);
  return fit_power(bins.x, bins.y);
}

Line hack(const Window& window, const Flow& flow, double low, double high) {
  const std::vector<std::int32_t> donors = main_donors(window, flow);
  std::vector<double> areas, lengths;
  for (std::size_t k = 0; k < window.z.size(); ++k) {
    const auto area = static_cast<double>(flow.area[k]);
    if (!flow.complete[k] || !within(area, low, high)) continue;
    if (!joins(window, flow, donors, k)) continue;
    areas.push_back(area);
    lengths.push_back(static_cast<double>(flow.length[k]));
  }
  return fit_power(areas, lengths);
}

Line area_exceedance(const Window& window, const Flow& flow, double low, double high) {
  std::vector<double> areas;
  for (std::size_t k = 0; k < window.z.size(); ++k)
    if (window.is_land(k)) areas.push_back(static_cast<double>(flow.area[k]));
  std::sort(areas.begin(), areas.end());
  std::vector<double> at, shares;
  for (double a = low; a <= high * 1.001; a *= std::pow(10.0, 0.1)) {
    at.push_back(a);
    shares.push_back(
        static_cast<double>(areas.end() - std::upper_bound(areas.begin(), areas.end(), a)) /
        static_cast<double>(std::max<std::size_t>(areas.size(), 1)));
  }
  return fit_power(at, shares);
}

double side_valley_density(const Window& window, const Flow& flow, const SideValleys& rules) {
  const std::vector<std::int32_t> donors = main_donors(window, flow);
  double land = 0;
  int valleys = 0;
  for (std::size_t k = 0; k < window.z.size(); ++k) {
    if (!window.is_land(k)) continue;
    land += window.cell_area() / 1e6;
    if (!within(static_cast<double>(flow.area[k]), rules.low, rules.high)) continue;
    if (joins(window, flow, donors, k) && in_valley(window, donors, k, rules)) ++valleys;
  }
  return land > 0 ? valleys / land * 10 : 0;
}

}  // namespace terrane::land
