#include "obstacles.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "ground.h"
#include "rooms.h"

namespace terrane::core {
namespace {

constexpr double kFarthest = 64;       // blocks: the largest radius, and the largest reach
constexpr double kSlack = 1.0 / 1024;  // blocks: what overlaps no more than that touches
constexpr double kHighest = 1e9;       // blocks: no world is higher or deeper
constexpr double kRoots = 1;           // blocks: how far below its anchor's ground a thing begins
constexpr double kBlocksPerQ4 = 1.0 / 16;
constexpr int kCellsLog2 = 4;
static_assert(1 << kCellsLog2 == Standing::kCells);
constexpr float kClose = 1.0f / 64;  // blocks: what is no further is looked at closely

/// An upright cylinder. All that is compared with it is told from its axis on.
struct Body {
  Place place;
  double bottom = 0, top = 0;
  double radius = 0, reach = 0, step = 0;

  [[nodiscard]] double dx(std::int64_t x) const {
    return static_cast<double>(x - place.block.x) - place.x;
  }
  [[nodiscard]] double dy(std::int64_t y) const {
    return static_cast<double>(y - place.block.y) - place.y;
  }
};

/// Nullopt: what is no number, or lies outside of every world.
std::optional<Body> body_of(const terrane_body& from) {
  const std::optional<Place> place = place_at(from.x, from.y);
  const bool is_body = from.radius >= 0 && from.height >= 0 && from.reach >= 0 && from.step >= 0;
  if (!place || !is_body || !(std::abs(from.bottom) <= kHighest)) return std::nullopt;
  return Body{*place,
              from.bottom,
              from.bottom + static_cast<double>(from.height),
              std::min<double>(from.radius, kFarthest),
              std::min<double>(from.reach, kFarthest),
              from.step};
}

/// How a body and a thing lie to each other on the map.
struct Aside {
  double gap = 0;           // below 0: they overlap by so much
  double away[2] = {1, 0};  // where the body is nearest to being free, of length 1
};

Aside beside_cylinder(double dx, double dy, double radius, const Body& body) {
  const double distance = std::sqrt(dx * dx + dy * dy);
  Aside aside{distance - radius - body.radius, {1, 0}};
  if (distance > 0) aside.away[0] = -dx / distance, aside.away[1] = -dy / distance;
  return aside;
}

/// @param dx, dy  from the body to the box's middle
Aside beside_box(double dx, double dy, double half_x, double half_y, const Body& body) {
  const double beyond_x = std::abs(dx) - half_x, beyond_y = std::abs(dy) - half_y;
  const double sign_x = dx > 0 ? -1 : 1, sign_y = dy > 0 ? -1 : 1;
  if (beyond_x <= 0 && beyond_y <= 0) {  // its axis is inside
    if (beyond_x > beyond_y) return {beyond_x - body.radius, {sign_x, 0}};
    return {beyond_y - body.radius, {0, sign_y}};
  }
  const double x = std::max(beyond_x, 0.0), y = std::max(beyond_y, 0.0);
  const double distance = std::sqrt(x * x + y * y);
  return {distance - body.radius, {sign_x * x / distance, sign_y * y / distance}};
}

/// By what the order is. Walls come before floors: who runs against a house is not to be lifted
/// onto what the wall stands on.
float turn_of(const terrane_obstacle& thing) {
  constexpr float kMost = 1024;  // deeper than a body is in anything
  const bool is_left_sideways = thing.distance < 0 && thing.push_up == 0;
  return is_left_sideways ? thing.distance - kMost : thing.distance;
}

/// What is found around one body: the first `capacity` are kept, in order.
class Found {
 public:
  Found(const Body& body, terrane_obstacle* out, std::size_t capacity)
      : body_(body), out_(out), capacity_(capacity) {}

  /// Sees whether a thing is near, and takes it up. @param thing  all but push and distance
  void look_at(terrane_obstacle& thing, const Aside& aside) {
    const double up = static_cast<double>(thing.top) - body_.bottom;
    const double down = body_.top - static_cast<double>(thing.bottom);
    if (aside.gap < -kSlack && up > kSlack && down > kSlack) {
      push_out(thing, aside, up, down);
    } else {
      const double level = std::max(aside.gap, 0.0), upright = std::max({-up, -down, 0.0});
      const double distance = std::sqrt(level * level + upright * upright);
      if (!(distance < body_.reach)) return;
      thing.distance = static_cast<float>(distance);
      thing.push_x = thing.push_y = thing.push_up = 0;
    }
    keep(thing);
  }

  [[nodiscard]] const Body& body() const { return body_; }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  void push_out(terrane_obstacle& thing, const Aside& aside, double up, double down) const {
    const double level = -aside.gap;
    thing.push_x = thing.push_y = thing.push_up = 0;
    if (up <= body_.step || (up < level && up <= down)) {
      thing.push_up = static_cast<float>(up);
      thing.distance = static_cast<float>(-up);
    } else if (down < level) {
      thing.push_up = static_cast<float>(-down);
      thing.distance = static_cast<float>(-down);
    } else {
      thing.push_x = static_cast<float>(level * aside.away[0]);
      thing.push_y = static_cast<float>(level * aside.away[1]);
      thing.distance = static_cast<float>(-level);
    }
  }

  void keep(const terrane_obstacle& thing) {
    ++count_;
    std::size_t at = std::min(count_ - 1, capacity_);
    const auto comes_before = [&](std::size_t k) { return turn_of(thing) < turn_of(out_[k]); };
    if (at == capacity_ && (at == 0 || !comes_before(--at))) return;
    for (; at > 0 && comes_before(at - 1); --at) out_[at] = out_[at - 1];
    out_[at] = thing;
  }

  const Body& body_;
  terrane_obstacle* const out_;
  const std::size_t capacity_;
  std::size_t count_ = 0;
};

/// A thing that stands near enough to look at it closely.
void look_at_thing(const LandNode& node, int size_log2, const Standing::Thing& each,
                   const Solid& solid, Found& found) {
  const Body& body = found.body();
  const BlockPos origin = chunk_origin(node.tile.coord, 1 << size_log2, 0);
  const BlockPos anchor{origin.x + each.x, origin.y + each.y};
  const double radius = static_cast<double>(solid.radius) * each.scale;
  const double ground = node.heights_q4[(each.y << size_log2) + each.x] * kBlocksPerQ4;
  terrane_obstacle thing{};
  thing.x = static_cast<double>(anchor.x);
  thing.y = static_cast<double>(anchor.y);
  thing.half_x = thing.half_y = static_cast<float>(radius);
  thing.bottom = static_cast<float>(ground - kRoots);
  thing.top = static_cast<float>(ground + static_cast<double>(solid.height) * each.scale);
  thing.of = {anchor.x, anchor.y};
  thing.part = solid.part;
  thing.kind = each.kind;
  found.look_at(thing, beside_cylinder(body.dx(anchor.x), body.dy(anchor.y), radius, body));
}

/// Looks at what stands in a tile and is no further than `far` along x and y.
void look_at_things(const LandNode& node, int size_log2, const Solids& solids, float far,
                    Found& found) {
  const Body& body = found.body();
  const BlockPos origin = chunk_origin(node.tile.coord, 1 << size_log2, 0);
  // of the body, from the tile's origin
  const auto east = static_cast<float>(-body.dx(origin.x));
  const auto south = static_cast<float>(-body.dy(origin.y));
  const float share = 1.0f / static_cast<float>(1 << (size_log2 - kCellsLog2));
  const auto cell = [share](float blocks) {
    return static_cast<int>(std::clamp(blocks * share, 0.0f, Standing::kCells - 1.0f));
  };
  const int west_cell = cell(east - far), east_cell = cell(east + far);
  const int last_row = cell(south + far);
  const auto sides = static_cast<float>(body.radius + body.reach) + kClose;
  const Standing& standing = *node.standing;
  for (int row = cell(south - far); row <= last_row; ++row) {
    const std::size_t at = std::size_t{Standing::kCells} * static_cast<std::size_t>(row);
    const Standing::Thing* const all = standing.things.data();
    const Standing::Thing* const end =
        all + standing.begins[at + static_cast<std::size_t>(east_cell) + 1];
    for (auto each = all + standing.begins[at + static_cast<std::size_t>(west_cell)]; each < end;
         ++each) {
      const float dx = each->x - east, dy = each->y - south;
      const Solid& solid = solids.kinds[each->kind];
      const float most = solid.radius * each->scale + sides;
      if (dx * dx + dy * dy < most * most && solid.part != 0)
        look_at_thing(node, size_log2, *each, solid, found);
    }
  }
}

void look_at_box(const Room& room, const RoomBox& box, Found& found) {
  const Body& body = found.body();
  const double half_x = 0.5 * (box.to.u - box.from.u), half_y = 0.5 * (box.to.v - box.from.v);
  if (!(half_x > 0 && half_y > 0 && box.bottom < box.top)) return;
  const double dx = body.dx(room.corner.x) + box.from.u + half_x;
  const double dy = body.dy(room.corner.y) + box.from.v + half_y;
  const Aside aside = beside_box(dx, dy, half_x, half_y, body);
  if (!(aside.gap < body.reach)) return;
  terrane_obstacle thing{};
  thing.x = static_cast<double>(room.corner.x) + box.from.u + half_x;
  thing.y = static_cast<double>(room.corner.y) + box.from.v + half_y;
  thing.half_x = static_cast<float>(half_x);
  thing.half_y = static_cast<float>(half_y);
  thing.bottom = box.bottom;
  thing.top = box.top;
  thing.of = {room.structure.x, room.structure.y};
  thing.room = room.index;
  thing.part = static_cast<std::uint8_t>(box.part);
  thing.kind = room.kind;
  found.look_at(thing, aside);
}

void look_at_rooms(const LandNode& node, const terrane_world& world, Found& found) {
  const Body& body = found.body();
  const double far = body.radius + body.reach;
  for (const Room& room : node.chunk->rooms) {
    const double dx = body.dx(room.corner.x), dy = body.dy(room.corner.y);
    if (dx > far || dy > far) continue;
    const Piece* const piece = piece_of(world, room);
    if (piece == nullptr) continue;
    const RoomSpot extent = extent_of(room, *piece);
    if (dx + extent.u < -far || dy + extent.v < -far) continue;
    const double floor = room.floor_q4 * kBlocksPerQ4;
    const auto storey = static_cast<double>(storey_of(world, room));
    if (floor + storey * piece->levels < body.bottom - body.reach ||
        floor - static_cast<double>(kFoundation) > body.top + body.reach)
      continue;
    for_each_box(room, *piece, static_cast<float>(storey),
                 [&](const RoomBox& box) { look_at_box(room, box, found); });
  }
}

/// Tiles along one axis.
struct Span {
  std::int64_t first = 0, last = 0;
};

/// Those that reach from `before` to `behind` blocks of a place; each less than 512.
Span span_of(std::int64_t block, double within, float before, float behind, int size_log2) {
  const int size = 1 << size_log2;
  const std::int64_t tile = block >> size_log2;
  const auto at = static_cast<float>(block & (size - 1)) + static_cast<float>(within);
  const float first = at - before, last = at + behind;
  const auto edge = static_cast<float>(size);
  if (first >= -edge && last < 2 * edge) return {tile - (first < 0), tile + (last >= edge)};
  return {tile + static_cast<std::int64_t>(std::floor(first / edge)),
          tile + static_cast<std::int64_t>(std::floor(last / edge))};
}

/// Calls visit(coord) for the tiles around a place.
template <typename Visit>
void for_each_tile(const Land& land, const Place& place, float before, float behind, Visit visit) {
  const Span along_x = span_of(place.block.x, place.x, before, behind, land.size_log2());
  const Span along_y = span_of(place.block.y, place.y, before, behind, land.size_log2());
  for (std::int64_t y = along_y.first; y <= along_y.last; ++y) {
    for (std::int64_t x = along_x.first; x <= along_x.last; ++x) visit(ChunkCoord{x, y});
  }
}

void look_around(const Land& land, const terrane_world& world, Found& found) {
  const Body& body = found.body();
  const auto far = static_cast<float>(body.radius + body.reach) + kClose;
  const float widest = far + world.solids.widest;
  for_each_tile(land, body.place, widest, widest, [&](ChunkCoord coord) {
    const LandNode* const node = land.finest_node(coord);
    if (node != nullptr && node->standing)
      look_at_things(*node, land.size_log2(), world.solids, widest, found);
  });
  if (!land.has_rooms()) return;
  // they reach out of the tile of their corner to the east and to the south
  for_each_tile(land, body.place, far + world.solids.widest_room, far, [&](ChunkCoord coord) {
    if (!land.may_have_rooms(coord)) return;
    if (const LandNode* const node = land.finest_node(coord); node != nullptr)
      look_at_rooms(*node, world, found);
  });
}

}  // namespace

void obstacles(const Land& land, const terrane_world& world, const terrane_body* bodies,
               std::size_t count, terrane_obstacle* out, std::size_t capacity,
               std::uint32_t* counts) {
  for (std::size_t k = 0; k < count; ++k) {
    const std::optional<Body> body = body_of(bodies[k]);
    counts[k] = 0;
    if (!body || land.level(0).empty()) continue;
    Found found(*body, out + k * capacity, capacity);
    look_around(land, world, found);
    counts[k] = static_cast<std::uint32_t>(found.count());
  }
}

}  // namespace terrane::core
