// Rooms of terrane_core as boxes.
#include <set>
#include <utility>

#include "chunk_handle.h"
#include "unit/core_worlds.h"
#include "worldgen/generate.h"

namespace terrane {
namespace {

using Spot = std::pair<std::int64_t, std::int64_t>;

std::vector<terrane_box> boxes_of(const terrane_world* world, const terrane_room& room) {
  std::vector<terrane_box> boxes(terrane_room_boxes(world, &room, nullptr, 0));
  EXPECT_EQ(terrane_room_boxes(world, &room, boxes.data(), boxes.size()), boxes.size());
  return boxes;
}

/// The blocks in which somebody would meet a wall at a height.
std::set<Spot> solid_at(const std::vector<terrane_box>& boxes, float height) {
  std::set<Spot> solid;
  for (const terrane_box& box : boxes) {
    if (height < box.bottom || height >= box.top) continue;
    for (std::int64_t y = box.from.y; y < box.to.y; ++y) {
      for (std::int64_t x = box.from.x; x < box.to.x; ++x)
        EXPECT_TRUE(solid.emplace(x, y).second) << "boxes overlap";
    }
  }
  return solid;
}

/// Where the door's block is, turned one quarter after the other.
Spot door_block(const Door& door, int width, int depth, int turn) {
  int u = door.at, v = door.at;
  if (door.side == Side::kMinY) v = 0;
  if (door.side == Side::kMaxY) v = depth - 1;
  if (door.side == Side::kMinX) u = 0;
  if (door.side == Side::kMaxX) u = width - 1;
  for (; turn > 0; --turn) {
    const int former = u;
    u = depth - 1 - v;
    v = former;
    std::swap(width, depth);
  }
  return {u, v};
}

TEST(core_rooms, walls_enclose_a_room_but_for_its_open_doors) {
  const auto world = test::open_builtin("continents");
  const auto& kinds = test::builtin("continents").structure_kinds;
  int looked_at = 0;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    for (std::size_t index = 0; index < kinds[kind].pieces.size(); ++index) {
      const Piece& piece = kinds[kind].pieces[index];
      for (int turn = 0; turn < 4; ++turn) {
        terrane_room room{};
        room.corner = {-1000, 1L << 39};
        room.floor_q4 = -37;
        room.kind = static_cast<std::uint8_t>(kind);
        room.piece = static_cast<std::uint8_t>(index);
        room.turn = static_cast<std::uint8_t>(turn);
        room.open_doors = 0x55;
        const auto boxes = boxes_of(world.get(), room);
        const int width = turn % 2 ? piece.depth : piece.width,
                  depth = turn % 2 ? piece.width : piece.depth;
        std::set<Spot> expected;
        for (int y = 0; y < depth; ++y) {
          for (int x = 0; x < width; ++x) {
            if (x == 0 || y == 0 || x == width - 1 || y == depth - 1)
              expected.emplace(room.corner.x + x, room.corner.y + y);
          }
        }
        const float storey = static_cast<float>(kinds[kind].storey_q4) / 16;
        for (int level = 0; level < piece.levels; ++level) {
          const float floor = -37 / 16.0f + static_cast<float>(level) * storey;
          auto open = expected;
          for (std::size_t k = 0; k < piece.doors.size(); k += 2) {
            if (piece.doors[k].level != level) continue;
            const auto [x, y] = door_block(piece.doors[k], piece.width, piece.depth, turn);
            EXPECT_EQ(open.erase({room.corner.x + x, room.corner.y + y}), 1u)
                << "a door is in a wall";
          }
          EXPECT_EQ(solid_at(boxes, floor + 1), open) << piece.name << " turned " << turn;
          EXPECT_EQ(solid_at(boxes, floor + storey - 0.3f), expected) << "lintels";
          EXPECT_EQ(solid_at(boxes, floor - 0.1f).size(), static_cast<std::size_t>(width * depth));
          ++looked_at;
        }
      }
    }
  }
  EXPECT_GT(looked_at, 20);
}

TEST(core_rooms, those_of_real_land_have_boxes_and_strange_ones_none) {
  const auto world = test::open_builtin("continents");
  std::size_t rooms = 0;
  for (std::int64_t x = 0; x < 40 && rooms < 20; ++x) {
    const Chunk chunk = worldgen::generate(test::builtin("continents"), 7, {x, 3}, 0,
                                           worldgen::noise::supported_targets().back());
    for (const Room& held : chunk.rooms) {
      terrane_room room{};
      room.corner = {held.corner.x, held.corner.y};
      room.kind = held.kind;
      room.piece = held.piece;
      room.turn = held.turn;
      room.open_doors = held.open_doors;
      EXPECT_GE(boxes_of(world.get(), room).size(), 5u);
      ++rooms;
    }
  }
  terrane_room strange{};
  strange.kind = 200;
  EXPECT_EQ(terrane_room_boxes(world.get(), &strange, nullptr, 0), 0u);
  strange.kind = 0;
  strange.piece = 255;
  EXPECT_EQ(terrane_room_boxes(world.get(), &strange, nullptr, 0), 0u);
}

/// A house whose floor lies three blocks deep in a slope.
TEST(core_rooms, are_freed_of_the_ground_that_lies_in_them) {
  const auto world = test::open_builtin("continents");
  const auto& kinds = test::builtin("continents").structure_kinds;
  const Piece& piece = kinds[0].pieces[0];
  terrane_land* land = nullptr;
  ASSERT_EQ(terrane_land_create(TERRANE_ABI_VERSION, &land, nullptr), TERRANE_OK);
  auto chunk = std::make_shared<Chunk>();
  chunk->size = 64;
  for (int k = 0; k < 64 * 64; ++k) chunk->height_q4.push_back(k % 64 < 20 ? 0 : 16 * 3);
  terrane_chunk handle(chunk);
  ASSERT_EQ(terrane_land_put(land, &handle, nullptr), TERRANE_OK);
  terrane_room room{};
  room.corner = {18, 10};
  const auto holes_of = [&](float floor) {
    room.floor_q4 = static_cast<std::int32_t>(16 * floor);
    std::vector<terrane_patch> holes(terrane_room_holes(world.get(), &room, land, nullptr, 0));
    EXPECT_EQ(terrane_room_holes(world.get(), &room, land, holes.data(), holes.size()),
              holes.size());
    return holes;
  };
  // the column of cells from x = 19 to 20 is the slope
  const auto holes = holes_of(0);
  EXPECT_EQ(holes.size(), static_cast<std::size_t>((piece.width - 1) * piece.depth));
  for (const terrane_patch& hole : holes) {
    EXPECT_EQ(hole.what, static_cast<std::uint32_t>(TERRANE_PATCH_HOLE));
    EXPECT_GE(hole.block.x, 19);
    EXPECT_LT(hole.block.x, 18 + piece.width);
  }
  EXPECT_TRUE(holes_of(3).empty()) << "it stands on the ground";
  EXPECT_TRUE(holes_of(-100).empty()) << "it is far below";
  EXPECT_TRUE(holes_of(100).empty());
  ASSERT_EQ(terrane_land_patch(land, holes.data(), holes.size(), nullptr), TERRANE_OK);
  EXPECT_EQ(holes_of(0).size(), holes.size()) << "the same when it is asked again";
  const double place[2] = {20.5, 11.5};
  terrane_ground ground{};
  terrane_land_ground(land, place, 1, &ground);
  EXPECT_EQ(ground.hole, 1);
  room.kind = 255;
  EXPECT_EQ(terrane_room_holes(world.get(), &room, land, nullptr, 0), 0u);
  terrane_land_destroy(land);
}

}  // namespace
}  // namespace terrane
