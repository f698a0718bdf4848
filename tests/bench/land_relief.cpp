#include "bench/land_relief.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace terrane::land {
namespace {

/// Sums over a basin, for its integral.
struct Heights {
  double sum = 0, least = 0, greatest = 0;
  double cells = 0;

  void add(const Heights& other) {
    sum += other.sum;
    cells += other.cells;
    least = std::min(least, other.least);
    greatest = std::max(greatest, other.greatest);
  }
  [[nodiscard]] double integral() const {
    return greatest > least ? (sum / cells - least) / (greatest - least) : 0;
  }
};

Heights heights_of(double z) { return {z, z, z, 1}; }

double height_at(const Window& window, int i, int j) {
  return static_cast<double>(window.z[window.at(i, j)]);
}

/// The deviation of a square from its plane; offsets from the square's middle make the plane's
/// equations independent of each other.
double deviation(const Window& window, int i, int j, int cells) {
  const double middle = (cells - 1) / 2.0;
  double sum = 0, along_x = 0, along_y = 0, squares = 0, offsets = 0;
  for (int y = 0; y < cells; ++y) {
    for (int x = 0; x < cells; ++x) {
      const double z = height_at(window, i + x, j + y);
      sum += z;
      squares += z * z;
      along_x += z * (x - middle);
      along_y += z * (y - middle);
      offsets += (x - middle) * (x - middle);
    }
  }
  const double n = double{1} * cells * cells, mean = sum / n;
  const double explained = (along_x * along_x + along_y * along_y) / offsets;
  return std::sqrt(std::max(0.0, (squares - n * mean * mean - explained) / n));
}

bool all_land(const Window& window, int i, int j, int cells) {
  for (int y = j; y < j + cells; ++y)
    for (int x = i; x < i + cells; ++x)
      if (!window.is_land(window.at(x, y))) return false;
  return true;
}

}  // namespace

std::vector<double> slopes(const Window& window) {
  std::vector<double> out;
  for (int j = 1; j + 1 < window.size; ++j) {
    for (int i = 1; i + 1 < window.size; ++i) {
      if (!window.is_dry(window.at(i, j))) continue;
      const auto z = [&](int x, int y) { return height_at(window, i + x, j + y); };
      const double dx = z(1, -1) + 2 * z(1, 0) + z(1, 1) - z(-1, -1) - 2 * z(-1, 0) - z(-1, 1);
      const double dy = z(-1, 1) + 2 * z(0, 1) + z(1, 1) - z(-1, -1) - 2 * z(0, -1) - z(1, -1);
      out.push_back(std::atan(std::hypot(dx, dy) / (8 * window.cell)) * 180 / std::numbers::pi);
    }
  }
  return out;
}

double share_within(const std::vector<double>& values, double low, double high) {
  if (values.empty()) return 0;
  const auto within =
      std::count_if(values.begin(), values.end(), [&](double v) { return v >= low && v < high; });
  return static_cast<double>(within) / static_cast<double>(values.size());
}

std::vector<double> roughness(const Window& window, int cells) {
  std::vector<double> out;
  for (int j = 0; j + cells <= window.size; j += cells)
    for (int i = 0; i + cells <= window.size; i += cells)
      if (all_land(window, i, j, cells)) out.push_back(deviation(window, i, j, cells));
  return out;
}

double hypsometric_integral(const Window& window) {
  Heights all;
  for (std::size_t k = 0; k < window.z.size(); ++k) {
    if (!window.is_land(k)) continue;
    const Heights one = heights_of(static_cast<double>(window.z[k]));
    if (all.cells == 0) {
      all = one;
    } else {
      all.add(one);
    }
  }
  return all.integral();
}

std::vector<double> basin_integrals(const Window& window, const Flow& flow, double low,
                                    double high) {
  std::vector<Heights> basins(window.z.size());
  std::vector<double> out;
  for (std::size_t k = 0; k < basins.size(); ++k)
    basins[k] = heights_of(static_cast<double>(window.z[k]));
  for (auto here = flow.order.rbegin(); here != flow.order.rend(); ++here) {
    const auto k = static_cast<std::size_t>(*here);
    if (!window.is_land(k)) continue;
    const std::int32_t to = flow.receiver[k];
    const double area = static_cast<double>(flow.area[k]);
    const bool ends = to == kOutlet || !window.is_land(static_cast<std::size_t>(to)) ||
                      static_cast<double>(flow.area[static_cast<std::size_t>(to)]) >= high;
    if (ends) {
      if (area >= low && area < high && flow.complete[k]) out.push_back(basins[k].integral());
    } else {
      basins[static_cast<std::size_t>(to)].add(basins[k]);
    }
  }
  return out;
}

Hollows dry_hollows(const Window& window, const Flow& flow, double depth) {
  Hollows out;
  std::vector<std::uint8_t> seen(window.z.size(), 0);
  const auto below = [&](std::size_t k) { return flow.filled[k] > window.z[k]; };
  std::vector<std::size_t> hollow;
  for (std::size_t k = 0; k < seen.size(); ++k) {
    if (!window.is_land(k)) continue;
    out.land_km2 += window.cell_area() / 1e6;
    if (seen[k] || !below(k)) continue;
    hollow.assign(1, k);
    seen[k] = 1;
    bool wet = false;
    double deepest = 0;
    for (std::size_t next = 0; next < hollow.size(); ++next) {
      const std::size_t here = hollow[next];
      deepest = std::max(deepest, static_cast<double>(flow.filled[here] - window.z[here]));
      wet = wet || !window.is_dry(here);
      for_neighbours(window, here, [&](int x, int y) {
        const std::size_t there = window.at(x, y);
        wet = wet || !window.is_dry(there);
        if (seen[there] || !below(there)) return;
        seen[there] = 1;
        hollow.push_back(there);
      });
    }
    if (wet || deepest <= depth) continue;
    ++out.dry;
    out.deepest = std::max(out.deepest, deepest);
  }
  return out;
}

double relief_of(const Window& window, int i, int j, int cells) {
  const auto ground = [&](int x, int y) {
    return window.is_land(window.at(x, y)) ? height_at(window, x, y) : 0;
  };
  double least = ground(i, j), greatest = least;
  for (int y = j; y < j + cells; ++y) {
    for (int x = i; x < i + cells; ++x) {
      least = std::min(least, ground(x, y));
      greatest = std::max(greatest, ground(x, y));
    }
  }
  return greatest - least;
}

}  // namespace terrane::land
