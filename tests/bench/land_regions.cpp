#include "bench/land_regions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "bench/land_flow.h"

namespace terrane::land {
namespace {

struct Corner {
  double x = 0, y = 0;  // cells
};

int column(const Window& window, std::size_t k) {
  return static_cast<int>(k % static_cast<std::size_t>(window.size));
}
int row(const Window& window, std::size_t k) {
  return static_cast<int>(k / static_cast<std::size_t>(window.size));
}

/// The outer outline of a region, corner of cells by corner of cells, with the region to the right.
std::vector<Corner> outline_of(const Window& window, const std::vector<std::size_t>& region) {
  static constexpr std::array<std::pair<int, int>, 4> kWays{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
  std::vector<std::size_t> cells = region;
  std::sort(cells.begin(), cells.end());
  const auto inside = [&](int i, int j) {
    return window.has(i, j) && std::binary_search(cells.begin(), cells.end(), window.at(i, j));
  };
  const int first_x = column(window, cells.front()), first_y = row(window, cells.front());
  int x = first_x, y = first_y;
  unsigned way = 0;
  std::vector<Corner> outline;
  do {
    outline.push_back({static_cast<double>(x), static_cast<double>(y)});
    x += kWays[way].first;
    y += kWays[way].second;
    // the cells ahead of the corner that was come to: left and right of the way
    const auto [dx, dy] = kWays[way];
    const int ahead_x = x + (dx - 1 + dy) / 2, ahead_y = y + (dy - 1 - dx) / 2;
    const int right_x = x + (dx - 1 - dy) / 2, right_y = y + (dy - 1 + dx) / 2;
    if (!inside(right_x, right_y)) {
      way = (way + 1) % 4;
    } else if (inside(ahead_x, ahead_y)) {
      way = (way + 3) % 4;
    }
  } while (x != first_x || y != first_y || way != 0);
  return outline;
}

std::vector<Corner> smoothed(const std::vector<Corner>& ring, int span) {
  const auto count = ring.size();
  std::vector<Corner> out(count);
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t n = 0; n <= 2 * static_cast<std::size_t>(span); ++n) {
      const Corner& c = ring[(k + n + count - static_cast<std::size_t>(span) % count) % count];
      out[k].x += c.x / (2 * span + 1);
      out[k].y += c.y / (2 * span + 1);
    }
  }
  return out;
}

double length_of(const std::vector<Corner>& ring) {
  double length = 0;
  for (std::size_t k = 0; k < ring.size(); ++k) {
    const Corner& next = ring[(k + 1) % ring.size()];
    length += std::hypot(next.x - ring[k].x, next.y - ring[k].y);
  }
  return length;
}

/// Of a ring, the share of points in pieces that stay close to the chord of their ends.
double straight_share(const std::vector<Corner>& ring, double piece, double close) {
  const std::size_t count = ring.size();
  std::vector<std::uint8_t> straight(count, 0);
  for (std::size_t from = 0; from < count; ++from) {
    const Corner a = ring[from];
    std::size_t span = 1;
    double away = 0;
    for (; span < count; ++span) {
      away = std::hypot(ring[(from + span) % count].x - a.x, ring[(from + span) % count].y - a.y);
      if (away >= piece) break;
    }
    if (away < piece) continue;
    const Corner b = ring[(from + span) % count];
    bool is_close = true;
    for (std::size_t n = 1; n < span && is_close; ++n) {
      const Corner& c = ring[(from + n) % count];
      const double off = ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) / away;
      is_close = std::abs(off) < close;
    }
    if (!is_close) continue;
    for (std::size_t n = 0; n <= span; ++n) straight[(from + n) % count] = 1;
  }
  const auto marked = std::count(straight.begin(), straight.end(), 1);
  return static_cast<double>(marked) / static_cast<double>(count);
}

}  // namespace

std::vector<std::vector<std::size_t>> regions_of(const Window& window, const Mask& mask,
                                                 Through through) {
  std::vector<std::vector<std::size_t>> regions;
  Mask left = mask;
  for (std::size_t k = 0; k < left.size(); ++k) {
    if (!left[k]) continue;
    std::vector<std::size_t> region{k};
    left[k] = 0;
    for (std::size_t next = 0; next < region.size(); ++next) {
      const std::size_t here = region[next];
      for_neighbours(window, here, [&](int x, int y) {
        const std::size_t there = window.at(x, y);
        const bool side = x == column(window, here) || y == row(window, here);
        if (!left[there] || (!side && through == Through::kSides)) return;
        left[there] = 0;
        region.push_back(there);
      });
    }
    regions.push_back(std::move(region));
  }
  return regions;
}

bool touches_edge(const Window& window, const std::vector<std::size_t>& region) {
  return std::any_of(region.begin(), region.end(), [&](std::size_t k) {
    const int i = column(window, k), j = row(window, k);
    return i == 0 || j == 0 || i + 1 == window.size || j + 1 == window.size;
  });
}

double extent_of(const Window& window, const std::vector<std::size_t>& region) {
  constexpr int kDirections = 32;  // the widest is missed by at most cos(pi / 64)
  double widest = 0;
  for (int d = 0; d < kDirections; ++d) {
    const double x = std::cos(std::numbers::pi * d / kDirections);
    const double y = std::sin(std::numbers::pi * d / kDirections);
    double low = 0, high = 0;
    for (std::size_t n = 0; n < region.size(); ++n) {
      const double at = x * column(window, region[n]) + y * row(window, region[n]);
      low = n == 0 ? at : std::min(low, at);
      high = n == 0 ? at : std::max(high, at);
    }
    widest = std::max(widest, high - low);
  }
  return widest * window.cell;
}

double Shore::index() const { return length / (2 * std::sqrt(std::numbers::pi * area)); }

Shore shore_of(const Window& window, const std::vector<std::size_t>& lake, double piece) {
  Shore shore;
  const std::vector<Corner> outline = outline_of(window, lake);
  double doubled = 0;
  for (std::size_t k = 0; k < outline.size(); ++k) {
    const Corner &a = outline[k], &b = outline[(k + 1) % outline.size()];
    doubled += a.x * b.y - b.x * a.y;
  }
  shore.area = std::abs(doubled) / 2 * window.cell_area();
  shore.length = length_of(smoothed(outline, 4)) * window.cell;
  shore.straight_share = straight_share(smoothed(outline, 2), piece / window.cell, 1 / window.cell);
  return shore;
}

}  // namespace terrane::land
