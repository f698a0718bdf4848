// What is in a body's way: trunks, boulders, the walls and floors of rooms.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "rooms.h"
#include "unit/core_land_rig.h"

namespace terrane::core::test {
namespace {

constexpr std::uint8_t kOak = 0, kShrub = 13, kCactus = 15, kErratic = 20;

const terrane_world& continents_world() {
  static const terrane_world opened = as_opened("continents");
  return opened;
}

std::shared_ptr<Chunk> flat(const Tile& tile, int size = kSize) {
  return hand_made(tile, size, [](std::int64_t, std::int64_t) { return 0; });
}

terrane_body body_at(double x, double y, double bottom = 0, float radius = 0.4f) {
  return {x, y, bottom, radius, 1.8f, 0, 0};
}

std::vector<terrane_obstacle> around(const Game& game, const terrane_body& body,
                                     std::size_t capacity = 64) {
  std::vector<terrane_obstacle> found(capacity);
  std::uint32_t count = 99;
  terrane_land_obstacles(game.land(), &continents_world(), &body, 1, found.data(), capacity,
                         &count);
  found.resize(std::min<std::size_t>(capacity, count));
  return found;
}

/// Out of all that is in the way. @return how often it had to be moved; 9: it is not free
int free_body(const Game& game, terrane_body& body) {
  int moves = 0;
  for (; moves < 9; ++moves) {
    const auto found = around(game, body, 1);
    if (found.empty() || found[0].distance >= 0) break;
    body.x += static_cast<double>(found[0].push_x);
    body.y += static_cast<double>(found[0].push_y);
    body.bottom += static_cast<double>(found[0].push_up);
  }
  return moves;
}

TEST(obstacles, a_trunk_pushes_out_who_walks_into_it) {
  Game game;
  auto chunk = flat({0, {0, 0}});
  chunk->placements = {{{8, 8}, kOak, 0, 200}};  // a crown of 7 blocks
  game.put(chunk);
  terrane_body body = body_at(8.6, 8.8);  // one block from the axis
  const auto found = around(game, body);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].part, TERRANE_OBSTACLE_TRUNK);
  EXPECT_EQ(found[0].kind, kOak);
  EXPECT_EQ(found[0].half_x, 0.875f);
  EXPECT_EQ(found[0].top, 26);
  EXPECT_EQ(found[0].of.x, 8);
  EXPECT_NEAR(found[0].distance, -0.275, 1e-5);
  EXPECT_NEAR(found[0].push_x, 0.6 * 0.275, 1e-5);
  EXPECT_NEAR(found[0].push_y, 0.8 * 0.275, 1e-5);
  EXPECT_EQ(found[0].push_up, 0);
  EXPECT_EQ(free_body(game, body), 1);
  EXPECT_TRUE(around(game, body_at(8, 9.28)).empty());
  EXPECT_TRUE(around(game, body_at(8, 8, 26)).empty()) << "it stands on top";
  EXPECT_NEAR(around(game, body_at(8, 8, 25.9))[0].push_up, 0.1, 1e-6);
}

TEST(obstacles, bushes_are_none_and_boulders_are_as_a_whole) {
  Game game;
  auto chunk = flat({0, {0, 0}});
  chunk->placements = {
      {{3, 3}, kShrub, 0, 200}, {{12, 3}, kErratic, 0, 50}, {{3, 12}, kCactus, 0, 100}};
  game.put(chunk);
  EXPECT_TRUE(around(game, body_at(3, 3)).empty());
  const auto boulder = around(game, body_at(12.5, 3));
  ASSERT_EQ(boulder.size(), 1u);
  EXPECT_EQ(boulder[0].part, TERRANE_OBSTACLE_ROCK);
  EXPECT_EQ(boulder[0].half_x, 1);
  EXPECT_EQ(boulder[0].top, 1.25f);
  terrane_body climber = body_at(12.5, 3);
  climber.step = 1.25f;
  EXPECT_EQ(around(game, climber)[0].push_up, 1.25f) << "no higher than a step";
  EXPECT_EQ(around(game, body_at(3, 12))[0].half_x, 0.25f) << "a thin trunk";
  auto kind = terrane_kind_info{};
  kind.struct_size = sizeof kind;
  ASSERT_EQ(terrane_world_placement_kind(&continents_world(), kErratic, &kind), TERRANE_OK);
  EXPECT_EQ(kind.solid, static_cast<std::uint32_t>(TERRANE_OBSTACLE_ROCK));
  EXPECT_EQ(kind.solid_radius, 2);
  ASSERT_EQ(terrane_world_placement_kind(&continents_world(), kShrub, &kind), TERRANE_OK);
  EXPECT_EQ(kind.solid, 0u);
}

TEST(obstacles, felled_trees_are_none_until_they_stand_again) {
  Game game;
  const terrane_patch felled{{8, 8}, 0, TERRANE_PATCH_NO_PLACEMENT}, again{{8, 8}, 0, 0};
  ASSERT_EQ(terrane_land_patch(game.land(), &felled, 1, nullptr), TERRANE_OK);
  auto chunk = flat({0, {0, 0}});
  chunk->placements = {{{8, 8}, kOak, 0, 100}};
  game.put(chunk);
  EXPECT_TRUE(around(game, body_at(8, 8)).empty());
  ASSERT_EQ(terrane_land_patch(game.land(), &again, 1, nullptr), TERRANE_OK);
  EXPECT_EQ(around(game, body_at(8, 8)).size(), 1u);
  ASSERT_EQ(terrane_land_patch(game.land(), &felled, 1, nullptr), TERRANE_OK);
  EXPECT_TRUE(around(game, body_at(8, 8)).empty());
}

TEST(obstacles, are_none_where_nothing_is_at_hand) {
  Game game;
  EXPECT_TRUE(around(game, body_at(8, 8)).empty());
  auto chunk = flat({0, {0, 0}});
  chunk->placements = {{{8, 8}, kOak, 0, 100}};
  game.put(chunk);
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const double wrong : {kNan, -HUGE_VAL, 1e300}) {
    EXPECT_TRUE(around(game, body_at(wrong, 8)).empty());
    EXPECT_TRUE(around(game, body_at(8, wrong)).empty());
  }
  EXPECT_TRUE(around(game, body_at(8, 8, kNan)).empty());
  EXPECT_TRUE(around(game, body_at(8, 8, 0, std::numeric_limits<float>::quiet_NaN())).empty());
  EXPECT_TRUE(around(game, body_at(8, 8, 0, -1)).empty());
  EXPECT_EQ(around(game, body_at(8, 8, 0, HUGE_VALF)).size(), 1u);
  game.remove({0, {0, 0}});
  EXPECT_TRUE(around(game, body_at(8, 8)).empty());
  game.put(flat({1, {0, 0}}));
  EXPECT_TRUE(around(game, body_at(8, 8)).empty());
}

Room room_of(std::size_t kind, std::size_t piece, int turn) {
  Room room;
  room.corner = {13, 12};  // it lies in the next tiles, too
  room.structure = {5, 7};
  room.floor_q4 = 16 * 20;
  room.index = 3;
  room.kind = static_cast<std::uint8_t>(kind);
  room.piece = static_cast<std::uint8_t>(piece);
  room.turn = static_cast<std::uint8_t>(turn);
  return room;
}

/// Visits each door of each piece, turned each way, with the block of the door in the land and the
/// way out through it.
template <typename Visit>
void for_each_door(Visit visit) {
  const auto& kinds = continents_world().generated->structure_kinds;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    for (std::size_t index = 0; index < kinds[kind].pieces.size(); ++index) {
      const Piece& piece = kinds[kind].pieces[index];
      for (std::size_t door = 0; door < piece.doors.size(); ++door) {
        for (int turn = 0; turn < 4; ++turn) {
          const Room room = room_of(kind, index, turn);
          const RoomSpot spot = turned(spot_of(piece.doors[door], piece), piece, turn);
          constexpr int kWays[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
          const auto& way = kWays[(static_cast<int>(piece.doors[door].side) + turn) % 4];
          visit(room, piece, door, BlockPos{room.corner.x + spot.u, room.corner.y + spot.v}, way);
        }
      }
    }
  }
}

TEST(obstacles, doors_that_are_open_can_be_walked_through_and_others_not) {
  int doors = 0;
  for_each_door([&](Room room, const Piece& piece, std::size_t door, BlockPos at,
                    const int(&way)[2]) {
    for (const bool open : {true, false}) {
      room.open_doors = open ? static_cast<std::uint8_t>(1u << door) : std::uint8_t{0};
      Game game;
      auto chunk = flat({0, {0, 0}});
      chunk->rooms = {room};
      game.put(chunk);
      const auto storey = static_cast<double>(storey_of(continents_world(), room));
      const double floor = room.floor_q4 / 16.0 + storey * piece.doors[door].level;
      bool is_free = true;
      for (double on = -1; on <= 1.5; on += 0.125) {
        const auto found =
            around(game, body_at(static_cast<double>(at.x) + 0.5 + on * way[0],
                                 static_cast<double>(at.y) + 0.5 + on * way[1], floor));
        is_free = is_free && found.empty();
      }
      EXPECT_EQ(is_free, open) << piece.name << ", door " << door << " turned " << int{room.turn};
      ++doors;
    }
  });
  EXPECT_GT(doors, 200);
}

TEST(obstacles, walls_hold_floors_carry_and_roofs_stop) {
  Game game;
  auto chunk = flat({0, {0, 0}});
  const Room room = room_of(0, 2, 0);  // a hall of 11 x 7 blocks, at height 20
  chunk->rooms = {room};
  game.put(chunk);
  const double x = 13 + 5.5, y = 12 + 3.5;  // its middle
  EXPECT_TRUE(around(game, body_at(x, y, 20)).empty());
  auto wall = around(game, body_at(14.3, y, 20));  // the wall's inner side is at 14
  ASSERT_EQ(wall.size(), 1u);
  EXPECT_EQ(wall[0].part, TERRANE_BOX_WALL);
  EXPECT_NEAR(wall[0].push_x, 0.1, 1e-6);
  EXPECT_EQ(wall[0].push_y, 0);
  EXPECT_EQ(wall[0].of.y, 7);
  EXPECT_EQ(wall[0].room, 3);
  terrane_body corner = body_at(14.2, 13.1, 20);
  EXPECT_EQ(free_body(game, corner), 2);
  EXPECT_NEAR(corner.x, 14.4, 1e-6);
  EXPECT_NEAR(corner.y, 13.4, 1e-6);
  terrane_body falls = body_at(x, y, 19.9);
  EXPECT_EQ(free_body(game, falls), 1);
  EXPECT_NEAR(falls.bottom, 20, 1e-6);
  terrane_body jumps = body_at(x, y, 22.2);  // the storey is 4 high, its slab a quarter
  EXPECT_EQ(free_body(game, jumps), 1);
  EXPECT_NEAR(jumps.bottom, 23.75 - 1.8, 1e-5);
  // somebody comes from outside, where the ground is half a block below the floor
  terrane_body comes = body_at(12.8, y, 19.5);
  EXPECT_NEAR(around(game, comes)[0].push_x, -0.2, 1e-6);
  comes.step = 0.6f;
  EXPECT_EQ(free_body(game, comes), 1) << "the wall is no step, and it is not lifted before it";
  EXPECT_EQ(comes.bottom, 19.5);
}

/// Walks straight on to a place, on the ground or on floors. @return whether it gets there
bool walks_to(const Game& game, terrane_body& body, double x, double y) {
  body.step = 0.6f;
  for (int k = 0; k < 400; ++k) {
    const double dx = x - body.x, dy = y - body.y, far = std::hypot(dx, dy);
    if (far < 0.2) return true;
    body.x += 0.05 * dx / far;
    body.y += 0.05 * dy / far;
    const terrane_ground ground = game.ground(body.x, body.y);
    body.bottom -= 0.05;
    if (ground.hole == 0) body.bottom = std::max(ground.height, body.bottom);
    if (free_body(game, body) == 9) return false;
  }
  return false;
}

/// The rooms behind the doors of `count` real structures.
std::vector<Room> entrances(std::size_t count) {
  std::vector<Room> rooms;
  for (std::int64_t k = 0; rooms.size() < count && k < 900; ++k) {
    for (const Structure& structure : continents({4, {k % 30, k / 30}})->structures) {
      const ChunkCoord at = chunk_of(structure.anchor, 64, 0);
      for (const Tile& tile : view(chunk_origin(at, 64, 0), 64, {1})) {
        for (const Room& room : continents(tile)->rooms) {
          if (room.index == 0 && room.structure == structure.anchor) rooms.push_back(room);
        }
      }
    }
  }
  return rooms;
}

TEST(obstacles, let_who_stands_before_a_house_walk_in_by_its_door_and_nowhere_else) {
  const std::vector<Room> rooms = entrances(40);
  EXPECT_GE(rooms.size(), 40u);
  for (const Room& room : rooms) {
    const Piece& piece = *piece_of(continents_world(), room);
    Game game;
    for (const Tile& tile : view(room.corner, 64, {1})) game.put(continents(tile));
    const RoomSpot door = turned(spot_of(piece.doors[0], piece), piece, room.turn);
    const double x = static_cast<double>(room.structure.x) + 0.5;
    const double y = static_cast<double>(room.structure.y) + 0.5;
    const double on_x = static_cast<double>(room.corner.x + door.u) + 0.5 - x;
    const double on_y = static_cast<double>(room.corner.y + door.v) + 0.5 - y;
    EXPECT_EQ(std::abs(on_x) + std::abs(on_y), 1) << "the anchor is the block before the door";
    for (const double aside : {0.0, 1.5}) {  // before the door, and before the wall beside it
      const double from_x = x + aside * on_y, from_y = y + aside * on_x;
      terrane_body body = body_at(from_x, from_y, game.ground(from_x, from_y).height);
      EXPECT_EQ(walks_to(game, body, from_x + 3 * on_x, from_y + 3 * on_y), aside == 0)
          << room.corner.x << ", " << room.corner.y << ": floor at " << room.floor_q4 / 16.0
          << ", ground at " << game.ground(x, y).height << ", feet at " << body.bottom;
    }
  }
}

struct Thing {
  double x, y, radius, bottom, top;
};

/// Every thing in 5 x 5 tiles, looked at one by one.
std::size_t count_near(const std::vector<Thing>& things, const terrane_body& body) {
  return static_cast<std::size_t>(std::count_if(things.begin(), things.end(), [&](const Thing& t) {
    const double level =
        std::hypot(t.x - body.x, t.y - body.y) - t.radius - static_cast<double>(body.radius);
    const double upright =
        std::max(body.bottom - t.top, t.bottom - body.bottom - static_cast<double>(body.height));
    return std::hypot(std::max(level, 0.0), std::max(upright, 0.0)) <
           static_cast<double>(body.reach);
  }));
}

TEST(obstacles, are_all_found_wherever_tiles_end_and_the_nearest_come_first) {
  std::mt19937 random(5);
  const auto& kinds = continents_world().generated->placement_kinds;
  for (const int size : {16, 64, 128}) {
    for (const std::int64_t far : {std::int64_t{0}, std::int64_t{1} << 39}) {
      Game game;
      std::vector<Thing> things;
      const ChunkCoord middle{far / size, -far / size};
      for (std::int64_t k = 0; k < 25; ++k) {
        auto chunk = flat({0, {middle.x + k % 5 - 2, middle.y + k / 5 - 2}}, size);
        const BlockPos origin = chunk_origin(chunk->coord, size, 0);
        for (int j = 0; j < size; j += 4) {
          for (int i = 0; i < size; i += 4) {
            const auto kind = static_cast<std::uint8_t>(random() % kinds.size());
            const auto scale = static_cast<std::uint8_t>(40 + random() % 60);
            const BlockPos anchor{origin.x + i + static_cast<int>(random() % 4), origin.y + j};
            chunk->placements.push_back({anchor, kind, 0, scale});
            const Solid& solid = continents_world().solids.kinds[kind];
            if (solid.part != 0)
              things.push_back({static_cast<double>(anchor.x), static_cast<double>(anchor.y),
                                static_cast<double>(solid.radius) * scale, -1,
                                static_cast<double>(solid.height) * scale});
          }
        }
        game.put(chunk);
      }
      const double wide = size;
      std::uniform_real_distribution<double> anywhere(-wide * 0.5, wide * 1.5);
      for (int k = 0; k < 200; ++k) {
        terrane_body body = body_at(static_cast<double>(far) + anywhere(random),
                                    -static_cast<double>(far) + anywhere(random));
        body.reach = static_cast<float>(k % 8) + 0.125f;
        const auto found = around(game, body, 1000);
        EXPECT_EQ(found.size(), count_near(things, body)) << body.x << ", " << body.y;
        const auto nearest = around(game, body, 3);
        for (std::size_t n = 0; n < found.size(); ++n) {
          EXPECT_TRUE(n == 0 || found[n - 1].distance <= found[n].distance);
          EXPECT_TRUE(n >= nearest.size() || nearest[n].distance == found[n].distance);
        }
      }
    }
  }
}

TEST(obstacles, let_who_is_in_the_thick_of_a_forest_out) {
  Game game;
  const BlockPos woods = in_woods();
  for (const Tile& tile : view(woods, 64, {2})) game.put(continents(tile));
  std::mt19937 random(6);
  std::uniform_real_distribution<double> anywhere(-64, 64);
  int met = 0;
  for (int k = 0; k < 4000; ++k) {
    terrane_body body = body_at(static_cast<double>(woods.x) + anywhere(random),
                                static_cast<double>(woods.y) + anywhere(random));
    body.bottom = game.ground(body.x, body.y).height;
    const int moves = free_body(game, body);
    EXPECT_LT(moves, 4);
    met += moves > 0 ? 1 : 0;
  }
  EXPECT_GT(met, 10);
}

TEST(obstacles, of_many_bodies_are_those_of_each) {
  Game game;
  const BlockPos woods = in_woods();
  for (const Tile& tile : view(woods, 64, {1})) game.put(continents(tile));
  std::vector<terrane_body> bodies;
  for (int k = 0; k < 100; ++k) {
    bodies.push_back(body_at(static_cast<double>(woods.x + k), static_cast<double>(woods.y + 9)));
    bodies.back().reach = 12;
  }
  std::vector<terrane_obstacle> found(300);
  std::vector<std::uint32_t> counts(100);
  terrane_land_obstacles(game.land(), &continents_world(), bodies.data(), 100, found.data(), 3,
                         counts.data());
  for (std::size_t k = 0; k < 100; ++k) {
    const auto own = around(game, bodies[k], 1000);
    ASSERT_EQ(own.size(), counts[k]);
    for (std::size_t n = 0; n < std::min<std::size_t>(3, own.size()); ++n)
      EXPECT_EQ(own[n].of.x, found[3 * k + n].of.x);
  }
  terrane_land_obstacles(game.land(), &continents_world(), bodies.data(), 100, nullptr, 3,
                         counts.data());
  EXPECT_EQ(counts[7], around(game, bodies[7], 1000).size());
  terrane_land_obstacles(nullptr, &continents_world(), bodies.data(), 100, nullptr, 3,
                         counts.data());
}

}  // namespace
}  // namespace terrane::core::test
