#include "worldgen/terrains/continents/hydrology.h"

#include <algorithm>
#include <cmath>

#include "worldgen/terrains/continents/continents.h"
#include "worldgen/terrains/continents/river_width.h"
#include "worldgen/terrains/continents/swing.h"

namespace terrane::worldgen::continents {

namespace {

/// Blocks: from where on a river gets wider towards other water.
constexpr float kMouth = 60.0f;

/// The cells along an axis, in whole groups, so that grids that lie close share them.
void cells_along(std::int64_t first, std::int64_t last, std::int64_t spacing, std::int64_t& from,
                 int& count) {
  const auto group = [&](std::int64_t block) {
    return floor_div(floor_div(block, spacing), kRefinement) * kRefinement;
  };
  from = group(first);
  count = static_cast<int>(group(last) - from) + kRefinement;
}

/// Where a river with roads has a ford: in a bend near its middle, now and then; below 0 for none.
float ford_of(const Course& course, const Swing& swing, float length) {
  constexpr float kLongEnough = 300.0f;  // blocks
  constexpr std::uint64_t kOneIn = 3;    // courses
  const std::uint64_t key =
      noise::combine(static_cast<std::uint64_t>(course.x), static_cast<std::uint64_t>(course.y));
  return length >= kLongEnough && (key >> 40) % kOneIn == 0 ? swing.bend_near(0.5f, true) : -1.0f;
}

/// Blocks: how far from its middle a lake changes the ground, or its road does.
float reach_of(const LakeSite& lake) { return 2.0f * lake.radius + kChannelReach; }

/// Blocks: how far from a course the river that swings along it changes the ground.
float reach_of(const Drainage& drainage) {
  return std::max(drainage.reach, 4.0f * kChannelReach) + kWidestSwing;
}

/// Whether places, in blocks from a grid's first sample, come so near to the rectangle from (x, y)
/// to (x + dx, y + dy).
bool is_near(const PlaceBounds& places, float x, float y, float dx, float dy, float reach) {
  const float near = reach + 2.0f;
  return std::min(x, x + dx) <= places.max_x + near && std::max(x, x + dx) >= places.min_x - near &&
         std::min(y, y + dy) <= places.max_y + near && std::max(y, y + dy) >= places.min_y - near;
}

/// Whether there are roads along a river.
bool has_road(const Rivers& rivers, const Course& course) {
  return !course.is_dry && rivers.width > 0 && rivers.roads_from > 0 &&
         4.0f * half_width2(rivers, course.area - course.missing) >=
             rivers.roads_from * rivers.roads_from;
}

/// Whether a road leads around a lake: one of a river that begins or ends there.
bool has_road(const Rivers& rivers, const std::vector<Course>& courses, const LakeSite& lake) {
  return std::any_of(courses.begin(), courses.end(), [&](const Course& course) {
    return ((course.x == lake.x && course.y == lake.y) ||
            (course.x + course.dx == lake.x && course.y + course.dy == lake.y)) &&
           has_road(rivers, course);
  });
}

/// Whether whoever is near the road around a lake has all courses that begin or end there: those
/// within kLongestCourse spacings and a margin.
bool is_all_around_known(const Drainage& drainage, const LakeSite& lake) {
  return reach_of(lake) <= drainage.reach + kWidestSwing;
}

/// A lake's shore: waves that begin anywhere.
std::array<Lake::Waves, 6> shore_of(const LakeSite& lake) {
  constexpr std::array<float, 6> kHeights{0.13f, 0.1f, 0.08f, 0.065f, 0.05f, 0.045f};
  const std::uint64_t place =
      noise::combine(static_cast<std::uint64_t>(lake.x), static_cast<std::uint64_t>(lake.y));
  std::array<Lake::Waves, 6> waves{};
  for (std::size_t k = 0; k < waves.size(); ++k) {
    const std::uint64_t hash = noise::combine(place, k);
    const float x = static_cast<float>(hash & 0xffff) - 32767.5f;  // never 0
    const float y = static_cast<float>(hash >> 16 & 0xffff) - 32767.5f;
    const float to_height = kHeights[k] / std::sqrt(x * x + y * y);
    waves[k] = {x * to_height, y * to_height};
  }
  return waves;
}

}  // namespace

Hydrology hydrology_around(const ContinentsTerrain& terrain, const GridContext& context,
                           const PlaceBounds& places) {
  const Drainage& drainage = terrain.drainage;
  const noise::SampleGrid& grid = context.grid;
  const std::int64_t spacing = drainage.spacing;
  const float margin =
      std::max(drainage.reach + kWidestSwing + kLongestCourse * static_cast<float>(spacing),
               2.0f * largest_lake(drainage, terrain.rivers, 0) + kChannelReach);
  const auto block = [](float offset) { return static_cast<std::int64_t>(std::floor(offset)); };
  CellRect cells;
  cells_along(grid.origin.x + block(places.min_x - margin),
              grid.origin.x + block(places.max_x + margin) + 1, spacing, cells.x, cells.width);
  cells_along(grid.origin.y + block(places.min_y - margin),
              grid.origin.y + block(places.max_y + margin) + 1, spacing, cells.y, cells.height);
  const Network& network = network_in(
      {terrain.land, drainage, terrain.rivers, terrain.relief, drainage.levels - 1, cells},
      context);
  Hydrology out;
  for (const Course& course : network.courses) {
    const auto dx = static_cast<float>(course.dx), dy = static_cast<float>(course.dy);
    Watercourse way{};
    way.x = static_cast<float>(course.x - grid.origin.x);
    way.y = static_cast<float>(course.y - grid.origin.y);
    if (!is_near(places, way.x, way.y, dx, dy, reach_of(drainage))) continue;
    way.dx = dx, way.dy = dy;
    way.inverse_length2 = 1.0f / (dx * dx + dy * dy);
    way.level = course.level, way.fall = course.fall;
    way.level_until = course.level_until, way.per_length = course.per_length;
    way.from_lake = course.level_until > 0 ? 1.0f : 0.0f;
    const bool to_lake = course.level_until + 1.0f / course.per_length < 0.999f;
    way.to_water = to_lake || course.is_last ? 1.0f : 0.0f;
    const float inverse_length = 1.0f / std::sqrt(dx * dx + dy * dy);
    way.mouth = std::max(1.0f, 1.0f / (kMouth * inverse_length));
    way.normal_x = -dy * inverse_length, way.normal_y = dx * inverse_length;
    const Swing swing = swing_of(drainage, terrain.rivers, course);
    way.swing = swing.width, way.waves = swing.waves, way.fade = Swing::fade_of(swing.width);
    way.unevenness = swing.unevenness, way.calming = swing.calming;
    way.swing_slope = swing.width * swing.waves * inverse_length;
    way.ford = -1.0f;
    if (!course.is_dry && terrain.rivers.width > 0) {
      const float area = course.area - course.missing;
      way.width2 = half_width2(terrain.rivers, area);
      way.widening = half_width2(terrain.rivers, area + course.joining + course.found) - way.width2;
      way.has_road = has_road(terrain.rivers, course);
      if (way.has_road) way.ford = ford_of(course, swing, 1.0f / inverse_length);
      if (way.ford >= 0) way.ford_aside = swing.at(way.ford);
    }
    out.courses.push_back(way);
  }
  for (const LakeSite& lake : network.lakes) {
    const auto x = static_cast<float>(lake.x - grid.origin.x);
    const auto y = static_cast<float>(lake.y - grid.origin.y);
    if (!is_near(places, x, y, 0, 0, reach_of(lake))) continue;
    const bool is_on_road =
        is_all_around_known(drainage, lake) && has_road(terrain.rivers, network.courses, lake);
    out.lakes.push_back({x, y, lake.radius, lake.level, shore_of(lake), is_on_road});
  }
  return out;
}

}  // namespace terrane::worldgen::continents
