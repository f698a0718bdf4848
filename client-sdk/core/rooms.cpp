// Rooms of terrane.h: pieces that are turned and put somewhere, as boxes.
#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "chunk_handle.h"
#include "land.h"
#include "world_handle.h"

namespace terrane::core {
namespace {

constexpr float kSlab = 0.25f;       // blocks: how thick floors and roofs are
constexpr float kFoundation = 1.0f;  // how far the lowest floor goes down
constexpr float kDoorHeight = 2.5f;  // of the gap, where the storey is high enough

/// A block of a piece.
struct Spot {
  int u = 0, v = 0;
};

/// Block (u, v) of a piece after quarter turns from +x towards +y.
Spot turned(Spot spot, const Piece& piece, int turn) {
  const int width = piece.width, depth = piece.depth;
  switch (turn & 3) {
    case 1: return {depth - 1 - spot.v, spot.u};
    case 2: return {width - 1 - spot.u, depth - 1 - spot.v};
    case 3: return {spot.v, width - 1 - spot.u};
    default: return spot;
  }
}

Spot spot_of(const Door& door, const Piece& piece) {
  switch (door.side) {
    case Side::kMinY: return {door.at, 0};
    case Side::kMaxX: return {piece.width - 1, door.at};
    case Side::kMaxY: return {door.at, piece.depth - 1};
    case Side::kMinX: return {0, door.at};
  }
  return {};
}

/// Writes what fits, and counts all.
class Boxes {
 public:
  Boxes(const terrane_room& room, terrane_box* boxes, std::size_t capacity)
      : corner_{room.corner.x, room.corner.y}, boxes_(boxes), capacity_(capacity) {}

  /// Blocks of the room, [from, to).
  void add(Spot from, Spot to, float bottom, float top, int part, int level) {
    if (from.u >= to.u || from.v >= to.v || !(bottom < top)) return;
    if (count_ < capacity_ && boxes_ != nullptr) {
      boxes_[count_] = {{corner_.x + from.u, corner_.y + from.v},
                        {corner_.x + to.u, corner_.y + to.v},
                        bottom,
                        top,
                        static_cast<std::uint8_t>(part),
                        static_cast<std::uint8_t>(level),
                        0};
    }
    ++count_;
  }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  BlockPos corner_;
  terrane_box* boxes_;
  std::size_t capacity_;
  std::size_t count_ = 0;
};

/// One side's wall: `length` blocks from `first` on, along u or along v.
struct Wall {
  Spot first;
  bool along_u = true;
  int length = 0;

  [[nodiscard]] Spot at(int k) const {
    return along_u ? Spot{first.u + k, first.v} : Spot{first.u, first.v + k};
  }
};

/// The four walls of a room; corners belong to those along u.
std::array<Wall, 4> walls(int width, int depth) {
  std::array<Wall, 4> sides{Wall{{0, 0}, true, width}, Wall{{0, 1}, false, depth - 2},
                            Wall{{width - 1, 1}, false, depth - 2},
                            Wall{{0, depth - 1}, true, width}};
  if (depth == 1) sides[3].length = 0;
  if (width == 1) sides[2].length = 0;
  return sides;
}

void add_wall(Boxes& boxes, const Wall& wall, std::span<const Spot> gaps, float floor,
              float ceiling, int level) {
  const auto is_gap = [&gaps](Spot spot) {
    return std::ranges::any_of(gaps, [&](Spot gap) { return gap.u == spot.u && gap.v == spot.v; });
  };
  int begun = 0;
  for (int k = 0; k <= wall.length; ++k) {
    if (k < wall.length && !is_gap(wall.at(k))) continue;
    const Spot end = wall.at(k - 1), here = wall.at(k);
    boxes.add(wall.at(begun), {end.u + 1, end.v + 1}, floor, ceiling, TERRANE_BOX_WALL, level);
    if (k < wall.length) {
      boxes.add(here, {here.u + 1, here.v + 1}, floor + kDoorHeight, ceiling, TERRANE_BOX_LINTEL,
                level);
    }
    begun = k + 1;
  }
}

void add_room(Boxes& boxes, const terrane_room& room, const Piece& piece, float storey) {
  const bool is_odd = (room.turn & 1) != 0;
  const int width = is_odd ? piece.depth : piece.width, depth = is_odd ? piece.width : piece.depth;
  const Spot all{width, depth};
  const float lowest = static_cast<float>(room.floor_q4) / 16;
  for (int level = 0; level < piece.levels; ++level) {
    const float floor = lowest + static_cast<float>(level) * storey;
    boxes.add({}, all, floor - (level == 0 ? kFoundation : kSlab), floor, TERRANE_BOX_FLOOR, level);
    std::array<Spot, 8> gaps;  // a piece has no more doors
    std::size_t count = 0;
    for (std::size_t k = 0; k < std::min(piece.doors.size(), gaps.size()); ++k) {
      const Door& door = piece.doors[k];
      if ((room.open_doors >> k & 1) != 0 && door.level == level)
        gaps[count++] = turned(spot_of(door, piece), piece, room.turn);
    }
    for (const Wall& wall : walls(width, depth))
      add_wall(boxes, wall, {gaps.data(), count}, floor, floor + storey - kSlab, level);
  }
  const float top = lowest + static_cast<float>(piece.levels) * storey;
  boxes.add({}, all, top - kSlab, top, TERRANE_BOX_ROOF, piece.levels - 1);
}

/// The ground's heights along a row of blocks; NAN where no chunk of lod 0 has it.
void read_row(const terrane_land& land, BlockPos from, std::span<float> row) {
  for (std::size_t k = 0; k < row.size(); ++k) {
    const double place[2] = {static_cast<double>(from.x) + static_cast<double>(k),
                             static_cast<double>(from.y)};
    terrane_ground ground{};
    terrane_land_ground(&land, place, 1, &ground);
    row[k] = ground.known != 0 && ground.lod == 0 ? static_cast<float>(ground.height)
                                                  : std::numeric_limits<float>::quiet_NaN();
  }
}

/// Writes what fits, and counts all.
std::size_t add_holes(const terrane_room& room, const Piece& piece, float storey,
                      const terrane_land& land, terrane_patch* patches, std::size_t capacity) {
  constexpr float kClose = 1.0f / 32;  // of a floor that lies on the ground
  const bool is_odd = (room.turn & 1) != 0;
  const int width = is_odd ? piece.depth : piece.width, depth = is_odd ? piece.width : piece.depth;
  const float floor = static_cast<float>(room.floor_q4) / 16 + kClose;
  const float roof = floor + static_cast<float>(piece.levels) * storey - kSlab - 2 * kClose;
  std::array<std::array<float, 257>, 2> rows;
  const auto row = [&](int v) {
    return std::span(rows[static_cast<std::size_t>(v & 1)])
        .first(static_cast<std::size_t>(width) + 1);
  };
  read_row(land, {room.corner.x, room.corner.y}, row(0));
  std::size_t count = 0;
  for (int v = 0; v < depth; ++v) {
    read_row(land, {room.corner.x, room.corner.y + v + 1}, row(v + 1));
    for (int u = 0; u < width; ++u) {
      const auto at = static_cast<std::size_t>(u);
      const auto [least, most] =
          std::minmax({row(v)[at], row(v)[at + 1], row(v + 1)[at], row(v + 1)[at + 1]});
      if (!(most > floor && least < roof)) continue;
      if (count < capacity && patches != nullptr)
        patches[count] = {{room.corner.x + u, room.corner.y + v}, 0, TERRANE_PATCH_HOLE};
      ++count;
    }
  }
  return count;
}

/// Null: the world has no such piece.
const Piece* piece_of(const terrane_world& world, const terrane_room& room) {
  // what a compiled world has is enough: a description adds names
  const auto& kinds = world.generated->structure_kinds;
  if (room.kind >= kinds.size() || room.piece >= kinds[room.kind].pieces.size()) return nullptr;
  return &kinds[room.kind].pieces[room.piece];
}

float storey_of(const terrane_world& world, const terrane_room& room) {
  return static_cast<float>(world.generated->structure_kinds[room.kind].storey_q4) / 16;
}

}  // namespace
}  // namespace terrane::core

using namespace terrane;

size_t terrane_room_boxes(const terrane_world* world, const terrane_room* room, terrane_box* boxes,
                          size_t capacity) {
  const Piece* const piece = core::piece_of(*world, *room);
  if (piece == nullptr) return 0;
  core::Boxes written(*room, boxes, capacity);
  core::add_room(written, *room, *piece, core::storey_of(*world, *room));
  return written.count();
}

size_t terrane_room_holes(const terrane_world* world, const terrane_room* room,
                          const terrane_land* land, terrane_patch* patches, size_t capacity) {
  const Piece* const piece = core::piece_of(*world, *room);
  if (piece == nullptr) return 0;
  return core::add_holes(*room, *piece, core::storey_of(*world, *room), *land, patches, capacity);
}
