#include <algorithm>
#include <cmath>
#include <limits>

#include "ground.h"

namespace terrane::core {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// A ray on its way over land: the block that it is over, and how far it has come. Each step leads
/// across an edge of what it was over, by whole numbers: nothing is passed by, however the
/// reckoning of distances is rounded.
class March {
 public:
  March(const Place& from, double height, const double direction[3])
      : from_(from),
        height_(height),
        x_(direction[0]),
        y_(direction[1]),
        up_(direction[2]),
        block_(from.block) {}

  [[nodiscard]] BlockPos block() const { return block_; }
  [[nodiscard]] double come() const { return come_; }
  [[nodiscard]] double height(double at) const { return height_ + at * up_; }
  /// Blocks east and south of a block.
  [[nodiscard]] double x(double at, BlockPos of) const {
    return static_cast<double>(from_.block.x - of.x) + from_.x + at * x_;
  }
  [[nodiscard]] double y(double at, BlockPos of) const {
    return static_cast<double>(from_.block.y - of.y) + from_.y + at * y_;
  }

  /// Where it leaves the square of blocks from `low` on. Not before it has come so far.
  [[nodiscard]] double leaves(BlockPos low, std::int64_t wide) const {
    return std::max(come_, std::min(leaves_x(low, wide), leaves_y(low, wide)));
  }

  /// Goes on to the block beyond the edge where it leaves the square.
  void leave(BlockPos low, std::int64_t wide) {
    const double to_x = leaves_x(low, wide), to_y = leaves_y(low, wide);
    come_ = std::max(come_, std::min(to_x, to_y));
    if (to_x <= to_y) {
      block_.x = x_ > 0 ? low.x + wide : low.x - 1;
      block_.y = along(y(come_, low), low.y, wide, y_, block_.y);
    } else {
      block_.y = y_ > 0 ? low.y + wide : low.y - 1;
      block_.x = along(x(come_, low), low.x, wide, x_, block_.x);
    }
  }

  [[nodiscard]] Hit hit(double at, const Cell& cell) const;

 private:
  static double leaves_axis(double from, double direction, std::int64_t wide) {
    if (direction == 0) return kNever;
    return ((direction > 0 ? static_cast<double>(wide) : 0) - from) / direction;
  }
  [[nodiscard]] double leaves_x(BlockPos low, std::int64_t wide) const {
    return leaves_axis(x(0, low), x_, wide);
  }
  [[nodiscard]] double leaves_y(BlockPos low, std::int64_t wide) const {
    return leaves_axis(y(0, low), y_, wide);
  }
  /// The block along an edge: within it, and no step back.
  static std::int64_t along(double offset, std::int64_t low, std::int64_t wide, double direction,
                            std::int64_t last) {
    const double most = static_cast<double>(wide - 1);
    const std::int64_t to =
        low + static_cast<std::int64_t>(std::clamp(std::floor(offset), 0.0, most));
    return direction > 0 ? std::max(to, last) : direction < 0 ? std::min(to, last) : last;
  }

  const Place from_;
  const double height_;
  const double x_, y_, up_;
  BlockPos block_;
  double come_ = 0;
};

Hit March::hit(double at, const Cell& cell) const {
  Hit hit;
  hit.distance = at;
  hit.x = static_cast<double>(from_.block.x) + (from_.x + at * x_);
  hit.y = static_cast<double>(from_.block.y) + (from_.y + at * y_);
  hit.height = height(at);
  const double spacing = static_cast<double>(std::int64_t{1} << cell.node->tile.lod);
  cell.normal(x(at, cell.origin) / spacing, y(at, cell.origin) / spacing, hit.normal);
  return hit;
}

/// Where the ray meets the ground of a cell between two distances; kNever: it does not. Over either
/// of its triangles the height above the ground is linear.
double meets(const March& march, const Cell& cell, double from, double to) {
  const double spacing = static_cast<double>(std::int64_t{1} << cell.node->tile.lod);
  const auto u = [&](double at) {
    return std::clamp(march.x(at, cell.origin) / spacing, 0.0, 1.0);
  };
  const auto v = [&](double at) {
    return std::clamp(march.y(at, cell.origin) / spacing, 0.0, 1.0);
  };
  const auto above = [&](double at) { return march.height(at) - cell.height(u(at), v(at)); };
  // where it crosses the line u = v
  const double before = u(from) - v(from), after = u(to) - v(to);
  std::array<double, 3> ends{from, to, to};
  if ((before < 0) != (after < 0)) ends[1] = from + (to - from) * (before / (before - after));
  double high = above(from);
  if (high <= 0) return from;
  for (std::size_t k = 1; k < ends.size(); ++k) {
    const double next = above(ends[k]);
    if (next <= 0) return ends[k - 1] + (ends[k] - ends[k - 1]) * (high / (high - next));
    high = next;
  }
  return kNever;
}

/// The part of a tile whose ground is of its own samples alone, as blocks; empty where the ray has
/// to look closer: outside of that, or not above all of it.
bool is_above_all(const March& march, const Spot& spot, const Cell& cell, int size, double distance,
                  BlockPos& low, std::int64_t& wide) {
  if (spot.area != cell.node->tile) return false;  // finer ones are elsewhere in it
  if (cell.i == 0 || cell.j == 0 || cell.i >= size - 1 || cell.j >= size - 1) return false;
  const Lod lod = cell.node->tile.lod;
  low = {cell.origin.x - (std::int64_t{cell.i - 1} << lod),
         cell.origin.y - (std::int64_t{cell.j - 1} << lod)};
  wide = std::int64_t{size - 2} << lod;
  const double end = std::min(march.leaves(low, wide), distance);
  const double least = std::min(march.height(march.come()), march.height(end));
  return least > static_cast<double>(cell.node->highest_q4) / 16;
}

/// The widest tile around an empty one that is as empty.
Tile empty_around(const Land& land, Tile area) {
  while (area.lod < kMaxLod && land.node(coarser(area)) == nullptr) area = coarser(area);
  return area;
}

}  // namespace

std::optional<Hit> ray(const Land& land, const double from[3], const double direction[3],
                       double distance) {
  const std::optional<Place> place = place_at(from[0], from[1]);
  if (!place || land.count() == 0) return std::nullopt;
  const double most =
      std::max({std::abs(direction[0]), std::abs(direction[1]), std::abs(direction[2])});
  const double x = direction[0] / most, y = direction[1] / most, up = direction[2] / most;
  const double length = std::sqrt(x * x + y * y + up * up);
  const double unit[3] = {x / length, y / length, up / length};
  March march(*place, from[2], unit);
  Surface surface(land);
  while (march.come() <= distance) {
    const Spot spot = surface.spot(march.block());
    const Tile area = spot.node != nullptr ? spot.area : empty_around(land, spot.area);
    const int shift = land.size_log2() + area.lod;
    BlockPos low{area.coord.x << shift, area.coord.y << shift};
    std::int64_t wide = std::int64_t{1} << shift;
    if (spot.node != nullptr) {
      const Cell cell = cell_of(surface, land.size(), *spot.node, march.block());
      if (!is_above_all(march, spot, cell, land.size(), distance, low, wide)) {
        low = cell.origin;
        wide = std::int64_t{1} << cell.node->tile.lod;
        const double to = std::min(march.leaves(low, wide), distance);
        const bool is_open = is_hole(cell, land.size());
        const double met = is_open ? kNever : meets(march, cell, march.come(), to);
        if (met != kNever) return march.hit(met, cell);
      }
    }
    if (march.leaves(low, wide) > distance) break;
    march.leave(low, wide);
  }
  return std::nullopt;
}

}  // namespace terrane::core
