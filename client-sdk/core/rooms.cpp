// Rooms of terrane.h: as boxes, and the ground that is in their way.
#include "rooms.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "chunk_handle.h"
#include "land.h"

namespace terrane::core {
namespace {

Room placed_as(const terrane_room& room) {
  return {{room.corner.x, room.corner.y},
          room.floor_q4,
          {room.structure.x, room.structure.y},
          room.index,
          room.kind,
          room.piece,
          room.turn,
          room.open_doors};
}

/// Writes what fits, and counts all.
std::size_t write_boxes(const Room& room, const Piece& piece, float storey, terrane_box* boxes,
                        std::size_t capacity) {
  std::size_t count = 0;
  for_each_box(room, piece, storey, [&](const RoomBox& box) {
    if (box.from.u >= box.to.u || box.from.v >= box.to.v || !(box.bottom < box.top)) return;
    if (count < capacity && boxes != nullptr) {
      boxes[count] = {{room.corner.x + box.from.u, room.corner.y + box.from.v},
                      {room.corner.x + box.to.u, room.corner.y + box.to.v},
                      box.bottom,
                      box.top,
                      static_cast<std::uint8_t>(box.part),
                      static_cast<std::uint8_t>(box.level),
                      0};
    }
    ++count;
  });
  return count;
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
std::size_t write_holes(const Room& room, const Piece& piece, float storey,
                        const terrane_land& land, terrane_patch* patches, std::size_t capacity) {
  constexpr float kClose = 1.0f / 32;  // of a floor that lies on the ground
  const RoomSpot all = extent_of(room, piece);
  const int width = all.u, depth = all.v;
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

}  // namespace
}  // namespace terrane::core

using namespace terrane;

size_t terrane_room_boxes(const terrane_world* world, const terrane_room* room, terrane_box* boxes,
                          size_t capacity) {
  const Room placed = core::placed_as(*room);
  const Piece* const piece = core::piece_of(*world, placed);
  if (piece == nullptr) return 0;
  return core::write_boxes(placed, *piece, core::storey_of(*world, placed), boxes, capacity);
}

size_t terrane_room_holes(const terrane_world* world, const terrane_room* room,
                          const terrane_land* land, terrane_patch* patches, size_t capacity) {
  const Room placed = core::placed_as(*room);
  const Piece* const piece = core::piece_of(*world, placed);
  if (piece == nullptr) return 0;
  return core::write_holes(placed, *piece, core::storey_of(*world, placed), *land, patches,
                           capacity);
}
