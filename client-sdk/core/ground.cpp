#include "ground.h"

#include <algorithm>
#include <cmath>

namespace terrane::core {
namespace {

constexpr double kBlocksPerQ4 = 1.0 / 16;
/// Further out than any block of any world, and yet without loss as a double.
constexpr double kOutermost = 1e15;

/// The water's surface at a place of a cell, or what is below the ground: it stands where one of
/// the cell's corners is wet.
std::optional<double> level_in(Surface& surface, const Cell& cell, double u, double v) {
  std::array<Point, 4> corners;
  bool wet = false;
  for (int k = 0; k < 4; ++k) {
    corners[static_cast<std::size_t>(k)] =
        surface.vertex(*cell.node, cell.i + (k & 1), cell.j + (k >> 1));
    wet = wet || corners[static_cast<std::size_t>(k)].is_wet();
  }
  if (!wet) return std::nullopt;
  Cell water = cell;
  for (int k = 0; k < 4; ++k) {
    const Point shore = surface.shore(*cell.node, cell.i + (k & 1), cell.j + (k >> 1));
    water.heights[static_cast<std::size_t>(k)] = shore.water_q4 * kBlocksPerQ4;
  }
  return water.height(u, v);
}

/// Whether water may stand in a cell: that of neighbours counts along the edges.
bool may_be_wet(const Cell& cell, int size) {
  return cell.node->wet || cell.i == 0 || cell.j == 0 || cell.i == size - 1 || cell.j == size - 1;
}

std::uint8_t nearest_biome(const Cell& cell, int size, double u, double v) {
  if (cell.node->biomes == nullptr) return 0;
  const int i = std::min(cell.i + (u >= 0.5 ? 1 : 0), size - 1);
  const int j = std::min(cell.j + (v >= 0.5 ? 1 : 0), size - 1);
  return cell.node->biomes[std::ptrdiff_t{j} * size + i];
}

/// A place that was asked for, and the finest tile at hand there.
struct Asked {
  Place place;
  const LandNode* node = nullptr;  // null: nothing is at hand
};
/// As many are found before the first is reckoned: memory brings what they need meanwhile.
constexpr std::size_t kBatch = 16;

void fetch_ahead([[maybe_unused]] const void* memory) {
#if defined(__GNUC__)
  __builtin_prefetch(memory);
#endif
}

Asked ask(Surface& surface, int size, double x, double y) {
  Asked asked;
  const std::optional<Place> place = place_at(x, y);
  if (!place) return asked;
  asked.place = *place;
  asked.node = surface.at(place->block);
  if (asked.node == nullptr) return asked;
  const Tile& tile = asked.node->tile;
  const std::int64_t i = (place->block.x >> tile.lod) & (size - 1);
  const std::int64_t j = (place->block.y >> tile.lod) & (size - 1);
  const std::int64_t at = j * size + i, last = std::int64_t{size} * size - 1;
  fetch_ahead(asked.node->heights_q4 + at);
  fetch_ahead(asked.node->heights_q4 + std::min(at + size, last));
  if (asked.node->biomes != nullptr) fetch_ahead(asked.node->biomes + at);
  if (asked.node->wet) fetch_ahead(asked.node->waters_q4 + at);
  return asked;
}

terrane_ground ground_at(Surface& surface, int size, const Asked& asked) {
  terrane_ground ground{};
  if (asked.node == nullptr) return ground;
  const Place& place = asked.place;
  const Cell cell = cell_of(surface, size, *asked.node, place.block);
  const double spacing = static_cast<double>(std::int64_t{1} << cell.node->tile.lod);
  const double u = (static_cast<double>(place.block.x - cell.origin.x) + place.x) / spacing;
  const double v = (static_cast<double>(place.block.y - cell.origin.y) + place.y) / spacing;
  ground.known = 1;
  ground.lod = cell.node->tile.lod;
  ground.height = cell.height(u, v);
  ground.biome = nearest_biome(cell, size, u, v);
  ground.hole = is_hole(cell, size) ? 1 : 0;
  cell.normal(u, v, ground.normal);
  ground.water = ground.height;
  if (const auto level = water_at(surface, cell, size, u, v)) {
    ground.water = *level;
    ground.depth = static_cast<float>(*level - ground.height);
  }
  return ground;
}

double squared(const terrane_placement& placement, const Place& place) {
  const double x = static_cast<double>(placement.anchor.x - place.block.x) - place.x;
  const double y = static_cast<double>(placement.anchor.y - place.block.y) - place.y;
  return x * x + y * y;
}

struct Nearer {
  Place place;
  bool operator()(const terrane_placement& a, const terrane_placement& b) const {
    const double to_a = squared(a, place), to_b = squared(b, place);
    if (to_a != to_b) return to_a < to_b;
    return a.anchor.y != b.anchor.y ? a.anchor.y < b.anchor.y : a.anchor.x < b.anchor.x;
  }
};

/// The nearest `capacity` placements, kept as a heap whose first is the farthest.
class Nearest {
 public:
  Nearest(const Place& place, double radius, terrane_placement* out, std::size_t capacity)
      : nearer_{place}, radius_(radius), out_(out), capacity_(capacity) {}

  void look_at(const Chunk& chunk) {
    for (const Placement& each : chunk.placements) {
      const terrane_placement placement{
          {each.anchor.x, each.anchor.y}, each.kind, each.turn, each.scale};
      if (squared(placement, nearer_.place) > radius_ * radius_) continue;
      ++found_;
      if (capacity_ > 0) keep(placement);
    }
  }

  std::size_t sort() {
    std::sort_heap(out_, out_ + kept_, nearer_);
    return found_;
  }

 private:
  void keep(const terrane_placement& placement) {
    if (kept_ == capacity_) {
      if (!nearer_(placement, out_[0])) return;
      std::pop_heap(out_, out_ + kept_--, nearer_);
    }
    out_[kept_++] = placement;
    std::push_heap(out_, out_ + kept_, nearer_);
  }

  const Nearer nearer_;
  const double radius_;
  terrane_placement* const out_;
  const std::size_t capacity_;
  std::size_t kept_ = 0, found_ = 0;
};

}  // namespace

std::optional<Place> place_at(double x, double y) {
  if (!(std::abs(x) < kOutermost && std::abs(y) < kOutermost)) return std::nullopt;
  // floor(), but that is a call for want of an instruction that all processors have
  const auto block = [](double at) {
    const auto towards_zero = static_cast<std::int64_t>(at);
    return towards_zero - (at < static_cast<double>(towards_zero) ? 1 : 0);
  };
  const BlockPos at{block(x), block(y)};
  return Place{at, x - static_cast<double>(at.x), y - static_cast<double>(at.y)};
}

void Cell::normal(double u, double v, float out[3]) const {
  const double spacing = static_cast<double>(std::int64_t{1} << node->tile.lod);
  const double middle = u >= v ? heights[1] : heights[2];
  const double first = middle - heights[0], second = heights[3] - middle;
  const double x = -(u >= v ? first : second), y = -(u >= v ? second : first);
  const double length = std::sqrt(x * x + y * y + spacing * spacing);
  out[0] = static_cast<float>(x / length);
  out[1] = static_cast<float>(y / length);
  out[2] = static_cast<float>(spacing / length);
}

std::optional<double> water_at(Surface& surface, const Cell& cell, int size, double u, double v) {
  if (!may_be_wet(cell, size)) return std::nullopt;
  const std::optional<double> level = level_in(surface, cell, u, v);
  return level && *level > cell.height(u, v) ? level : std::nullopt;
}

Cell cell_of(Surface& surface, int size, const LandNode& node, BlockPos block) {
  Cell cell;
  cell.node = &node;
  const Tile& tile = node.tile;
  const BlockPos origin = chunk_origin(tile.coord, size, tile.lod);
  cell.i = static_cast<int>((block.x - origin.x) >> tile.lod);
  cell.j = static_cast<int>((block.y - origin.y) >> tile.lod);
  cell.origin = {origin.x + (std::int64_t{cell.i} << tile.lod),
                 origin.y + (std::int64_t{cell.j} << tile.lod)};
  for (int k = 0; k < 4; ++k)
    cell.heights[static_cast<std::size_t>(k)] =
        surface.vertex(node, cell.i + (k & 1), cell.j + (k >> 1)).height_q4 * kBlocksPerQ4;
  return cell;
}

void ground(const Land& land, const double* places, std::size_t count, terrane_ground* grounds) {
  Surface surface(land);
  std::array<Asked, kBatch> batch;
  for (std::size_t from = 0; from < count; from += kBatch) {
    const std::size_t wide = std::min(kBatch, count - from);
    for (std::size_t k = 0; k < wide; ++k)
      batch[k] = ask(surface, land.size(), places[2 * (from + k)], places[2 * (from + k) + 1]);
    for (std::size_t k = 0; k < wide; ++k)
      grounds[from + k] = ground_at(surface, land.size(), batch[k]);
  }
}

std::size_t placements(const Land& land, double x, double y, double radius, terrane_placement* out,
                       std::size_t capacity) {
  const std::optional<Place> place = place_at(x, y);
  if (!place || !(radius >= 0) || land.count() == 0) return 0;
  Nearest nearest(*place, radius, out, capacity);
  const double chunk = land.size(), most = std::ceil(std::min(radius, kOutermost) / chunk);
  const Land::Level& level = land.level(0);
  const auto reach = static_cast<std::int64_t>(most);
  const std::int64_t at_x = place->block.x >> land.size_log2();
  const std::int64_t at_y = place->block.y >> land.size_log2();
  if ((2 * most + 1) * (2 * most + 1) > static_cast<double>(level.size())) {
    for (const auto& [coord, node] : level) nearest.look_at(*node.chunk);
    return nearest.sort();
  }
  for (std::int64_t tile_y = at_y - reach; tile_y <= at_y + reach; ++tile_y) {
    for (std::int64_t tile_x = at_x - reach; tile_x <= at_x + reach; ++tile_x) {
      const LandNode* const node = land.node({0, {tile_x, tile_y}});
      if (node != nullptr && node->chunk) nearest.look_at(*node->chunk);
    }
  }
  return nearest.sort();
}

}  // namespace terrane::core
