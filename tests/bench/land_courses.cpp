#include "bench/land_courses.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace terrane::land {
namespace {

struct Point {
  double x = 0, y = 0;  // blocks
};

double distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

Point middle_of(const Window& window, std::size_t k) {
  const auto size = static_cast<std::size_t>(window.size);
  return {static_cast<double>(k % size) * window.cell, static_cast<double>(k / size) * window.cell};
}

void append(const Window& window, const Arm& arm, bool backwards, std::vector<Point>& line) {
  const std::size_t count = arm.cells.size();
  for (std::size_t k = 0; k < count; ++k)
    line.push_back(middle_of(window, arm.cells[backwards ? count - 1 - k : k]));
}

/// The arm on which a course goes on from `arm` through a node: the two widest go together.
int onward(const Rivers& rivers, const Node& node, int arm) {
  std::vector<int> arms = node.arms;
  std::stable_sort(arms.begin(), arms.end(), [&](int a, int b) {
    return rivers.arms[static_cast<std::size_t>(a)].half_width >
           rivers.arms[static_cast<std::size_t>(b)].half_width;
  });
  if (arms.size() < 2 || arms[0] == arms[1]) return -1;
  if (arms[0] == arm) return arms[1];
  return arms[1] == arm ? arms[0] : -1;
}

/// The course that leaves a node on an arm, to where it ends.
std::vector<Point> course_from(const Window& window, const Rivers& rivers, int node, int arm,
                               std::vector<std::uint8_t>& seen) {
  std::vector<Point> line;
  while (arm >= 0 && !seen[static_cast<std::size_t>(arm)]) {
    seen[static_cast<std::size_t>(arm)] = 1;
    const Arm& here = rivers.arms[static_cast<std::size_t>(arm)];
    const bool backwards = here.from != node;
    append(window, here, backwards, line);
    node = backwards ? here.from : here.to;
    arm = onward(rivers, rivers.nodes[static_cast<std::size_t>(node)], arm);
  }
  return line;
}

void count_chords(const std::vector<Point>& line, double length, Chords& chords) {
  if (line.empty()) return;
  Point from = line.front();
  for (const Point& to : line) {
    if (distance(from, to) < length) continue;
    const double angle =
        std::abs(std::atan2(to.y - from.y, to.x - from.x)) * 180 / std::numbers::pi;
    const double past_axis = std::fmod(angle, 90);
    const double off_axis = std::min(past_axis, 90 - past_axis);
    ++(off_axis <= 15 ? chords.axes : off_axis >= 30 ? chords.diagonals : chords.others);
    from = to;
  }
}

/// The length of a line of cells, smoothed over `span` points to either side.
double smooth_length(const std::vector<Point>& line, int span) {
  double length = 0;
  Point before;
  const int count = static_cast<int>(line.size());
  for (int k = 0; k < count; ++k) {
    const int reach = std::min({span, k, count - 1 - k});  // the ends stay where they are
    Point sum;
    for (int n = k - reach; n <= k + reach; ++n) {
      sum.x += line[static_cast<std::size_t>(n)].x;
      sum.y += line[static_cast<std::size_t>(n)].y;
    }
    const Point here{sum.x / (2 * reach + 1), sum.y / (2 * reach + 1)};
    if (k > 0) length += distance(before, here);
    before = here;
  }
  return length;
}

/// How many cells of an arm's middle line to leave out at either end: there, drawn cells belong to
/// what it meets, or the line ends before the river does.
std::size_t trim_of(const Window& window, const Arm& arm) {
  return static_cast<std::size_t>(1.5 * arm.half_width / window.cell) + 1;
}

/// Drawn cells nearest to each arm without its ends: spreads from the middle lines.
std::vector<int> cells_by_arm(const Window& window, const Rivers& rivers) {
  constexpr std::int32_t kNobody = -1, kEnd = -2;
  std::vector<std::int32_t> arm_of(window.cover.size(), kNobody);
  std::vector<std::size_t> front;
  std::vector<int> cells(rivers.arms.size(), 0);
  for (std::size_t a = 0; a < rivers.arms.size(); ++a) {
    const std::vector<std::size_t>& line = rivers.arms[a].cells;
    const std::size_t trim = trim_of(window, rivers.arms[a]);
    for (std::size_t n = 0; n < line.size(); ++n) {
      const bool inner = n >= trim && n + trim < line.size();
      arm_of[line[n]] = inner ? static_cast<std::int32_t>(a) : kEnd;
      front.push_back(line[n]);
    }
  }
  for (std::size_t next = 0; next < front.size(); ++next) {
    const std::size_t here = front[next];
    if (arm_of[here] >= 0) ++cells[static_cast<std::size_t>(arm_of[here])];
    for_neighbours(window, here, [&](int x, int y) {
      const std::size_t there = window.at(x, y);
      if (window.cover[there] != Cover::kRiver || arm_of[there] != kNobody) return;
      arm_of[there] = arm_of[here];
      front.push_back(there);
    });
  }
  return cells;
}

constexpr double kLeastArea = 1e5;  // m²: less is no river's

/// The most that drains through complete cells around a place; 0 where some are not complete.
double area_around(const Window& coarse, const Flow& flow, Point at, double reach) {
  const int i = static_cast<int>(at.x / coarse.cell), j = static_cast<int>(at.y / coarse.cell);
  const int cells = static_cast<int>(reach / coarse.cell) + 1;
  std::size_t most = coarse.at(i, j);
  for (int y = j - cells; y <= j + cells; ++y) {
    for (int x = i - cells; x <= i + cells; ++x) {
      if (!coarse.has(x, y) || !coarse.is_land(coarse.at(x, y))) continue;
      if (flow.area[coarse.at(x, y)] > flow.area[most]) most = coarse.at(x, y);
    }
  }
  return flow.complete[most] ? static_cast<double>(flow.area[most]) : 0;
}

}  // namespace

Chords chords_of(const Window& window, const Rivers& rivers, double length) {
  Chords chords;
  std::vector<std::uint8_t> seen(rivers.arms.size(), 0);
  for (const bool ends_only : {true, false}) {  // what is left then are rings
    for (std::size_t n = 0; n < rivers.nodes.size(); ++n) {
      for (const int arm : rivers.nodes[n].arms) {
        if (ends_only && onward(rivers, rivers.nodes[n], arm) >= 0) continue;
        count_chords(course_from(window, rivers, static_cast<int>(n), arm, seen), length, chords);
      }
    }
  }
  return chords;
}

std::vector<double> sinuosities(const Window& window, const Rivers& rivers, double least) {
  std::vector<double> out;
  for (const Arm& arm : rivers.arms) {
    std::vector<Point> line;
    append(window, arm, false, line);
    const double straight = distance(line.front(), line.back());
    if (straight < least) continue;
    out.push_back(smooth_length(line, static_cast<int>(8 / window.cell)) / straight);
  }
  return out;
}

Widths widths_of(const Window& window, const Rivers& rivers, const Window& coarse, const Flow& flow,
                 double least) {
  Widths out;
  const std::vector<int> cells = cells_by_arm(window, rivers);
  for (std::size_t a = 0; a < rivers.arms.size(); ++a) {
    const Arm& arm = rivers.arms[a];
    const std::size_t trim = trim_of(window, arm);
    if (arm.cells.size() <= 2 * trim) continue;
    std::vector<Point> line;
    append(window, arm, false, line);
    line = {line.begin() + static_cast<std::ptrdiff_t>(trim),
            line.end() - static_cast<std::ptrdiff_t>(trim)};
    const double length = smooth_length(line, static_cast<int>(8 / window.cell));
    if (length < least) continue;
    // what flows may hug a bank, and its cell be the one beside it
    const double reach = 1.5 * arm.half_width + 2 * coarse.cell;
    const double area = area_around(coarse, flow, line[line.size() / 2], reach);
    if (area < kLeastArea) continue;
    out.area.push_back(area);
    out.width.push_back(cells[a] * window.cell_area() / length);
  }
  return out;
}

}  // namespace terrane::land
